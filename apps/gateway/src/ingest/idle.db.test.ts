import { createNodeClient, type NodeClient } from '@aval/tron'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nodesOf } from '../chain/nodes.ts'
import { crashingDatabase, createLifetime, type Lifetime } from '../testing/crashes.ts'
import { addressOf, createIngestHarness } from '../testing/ingest-harness.ts'
import { ScriptedChain } from '../testing/scripted-chain.ts'
import { type ScriptedNode, startScriptedNode } from '../testing/scripted-node.ts'
import { tokenTransfer } from '../testing/scripted-transactions.ts'
import { suiteHarness } from '../testing/suite.ts'
import type { Follower } from './follow.ts'

const harness = await suiteHarness(createIngestHarness)
let chain: ScriptedChain
let scripted: ScriptedNode
let node: NodeClient
/** Counts the calls to the database. */
let lifetime: Lifetime
let follower: Follower

beforeEach(async () => {
  await harness.reset()
  chain = new ScriptedChain(3)
  scripted = await startScriptedNode(chain)
  node = createNodeClient({ url: scripted.url, timeoutMs: 60_000 })
  lifetime = createLifetime({ after: Number.POSITIVE_INFINITY, how: 'unsent' })
  follower = harness.follower(crashingDatabase(harness.gateway, lifetime))
  chain.mine(tokenTransfer(addressOf(1), 5n))
  chain.mineEmpty(5)
  chain.mine(tokenTransfer(addressOf(2), 6n))
  await follower.poll(nodesOf([node]))
})
afterEach(() => scripted.close())

/** The requests to the node and the number of queries of one more poll. */
async function costOfAPoll(): Promise<{ asked: string[]; queries: number }> {
  scripted.asked.length = 0
  const { calls } = lifetime
  await follower.poll(nodesOf([node]))
  return { asked: scripted.asked.toSorted(), queries: lifetime.calls - calls }
}

describe('a poll while nothing happens', () => {
  it('costs two requests, no query and no log line', async () => {
    const lines = harness.logged.length
    const nothing = { asked: ['/wallet/getblock', '/walletsolidity/getblock'], queries: 0 }
    for (let polls = 0; polls < 3; polls += 1) expect(await costOfAPoll()).toEqual(nothing)
    expect(harness.logged).toHaveLength(lines)
    expect(await harness.unconfirmed()).toHaveLength(1)
  })

  it('writes every ten seconds that the chain was seen', async () => {
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 10_001)
    expect((await costOfAPoll()).queries).toBeGreaterThan(0)
    expect((await costOfAPoll()).queries).toBe(0)
    clock.mockRestore()
  })
})

it('a new head costs one block more, and is stored', async () => {
  chain.solidLag += 1
  chain.mineEmpty(1)
  const { asked, queries } = await costOfAPoll()
  expect(asked).toEqual(['/wallet/getblock', '/wallet/getblockbynum', '/walletsolidity/getblock'])
  expect(queries).toBeGreaterThan(0)
  expect(await harness.cursor()).toMatchObject({ head: chain.head.number })
})

it('a new solid block alone is read and stored', async () => {
  chain.solidLag = 0
  expect((await costOfAPoll()).asked).toContain('/walletsolidity/getblockbynum')
  expect(await harness.cursor()).toMatchObject({ solid: chain.head.number, scanned: chain.head.number })
  expect(await harness.unconfirmed()).toEqual([])
  expect(await harness.recorded()).toHaveLength(2)
})

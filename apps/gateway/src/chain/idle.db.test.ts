import { createNodeClient, type NodeClient } from '@aval/tron'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { payment } from '../testing/forge.ts'
import { createHarness, type Harness, our } from '../testing/harness.ts'
import { createLife, type Life, mortalDatabase } from '../testing/mortal.ts'
import { ScriptedChain } from '../testing/scripted-chain.ts'
import { type ScriptedNode, startScriptedNode } from '../testing/scripted-node.ts'
import type { Follower } from './follower.ts'
import { nodesOf } from './nodes.ts'

let harness: Harness
let chain: ScriptedChain
let scripted: ScriptedNode
let node: NodeClient
/** Counts the words to the database. */
let life: Life
let follower: Follower

beforeAll(async () => {
  harness = await createHarness(inject('ownerUrl'))
})
afterAll(() => harness.close())
beforeEach(async () => {
  await harness.forget()
  chain = new ScriptedChain(3)
  scripted = await startScriptedNode(chain)
  node = createNodeClient({ url: scripted.url, timeoutMs: 5_000 })
  life = createLife({ after: Number.POSITIVE_INFINITY, how: 'unsent' })
  follower = harness.follower(mortalDatabase(harness.gateway, life))
  chain.mine(payment(our(1), 5n))
  chain.mineEmpty(5)
  chain.mine(payment(our(2), 6n))
  await follower.look(nodesOf([node]))
})
afterEach(() => scripted.close())

/** What one more look says to the node, and how often it speaks to the database. */
async function costOfALook(): Promise<{ asked: string[]; queries: number }> {
  scripted.asked.length = 0
  const { calls } = life
  await follower.look(nodesOf([node]))
  return { asked: scripted.asked.toSorted(), queries: life.calls - calls }
}

describe('a look while nothing happens', () => {
  it('costs two questions, no query and no word in the log', async () => {
    const words = harness.logged.length
    const nothing = { asked: ['/wallet/getblock', '/walletsolidity/getblock'], queries: 0 }
    for (let looks = 0; looks < 3; looks += 1) expect(await costOfALook()).toEqual(nothing)
    expect(harness.logged).toHaveLength(words)
    expect(await harness.sightings()).toHaveLength(1)
  })

  it('says every ten seconds that it was seen', async () => {
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 10_001)
    expect((await costOfALook()).queries).toBeGreaterThan(0)
    expect((await costOfALook()).queries).toBe(0)
    clock.mockRestore()
  })
})

it('a head that moves on costs one block of it, and is written down', async () => {
  chain.solidLag += 1
  chain.mineEmpty(1)
  const { asked, queries } = await costOfALook()
  expect(asked).toEqual(['/wallet/getblock', '/wallet/getblockbynum', '/walletsolidity/getblock'])
  expect(queries).toBeGreaterThan(0)
  expect(await harness.cursor()).toMatchObject({ head: chain.head.number })
})

it('a solid block that moves on alone is read and written down', async () => {
  chain.solidLag = 0
  expect((await costOfALook()).asked).toContain('/walletsolidity/getblockbynum')
  expect(await harness.cursor()).toMatchObject({ solid: chain.head.number, scanned: chain.head.number })
  expect(await harness.sightings()).toEqual([])
  expect(await harness.recorded()).toHaveLength(2)
})

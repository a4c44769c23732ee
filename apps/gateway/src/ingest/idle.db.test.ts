import { beforeEach, describe, expect, it, vi } from 'vitest'
import { crashingDatabase, createLifetime, type Lifetime } from '../testing/crashes.ts'
import { addressOf, ingestSuite } from '../testing/ingest-harness.ts'
import { tokenTransfer } from '../testing/scripted-chain.ts'
import type { Follower } from './follow.ts'

const { harness, chain, scripted, poll } = await ingestSuite(3)
/** Counts the calls to the database. */
let lifetime: Lifetime
let follower: Follower

beforeEach(async () => {
  lifetime = createLifetime()
  follower = harness.follower(crashingDatabase(harness.gateway, lifetime))
  chain.mine(tokenTransfer(addressOf(1), 5n))
  chain.mineEmpty(5)
  chain.mine(tokenTransfer(addressOf(2), 6n))
  await poll(follower)
})

/** The requests to the node and the number of queries of one more poll. */
async function costOfAPoll(): Promise<{ asked: string[]; queries: number }> {
  scripted.asked.length = 0
  const { calls } = lifetime
  await poll(follower)
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

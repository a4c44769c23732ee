import type { NodeClient } from '@aval/tron'
import { beforeEach, describe, expect, it } from 'vitest'
import { readHeads } from '../chain/agreement.ts'
import { insertCursor } from '../chain/cursor.sql.ts'
import { ChainFault, nodesOf } from '../chain/nodes.ts'
import { addressOf, ingestSuite, NETWORK } from '../testing/ingest-harness.ts'
import {
  assetTransfer,
  call,
  failedTransfer,
  HOT,
  ScriptedChain,
  someAddress,
  tokenTransfer,
  transferLog,
  USDT,
} from '../testing/scripted-chain.ts'
import { AddressesUnderived, createFollower, type Follower, recordSolid } from './follow.ts'

const { harness, chain, scripted, node, poll } = await ingestSuite(3)
let follower: Follower
beforeEach(() => {
  follower = harness.follower()
})

const recordedTxids = async () => (await harness.recorded()).map((row) => row.txid)

describe('an address', () => {
  it('that nobody has claimed shows what came to it, and credits nobody', async () => {
    await harness.rows('UPDATE deposit_address SET member_id = NULL WHERE member_id = 2')
    const paid = tokenTransfer(addressOf(2), 50n)
    chain.mine(paid)
    await poll(follower)
    expect(await harness.unconfirmed()).toEqual([])
    chain.mineEmpty(3)
    await poll(follower)
    expect(await harness.recorded()).toMatchObject([{ txid: paid.txid, verdict: 'unclaimed', member: '0' }])
    expect(await harness.jobs()).toEqual([])
    await harness.rows('UPDATE deposit_address SET member_id = 2, passed_over = false WHERE passed_over')
  })

  it('that the signer never derived is not watched; while one is still to be derived no block is read', async () => {
    await harness.rows('UPDATE deposit_address SET key_index = NULL WHERE member_id = 1')
    chain.mine(tokenTransfer(addressOf(1), 50n))
    chain.mineEmpty(3)
    await poll(follower)
    expect(await recordedTxids()).toEqual([])
    await harness.rows("SELECT setval('member_id_seq', 500); DELETE FROM chain_cursor")
    await harness.rows('UPDATE deposit_address SET key_index = NULL')
    const later = harness.follower()
    await expect(poll(later)).rejects.toThrow(AddressesUnderived)
    expect(await harness.cursor()).toBeNull()
    await harness.rows('UPDATE deposit_address SET key_index = member_id')
    await poll(later)
    expect(await recordedTxids()).toHaveLength(1)
  })
})

describe('an incoming transfer', () => {
  it('is unconfirmed above the solid block, recorded when it is solid, and never both', async () => {
    const paid = tokenTransfer(addressOf(1), 50n)
    const { number } = chain.mine(paid)
    await poll(follower)
    expect(await harness.unconfirmed()).toEqual([`${paid.txid} 0 1 ${number} 50`])
    expect(await harness.cursor()).toMatchObject({ scanned: 0, head: 1, solid: 0 })
    chain.mineEmpty(2)
    await poll(follower)
    expect(await harness.unconfirmed()).toHaveLength(1)
    expect(await recordedTxids()).toEqual([])
    chain.mineEmpty(1)
    await poll(follower)
    expect(await harness.unconfirmed()).toEqual([])
    expect(await recordedTxids()).toEqual([paid.txid])
    expect(await harness.cursor()).toMatchObject({ scanned: 1, head: 4, solid: 1 })
  })

  it('is removed when a fork drops it, and moves when a fork moves it', async () => {
    const dropped = tokenTransfer(addressOf(1), 50n)
    const moved = tokenTransfer(addressOf(2), 60n)
    chain.mine(dropped)
    chain.mine(moved)
    await poll(follower)
    expect(await harness.unconfirmed()).toHaveLength(2)
    chain.fork(2)
    chain.mineEmpty(2)
    const { number } = chain.mine(moved)
    await poll(follower)
    expect(await harness.unconfirmed()).toEqual([`${moved.txid} 0 2 ${number} 60`])
    chain.mineEmpty(3)
    await poll(follower)
    expect(await recordedTxids()).toEqual([moved.txid])
  })

  it('is not recorded when only the head view has it', async () => {
    chain.solidLag = 0
    const rumour = new ScriptedChain()
    rumour.mine(tokenTransfer(addressOf(1), 50n))
    chain.mineEmpty(1)
    scripted.distort = (path, body) =>
      /^.wallet.get.*num$/.test(path) ? rumour.answer(path, body) : undefined
    await poll(follower)
    expect(await harness.recorded()).toEqual([])
    expect(await harness.unconfirmed()).toEqual([])
  })

  it('is unconfirmed only if it would be credited', async () => {
    chain.mine(
      failedTransfer(addressOf(1), 5n),
      tokenTransfer(addressOf(1), 0n),
      tokenTransfer(someAddress(77), 5n),
    )
    chain.mine(
      tokenTransfer(addressOf(1), 10n ** 15n + 1n),
      tokenTransfer(addressOf(1), 5n, { contract: someAddress(78) }),
    )
    await poll(follower)
    expect(await harness.unconfirmed()).toEqual([])
  })

  it('is searched in the newest thirty blocks only, however far solidity lags', async () => {
    chain.solidLag = 100
    chain.mine(tokenTransfer(addressOf(1), 5n))
    chain.mineEmpty(60)
    chain.mine(tokenTransfer(addressOf(2), 6n))
    await poll(follower)
    expect(scripted.asked.filter((path) => path === '/wallet/getblockbynum')).toHaveLength(30)
    expect(await harness.unconfirmed()).toHaveLength(1)
  })

  it('waits for the next poll when the head changes while it is read', async () => {
    chain.mine(tokenTransfer(addressOf(1), 5n))
    chain.mineEmpty(1)
    let moved = false
    scripted.distort = (path) => {
      if (path !== '/wallet/getblockbynum' || moved) return undefined
      moved = true
      chain.fork(2)
      chain.mineEmpty(2)
    }
    await poll(follower)
    expect(await harness.unconfirmed()).toEqual([])
    await poll(follower)
    expect(await harness.cursor()).toMatchObject({ head: 2 })
  })
})

describe('a chain that does not fit together', () => {
  beforeEach(() => {
    chain.solidLag = 0
  })

  it('is read up to where it breaks, and further once it fits again', async () => {
    const before = tokenTransfer(addressOf(1), 1n)
    const behind = tokenTransfer(addressOf(2), 2n)
    chain.mine(before)
    chain.mineEmpty(1)
    chain.mine(behind)
    scripted.distort = (path, body) => {
      if (path !== '/walletsolidity/getblockbynum' || body['num'] !== 2) return undefined
      const answer = JSON.stringify(chain.answer(path, body))
      return answer.replace(chain.at(1).id, 'f'.repeat(64))
    }
    for (let looks = 0; looks < 3; looks += 1) {
      await expect(poll(follower)).rejects.toMatchObject({ name: 'ChainFault', code: 'broken' })
      expect(await recordedTxids()).toEqual([before.txid])
      expect(await harness.cursor()).toMatchObject({ scanned: 1, id: chain.at(1).id })
    }
    scripted.distort = () => undefined
    await poll(follower)
    expect(await recordedTxids()).toEqual([before.txid, behind.txid])
  })

  it('is not read further when the solid chain was replaced at the cursor', async () => {
    chain.mineEmpty(5)
    await poll(follower)
    chain.fork(3)
    chain.mineEmpty(2)
    chain.mine(tokenTransfer(addressOf(1), 1n))
    chain.mineEmpty(3)
    await expect(poll(follower)).rejects.toMatchObject({ code: 'broken' })
    await expect(poll(harness.follower())).rejects.toMatchObject({ code: 'broken' })
    expect(await harness.recorded()).toEqual([])
    expect(await harness.cursor()).toMatchObject({ scanned: 5 })
  })

  it('delays reading when its node is behind the cursor', async () => {
    chain.mineEmpty(5)
    await poll(follower)
    chain.solidLag = 3
    expect(await poll(follower)).toMatchObject({ scanned: 5, solid: 2 })
    chain.solidLag = 0
    chain.mineEmpty(1)
    expect(await poll(follower)).toMatchObject({ scanned: 6, solid: 6 })
  })

  it.each([
    ['no receipts', () => '{}'],
    ['one receipt too few', (text: string) => JSON.stringify((JSON.parse(text) as unknown[]).slice(1))],
    ['a receipt twice', (text: string) => text.replace(/"id":"\w+"/g, `"id":"${'1'.repeat(64)}"`)],
  ])('is not read as empty when a block comes with %s', async (_name, spoil) => {
    const paid = tokenTransfer(addressOf(1), 5n)
    chain.mine(paid, tokenTransfer(addressOf(2), 6n))
    scripted.distort = (path, body) =>
      path.endsWith('gettransactioninfobyblocknum')
        ? spoil(JSON.stringify(chain.answer(path, body)))
        : undefined
    await expect(poll(follower)).rejects.toMatchObject({ code: 'incomplete' })
    expect(await harness.cursor()).toMatchObject({ scanned: 0 })
    scripted.distort = () => undefined
    await poll(follower)
    expect(await harness.recorded()).toHaveLength(2)
  })

  it('stops at a transfer on which block and receipt disagree; everything before it is recorded', async () => {
    const good = tokenTransfer(addressOf(1), 5n)
    const other = tokenTransfer(someAddress(99), 5n, { listed: 'REVERT' })
    const disputed = tokenTransfer(addressOf(2), 6n, { listed: 'REVERT' })
    chain.mine(good, other)
    chain.mine(disputed)
    const error = await poll(follower).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ChainFault)
    expect(error).toMatchObject({ code: 'disputed' })
    expect(await recordedTxids()).toEqual([good.txid])
    expect(await harness.cursor()).toMatchObject({ scanned: 1 })
  })

  it.each([
    '',
    'busy',
    '<html></html>',
    '{"Error":"class java.lang.NullPointerException : null"}',
    '[]',
    '{',
  ])('survives a node that answers %j', async (answer) => {
    chain.mine(tokenTransfer(addressOf(1), 5n))
    let left = 6
    scripted.distort = () => {
      left -= 1
      return left % 2 === 0 ? answer : undefined
    }
    for (let looks = 0; looks < 8; looks += 1) await poll(follower).catch(() => undefined)
    scripted.distort = () => undefined
    await poll(follower)
    expect(await harness.recorded()).toHaveLength(1)
  })
})

describe('a fresh database', () => {
  it('of a public network starts with the block that is solid now', async () => {
    chain.solidLag = 2
    chain.mine(tokenTransfer(addressOf(1), 1n))
    const now = tokenTransfer(addressOf(2), 2n)
    chain.mine(now)
    chain.mineEmpty(2)
    const { gateway, log } = harness
    const [usdt, hot] = [someAddress(1), someAddress(2)]
    await harness.rows("UPDATE installation SET network = 'nile'")
    const first = createFollower({ db: gateway.db, network: 'nile', startAt: 'solid', usdt, hot, log })
    expect(await poll(first)).toMatchObject({ scanned: 2, solid: 2 })
    expect((await harness.recorded()).map((row) => [row.txid, row.verdict])).toEqual([
      [now.txid, 'wrong_token'],
    ])
    await harness.rows("UPDATE installation SET network = 'devnet'")
  })

  it('waits for the first block', async () => {
    scripted.distort = (path) => (path === '/walletsolidity/getblockbynum' ? {} : undefined)
    await expect(poll(follower)).rejects.toMatchObject({ code: 'incomplete' })
    scripted.distort = () => undefined
    expect(await poll(follower)).toMatchObject({ scanned: 0 })
  })
})

describe('a long catch-up', () => {
  beforeEach(() => {
    chain.solidLag = 0
  })

  it('of 10,000 blocks keeps at most 109 of them in memory, and finds every transfer', async () => {
    const paid: string[] = []
    for (let block = 1; block <= 10_000; block += 1) {
      const twice = call({ logs: [transferLog(addressOf(3), 8n), transferLog(addressOf(4), 9n)] })
      if (block % 400 !== 0) chain.mine()
      else paid.push(chain.mine(twice).transactions[0]?.txid ?? '')
    }
    await insertCursor(harness.gateway.db, NETWORK, { number: 0, id: chain.at(0).id })
    let stored = 0
    let most = 0
    let asked = 0
    const counting: NodeClient = {
      ...node,
      block(number, view) {
        asked = number
        most = Math.max(most, asked - stored)
        return node.block(number, view)
      },
    }
    const { gateway, log } = harness
    const context = { db: gateway.db, network: NETWORK, usdt: USDT, hot: HOT, log }
    const start = { number: 0, id: chain.at(0).id }
    const heads = await readHeads(nodesOf([counting]))
    for await (const cursor of recordSolid(context, heads, start)) stored = cursor.number
    expect(stored).toBe(10_000)
    expect(most).toBeLessThanOrEqual(100 + 8 + 1)
    const rows = await harness.recorded()
    expect(rows).toHaveLength(2 * paid.length)
    expect(new Set(rows.map((row) => row.txid))).toEqual(new Set(paid))
  })
})

/** Transaction ids that decrease while the chain grows. */
const falling = (index: number) => (0xffff - index).toString(16).repeat(16)

/** Members are credited in the order in which their transfers are numbered. */
describe('transfers are numbered in the chain’s own order', () => {
  beforeEach(() => {
    chain.solidLag = 0
  })

  it('within a block by the place of the transaction, not by its id', async () => {
    const [earlier, later] = [falling(0), falling(1)]
    expect(later < earlier).toBe(true)
    chain.mine(
      tokenTransfer(addressOf(1), 5n, { txid: earlier }),
      tokenTransfer(addressOf(1), 6n, { txid: later }),
    )
    await poll(follower)
    expect(await harness.inOrder()).toEqual([`${earlier} 0`, `${later} 0`])
    expect((await harness.recorded()).map((row) => row.txid)).toEqual([later, earlier])
  })

  it('within a transaction by the place of the log, and whatever kind of movement each is', async () => {
    const failed = failedTransfer(addressOf(1), 5n, { txid: falling(0) })
    const several = call({
      txid: falling(1),
      logs: [transferLog(addressOf(2), 1n), transferLog(addressOf(1), 2n), transferLog(addressOf(2), 3n)],
    })
    const coins = { ...assetTransfer(addressOf(1), 4n), txid: falling(2) }
    const last = tokenTransfer(addressOf(2), 5n, { txid: falling(3) })
    chain.mine(failed, several, coins, last)
    await poll(follower)
    expect(await harness.inOrder()).toEqual([
      `${failed.txid} -1`,
      `${several.txid} 0`,
      `${several.txid} 1`,
      `${several.txid} 2`,
      `${coins.txid} -1`,
      `${last.txid} 0`,
    ])
  })

  it('over many blocks and batches, also when the node lists receipts in another order', async () => {
    const expected: string[] = []
    for (let block = 1; block <= 150; block += 1) {
      const paid = Array.from({ length: 1 + (block % 5) * 4 }, (_, place) =>
        tokenTransfer(addressOf(1 + (place % 3)), 5n, { txid: falling(expected.length + place) }),
      )
      chain.mine(...paid)
      expected.push(...paid.map((each) => `${each.txid} 0`))
    }
    scripted.distort = (path, body) => {
      if (!path.endsWith('gettransactioninfobyblocknum')) return undefined
      const receipts = chain.answer(path, body)
      return Array.isArray(receipts) ? receipts.toReversed() : undefined
    }
    // A poll that takes long leaves the rest to the next one.
    while ((await poll(follower)).scanned < chain.head.number);
    expect(await harness.inOrder()).toEqual(expected)
  })
})

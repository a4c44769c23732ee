import type { NodeFaultInput } from '@aval/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import type { SignerPort } from '../signer/protocol.ts'
import { createWorld, HOT_WALLET, USDT_UNIT, type World, walletOf } from '../testing/world.ts'

let world: World
let wallets = 0
const newWallet = () => {
  wallets += 1
  return walletOf(wallets)
}
const HUNDRED = 100n * USDT_UNIT

beforeAll(async () => {
  world = await createWorld(inject('ownerUrl'), { hot: 100_000n * USDT_UNIT, cap: 1_000_000n * USDT_UNIT })
})
afterAll(() => world.close())
afterEach(() => world.devnet.nodes[0].clear())

/** Approves 101 USDT to a new wallet, and lives until the nodes have it. */
async function sent() {
  const to = newWallet()
  const id = await world.approve(to, 101n * USDT_UNIT)
  const gateway = world.gateway()
  await gateway.live()
  return { id, to, gateway }
}
/** Until the chain is past the expiration of everything that was built so far. */
const expire = () => world.mine(70)
const states = async (id: number) => (await world.payments(id)).map((each) => each.state)
const setParameter = async (kind: string, fields: Record<string, unknown>) => {
  await world.devnet.fault(kind, fields)
  await world.mine()
}
/** A pause is over before what stood in the way is looked at again. */
const later = () => world.mine(3)

describe('an approved withdrawal', () => {
  it('is signed and broadcast in one round, seen in a block, and settled when that block is solid', async () => {
    const before = await world.balance(HOT_WALLET)
    const { id, to, gateway } = await sent()
    expect(await world.payments(id)).toMatchObject([
      { state: 'signed', amount: '100000000', broadcasts: 1, reply: expect.stringMatching(/SUCCESS$/) },
    ])
    await world.mine()
    await gateway.live()
    const { number } = world.devnet.chain.head()
    expect(await world.payments(id)).toMatchObject([{ state: 'signed', seen: number }])
    await world.mine(3)
    await gateway.live()
    expect(await world.payments(id)).toMatchObject([
      { state: 'settled', arrived: '100000000', result: 'SUCCESS', seen: null, broadcasts: 1 },
    ])
    expect(await world.balance(to)).toBe(HUNDRED)
    expect(await world.balance(HOT_WALLET)).toBe(before - HUNDRED)
  })

  it('tells what its transfer burnt, and hands it to the server once', async () => {
    const { id, gateway } = await sent()
    const payment = await world.finish(gateway, id)
    expect(BigInt(payment?.fee ?? 0)).toBeGreaterThan(1_000_000n)
    const { rows } = await world.owner.query('SELECT FROM graphile_worker.jobs WHERE key = $1', [
      `settle:${payment?.txid}`,
    ])
    expect(rows).toHaveLength(1)
  })

  it('is paid in the order of approval, and never before an older one that waits for money', async () => {
    const gateway = world.gateway()
    const [large, small] = [newWallet(), newWallet()]
    const first = await world.approve(large, 5_000_000n * USDT_UNIT)
    const second = await world.approve(small, 21n * USDT_UNIT)
    await gateway.live()
    expect(await states(first)).toEqual([])
    expect(await states(second)).toEqual([])
    expect(await world.obstacle(0)).toBe('hot_usdt')
    await world.owner.query(
      "UPDATE withdrawal SET state = 'refused', closed_at = now(), close_journal_id = 1 WHERE id = $1",
      [first],
    )
    await later()
    expect(await world.finish(gateway, second)).toMatchObject({ state: 'settled' })
    expect(await world.obstacle(0)).toBeNull()
  })

  it('is not paid twice when two gateways run by mistake', async () => {
    const [one, other] = [world.gateway(), world.gateway()]
    const to = newWallet()
    const id = await world.approve(to, 101n * USDT_UNIT)
    await Promise.all([one.look(), other.look()])
    await Promise.all([one.pay(), other.pay(), one.pay()])
    await world.finish(one, id)
    expect(await states(id)).toEqual(['settled'])
    expect(await world.balance(to)).toBe(HUNDRED)
  })
})

describe('what a node replies to a broadcast settles nothing:', () => {
  it.each<[string, NodeFaultInput, RegExp]>([
    [
      'a refusal as a duplicate of what it never had',
      { kind: 'duplicate', times: 1 },
      /DUP_TRANSACTION_ERROR/,
    ],
    ['a success that is forgotten', { kind: 'drop', times: 1 }, /SUCCESS/],
    ['a refusal', { kind: 'refuse', code: 'CONTRACT_VALIDATE_ERROR', times: 1 }, /CONTRACT_VALIDATE_ERROR/],
    ['an expiration', { kind: 'refuse', code: 'TRANSACTION_EXPIRATION_ERROR', times: 1 }, /EXPIRATION/],
    ['a busy node', { kind: 'refuse', code: 'SERVER_BUSY', times: 1 }, /SERVER_BUSY/],
    [
      'an error with status 200',
      { kind: 'error', as: 'error_field', paths: ['broadcasthex'], times: 1 },
      /refused/,
    ],
    ['bare text', { kind: 'error', as: 'text', paths: ['broadcasthex'], times: 1 }, /bad_answer/],
    ['a page', { kind: 'error', as: 'html', paths: ['broadcasthex'], times: 1 }, /bad_answer/],
    ['an empty object', { kind: 'error', as: 'empty', paths: ['broadcasthex'], times: 1 }, /bad_answer/],
    ['an error status', { kind: 'error', as: 'http500', paths: ['broadcasthex'], times: 1 }, /refused/],
    [
      'silence after it was accepted',
      { kind: 'timeout_after_acceptance', as: 'close', times: 1 },
      /unreachable/,
    ],
  ])('after %s the same bytes go out again, and arrive once', async (_name, fault, reply) => {
    world.devnet.nodes[0].fault(fault)
    const { id, to, gateway } = await sent()
    expect(await world.payments(id)).toMatchObject([
      { state: 'signed', broadcasts: 1, reply: expect.stringMatching(reply) },
    ])
    await world.finish(gateway, id)
    expect(await states(id)).toEqual(['settled'])
    expect(await world.balance(to)).toBe(HUNDRED)
  })

  it('one that no node ever takes dies when the chain is past it, and only then another is made', async () => {
    world.devnet.nodes[0].fault({ kind: 'drop' })
    const { id, to, gateway } = await sent()
    await world.mine(59)
    await gateway.live()
    expect(await states(id)).toEqual(['signed'])
    await world.mine(10)
    await gateway.live()
    await gateway.live()
    expect(await states(id)).toEqual(['dead', 'signed'])
    world.devnet.nodes[0].clear()
    await world.finish(gateway, id)
    expect(await states(id)).toEqual(['dead', 'settled'])
    expect(await world.balance(to)).toBe(HUNDRED)
  })

  it('while blocks come empty it waits, and a block that was replaced is seen no more', async () => {
    await world.devnet.fault('empty_blocks', { on: true })
    const { id, gateway } = await sent()
    await world.mine(5)
    await gateway.live()
    expect(await world.payments(id)).toMatchObject([{ state: 'signed', seen: null }])
    await world.devnet.fault('empty_blocks', { on: false })
    expect(await world.finish(gateway, id)).toMatchObject({ state: 'settled' })
  })
})

describe('nothing is built, and operators are told why, while', () => {
  it.each([
    ['the token is paused', 'token_paused', 'pause', { paused: true }, { paused: false }],
    [
      'the token keeps a fee',
      'token_fee',
      'fee',
      { basis_points: 10, maximum_fee: '50' },
      { basis_points: 0, maximum_fee: '0' },
    ],
    [
      'the hot wallet is blacklisted',
      'hot_blacklisted',
      'blacklist',
      { address: HOT_WALLET, listed: true },
      { address: HOT_WALLET, listed: false },
    ],
  ])('%s', async (_name, code, kind, on, off) => {
    await setParameter(kind, on)
    const { id, gateway } = await sent()
    expect(await states(id)).toEqual([])
    expect(await world.obstacle(0)).toBe(code)
    const said = world.logged.filter((line) => line.includes('payout.held')).length
    await later()
    await gateway.live()
    expect(world.logged.filter((line) => line.includes('payout.held'))).toHaveLength(said)
    await setParameter(kind, off)
    await later()
    expect(await world.finish(gateway, id)).toMatchObject({ state: 'settled' })
    expect(await world.obstacle(0)).toBeNull()
  })

  it('its recipient is blacklisted; the others are paid', async () => {
    const to = newWallet()
    await setParameter('blacklist', { address: to, listed: true })
    const id = await world.approve(to, 101n * USDT_UNIT)
    const other = await sent()
    expect(await states(id)).toEqual([])
    expect(await world.obstacle(id)).toBe('recipient_blacklisted')
    expect(await world.finish(other.gateway, other.id)).toMatchObject({ state: 'settled' })
    await setParameter('blacklist', { address: to, listed: false })
    await later()
    expect(await world.finish(other.gateway, id)).toMatchObject({ state: 'settled' })
    expect(await world.obstacle(id)).toBeNull()
  })

  it('money is stopped; what was signed before and never left is kept back', async () => {
    const gateway = world.gateway()
    const stop = (stopped: boolean) => world.owner.query('UPDATE payout_stop SET stopped = $1', [stopped])
    const last: SignerPort = {
      async sign(txid) {
        await world.signer.sign(txid)
        throw new Error('killed')
      },
    }
    const id = await world.approve(newWallet(), 101n * USDT_UNIT)
    await expect(world.gateway({ signer: last }).live()).rejects.toThrow('killed')
    await stop(true)
    const next = await world.approve(newWallet(), 101n * USDT_UNIT)
    await later()
    await gateway.live()
    expect(await world.payments(id)).toMatchObject([{ state: 'signed', broadcasts: 0 }])
    expect(await states(next)).toEqual([])
    await stop(false)
    expect(await world.finish(gateway, id)).toMatchObject({ state: 'settled' })
    expect(await world.finish(gateway, next)).toMatchObject({ state: 'settled' })
  })

  it.each([
    [
      'stands still',
      () => world.devnet.fault('stall', { on: true }),
      () => world.devnet.fault('stall', { on: false }),
    ],
    [
      'makes nothing solid',
      () => world.devnet.fault('solid_stall', { on: true }),
      () => world.devnet.fault('solid_stall', { on: false }),
    ],
  ])('the chain %s', async (_name, on, off) => {
    const gateway = world.gateway()
    await gateway.live()
    await on()
    await world.mine(200)
    const id = await world.approve(newWallet(), 101n * USDT_UNIT)
    await gateway.live()
    expect(await states(id)).toEqual([])
    expect(await world.obstacle(0)).toBe('chain_unhealthy')
    await off()
    await later()
    await gateway.live()
    expect(await world.finish(gateway, id)).toMatchObject({ state: 'settled' })
  })
})

describe('a transfer that fails in its block', () => {
  it('for want of energy closes as failed, with what it burnt, and is not tried again', async () => {
    const { id, to, gateway } = await sent()
    await setParameter('energy', { factor: 40 })
    const payment = await world.finish(gateway, id)
    expect(payment).toMatchObject({ state: 'failed', result: 'OUT_OF_ENERGY', arrived: null })
    await expire()
    await gateway.live()
    expect(await states(id)).toEqual(['failed'])
    expect(await world.balance(to)).toBe(0n)
    const waiting = await world.approve(newWallet(), 101n * USDT_UNIT)
    await gateway.live()
    expect(await world.obstacle(waiting)).toBe('fee_limit')
    await setParameter('energy', { factor: 1 })
    await later()
    await gateway.live()
    expect(await world.finish(gateway, waiting)).toMatchObject({ state: 'settled' })
  })

  it('because the token was paused meanwhile closes as failed', async () => {
    const { id, gateway } = await sent()
    // Its own transaction first: the pool keeps their order.
    await world.devnet.fault('drop_pending')
    await setParameter('pause', { paused: true })
    await later()
    await gateway.live()
    expect(await world.finish(gateway, id)).toMatchObject({ state: 'failed', result: 'REVERT' })
    await setParameter('pause', { paused: false })
  })

  it('from which the token keeps a fee is settled with what arrived', async () => {
    const { id, to, gateway } = await sent()
    await world.devnet.fault('drop_pending')
    await setParameter('fee', { basis_points: 10, maximum_fee: '50' })
    await later()
    await gateway.live()
    expect(await world.finish(gateway, id)).toMatchObject({ state: 'settled', arrived: '99900000' })
    expect(await world.balance(to)).toBe(99_900_000n)
    await setParameter('fee', { basis_points: 0, maximum_fee: '0' })
  })
})

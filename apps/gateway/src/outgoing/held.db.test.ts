import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { SignerPort } from '../signer/protocol.ts'
import { HOT_WALLET } from '../testing/gateway.ts'
import { createWorld, USDT_UNIT, type World, walletOf } from '../testing/world.ts'

/** What keeps a payment from being built, and what makes one fail. */
let world: World
let wallets = 0
const newWallet = () => {
  wallets += 1
  return walletOf(wallets)
}

beforeAll(async () => {
  world = await createWorld(inject('ownerUrl'), { hot: 100_000n * USDT_UNIT, cap: 1_000_000n * USDT_UNIT })
})
afterAll(() => world.close())

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

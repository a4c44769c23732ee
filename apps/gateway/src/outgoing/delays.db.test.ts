import { describe, expect, it } from 'vitest'
import type { SignerPort } from '../signer/protocol.ts'
import { HOT_WALLET } from '../testing/gateway.ts'
import { createOutgoingHarness, USDT_UNIT } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'

/** What delays a withdrawal, and what makes a transfer fail. */
const harness = await suiteHarness(createOutgoingHarness, {
  hot: 100_000n * USDT_UNIT,
  cap: 1_000_000n * USDT_UNIT,
})
const { newWallet, sent, states, later } = harness

/** Until everything built so far has expired. */
const expire = () => harness.mine(70)
const setParameter = async (kind: string, fields: Record<string, unknown>) => {
  await harness.devnet.fault(kind, fields)
  await harness.mine()
}

describe('nothing is prepared, and the delay is stored, while', () => {
  it.each([
    ['the token is paused', 'token_paused', 'pause', { paused: true }, { paused: false }],
    [
      'the token takes a fee',
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
    expect(await harness.delayOf(0)).toBe(code)
    const logged = harness.logged.filter((line) => line.includes('outgoing.delayed')).length
    await later()
    await gateway.round()
    expect(harness.logged.filter((line) => line.includes('outgoing.delayed'))).toHaveLength(logged)
    await setParameter(kind, off)
    await later()
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
    expect(await harness.delayOf(0)).toBeNull()
  })

  it('its recipient is blacklisted; the others are paid', async () => {
    const to = newWallet()
    await setParameter('blacklist', { address: to, listed: true })
    const id = await harness.approve(to, 101n * USDT_UNIT)
    const other = await sent()
    expect(await states(id)).toEqual([])
    expect(await harness.delayOf(id)).toBe('recipient_blacklisted')
    expect(await harness.finish(other.gateway, other.id)).toMatchObject({ state: 'settled' })
    await setParameter('blacklist', { address: to, listed: false })
    await later()
    expect(await harness.finish(other.gateway, id)).toMatchObject({ state: 'settled' })
    expect(await harness.delayOf(id)).toBeNull()
  })

  it('money out is stopped; what was signed and never sent stays unsent', async () => {
    const gateway = harness.gateway()
    const stop = (stopped: boolean) => harness.owner.query('UPDATE payout_stop SET stopped = $1', [stopped])
    const last: SignerPort = {
      async sign(txid) {
        await harness.signer.sign(txid)
        throw new Error('killed')
      },
    }
    const id = await harness.approve(newWallet(), 101n * USDT_UNIT)
    await expect(harness.gateway({ signer: last }).round()).rejects.toThrow('killed')
    await stop(true)
    const next = await harness.approve(newWallet(), 101n * USDT_UNIT)
    await later()
    await gateway.round()
    expect(await harness.transfers(id)).toMatchObject([{ state: 'signed', broadcasts: 0 }])
    expect(await states(next)).toEqual([])
    await stop(false)
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
    expect(await harness.finish(gateway, next)).toMatchObject({ state: 'settled' })
  })

  it.each([
    [
      'stands still',
      () => harness.devnet.fault('stall', { on: true }),
      () => harness.devnet.fault('stall', { on: false }),
    ],
    [
      'makes nothing solid',
      () => harness.devnet.fault('solid_stall', { on: true }),
      () => harness.devnet.fault('solid_stall', { on: false }),
    ],
  ])('the chain %s', async (_name, on, off) => {
    const gateway = harness.gateway()
    await gateway.round()
    await on()
    await harness.mine(200)
    const id = await harness.approve(newWallet(), 101n * USDT_UNIT)
    await gateway.round()
    expect(await states(id)).toEqual([])
    expect(await harness.delayOf(0)).toBe('chain_unhealthy')
    await off()
    await later()
    await gateway.round()
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
  })
})

describe('a transfer that fails in its block', () => {
  it('for lack of energy ends as failed, with what it burnt, and is not tried again', async () => {
    const { id, to, gateway } = await sent()
    await setParameter('energy', { factor: 40 })
    const transfer = await harness.finish(gateway, id)
    expect(transfer).toMatchObject({ state: 'failed', result: 'OUT_OF_ENERGY', arrived: null })
    await expire()
    await gateway.round()
    expect(await states(id)).toEqual(['failed'])
    expect(await harness.balance(to)).toBe(0n)
    const waiting = await harness.approve(newWallet(), 101n * USDT_UNIT)
    await gateway.round()
    expect(await harness.delayOf(waiting)).toBe('fee_limit')
    await setParameter('energy', { factor: 1 })
    await later()
    await gateway.round()
    expect(await harness.finish(gateway, waiting)).toMatchObject({ state: 'settled' })
  })

  it('because the token was paused meanwhile ends as failed', async () => {
    const { id, gateway } = await sent()
    // Drops the transfer first: otherwise it would be mined before the pause.
    await harness.devnet.fault('drop_pending')
    await setParameter('pause', { paused: true })
    await later()
    await gateway.round()
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'failed', result: 'REVERT' })
    await setParameter('pause', { paused: false })
  })

  it('from which the token takes a fee is settled with what arrived', async () => {
    const { id, to, gateway } = await sent()
    await harness.devnet.fault('drop_pending')
    await setParameter('fee', { basis_points: 10, maximum_fee: '50' })
    await later()
    await gateway.round()
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled', arrived: '99900000' })
    expect(await harness.balance(to)).toBe(99_900_000n)
    await setParameter('fee', { basis_points: 0, maximum_fee: '0' })
  })
})

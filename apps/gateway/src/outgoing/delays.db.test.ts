import { decodeRaw, type TronAddress } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import type { SignerPort, SignerReply } from '../signer/socket.ts'
import { HOT_WALLET } from '../testing/gateway.ts'
import { createOutgoingHarness, USDT_UNIT, walletOf } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'

/**
 * What delays a withdrawal, and what makes a transfer fail; a signer that is unavailable, has reached its cap, or refuses one
 * of many.
 */
const harness = await suiteHarness(createOutgoingHarness, { hot: 100_000n * USDT_UNIT })
const { newWallet, sent, states, later } = harness

const approve = () => harness.approve(newWallet(), 101n * USDT_UNIT)
/** Until everything built so far has expired. */
const expire = () => harness.mine(70)
const setParameter = async (kind: string, fields: Record<string, unknown>) => {
  await harness.devnet.fault(kind, fields)
  await harness.mine()
}

const FEE = { basis_points: 10, maximum_fee: '50' }
const NO_FEE = { basis_points: 0, maximum_fee: '0' }
const blacklisted = (listed: boolean, address: TronAddress = HOT_WALLET) => ({ address, listed })

describe('nothing is prepared, and the delay is stored, while', () => {
  it.each([
    ['the token is paused', 'token_paused', 'pause', { paused: true }, { paused: false }],
    ['the token takes a fee', 'token_fee', 'fee', FEE, NO_FEE],
    ['the hot wallet is blacklisted', 'hot_blacklisted', 'blacklist', blacklisted(true), blacklisted(false)],
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
    await setParameter('blacklist', blacklisted(true, to))
    const id = await harness.approve(to, 101n * USDT_UNIT)
    const other = await sent()
    expect(await states(id)).toEqual([])
    expect(await harness.delayOf(id)).toBe('recipient_blacklisted')
    expect(await harness.finish(other.gateway, other.id)).toMatchObject({ state: 'settled' })
    await setParameter('blacklist', blacklisted(false, to))
    await later()
    expect(await harness.finish(other.gateway, id)).toMatchObject({ state: 'settled' })
    expect(await harness.delayOf(id)).toBeNull()
  })

  it('its member’s account is frozen, and the withdrawal goes on once it is free', async () => {
    const gateway = harness.gateway()
    const id = await approve()
    const freeze = async (frozen: boolean) =>
      harness.rows(
        `INSERT INTO member_freeze (member_id, frozen, reason, operator_id, at)
         SELECT member_id, $2, 'because', 0, now() FROM withdrawal WHERE id = $1`,
        [id, frozen],
      )
    // Prepared before the freeze, and asked to be signed after it.
    const slow: SignerPort = {
      async sign(txid) {
        await freeze(true)
        return harness.signer.sign(txid)
      },
    }
    await harness.gateway({ signer: slow }).round()
    expect(await states(id)).toEqual(['expired'])
    await expire()
    await gateway.round()
    expect(await states(id)).toEqual(['expired'])
    expect(await harness.delayOf(id)).toBeNull()
    await freeze(false)
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
    expect(await states(id)).toEqual(['expired', 'settled'])
  })

  it('money out is stopped; what was signed and never sent stays unsent', async () => {
    const gateway = harness.gateway()
    const last: SignerPort = {
      async sign(txid) {
        await harness.signer.sign(txid)
        throw new Error('killed')
      },
    }
    const id = await approve()
    await expect(harness.gateway({ signer: last }).round()).rejects.toThrow('killed')
    const next = await approve()
    await harness.stopPayouts(true)
    await later()
    await gateway.round()
    expect(await harness.transfers(id)).toMatchObject([{ state: 'signed', broadcasts: 0 }])
    expect(await states(next)).toEqual([])
    await harness.stopPayouts(false)
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
    expect(await harness.finish(gateway, next)).toMatchObject({ state: 'settled' })
  })

  it.each([
    ['stands still', 'stall'],
    ['makes nothing solid', 'solid_stall'],
  ])('the chain %s', async (_name, fault) => {
    const gateway = harness.gateway()
    await gateway.round()
    await harness.devnet.fault(fault, { on: true })
    await harness.mine(200)
    const id = await approve()
    await gateway.round()
    expect(await states(id)).toEqual([])
    expect(await harness.delayOf(0)).toBe('chain_unhealthy')
    await harness.devnet.fault(fault, { on: false })
    await later()
    await gateway.round()
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
  })
})

it('a hot wallet without the TRX for a fee waits, and sends where its node says that it has energy of its own', async () => {
  const trx = await harness.node.trxBalance(HOT_WALLET, 'head')
  await harness.devnet.wallet.send('hotWallet', {
    type: 'TransferContract',
    to: walletOf(77),
    amount: trx - 7_000_000n,
  })
  await harness.mine(4)
  const { id } = await sent()
  expect([await states(id), await harness.delayOf(0)]).toEqual([[], 'hot_trx'])
  const resources = async () => ({ energy: 500_000n, bytes: 0n })
  const gateway = harness.gateway({ nodes: [{ ...harness.node, resources }] })
  await later()
  expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
  expect(await harness.delayOf(0)).toBeNull()
  await harness.devnet.wallet.send('faucet', { type: 'TransferContract', to: HOT_WALLET, amount: trx })
  await harness.mine(4)
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
    const waiting = await approve()
    await gateway.round()
    expect(await harness.delayOf(waiting)).toBe('fee_limit')
    await setParameter('energy', { factor: 1 })
    await later()
    await gateway.round()
    expect(await harness.finish(gateway, waiting)).toMatchObject({ state: 'settled' })
  })

  it('for lack of energy is followed by one alone with twice the limit, and by none for a while where that fails too', async () => {
    const running = harness.gateway()
    // Each is tried while energy is cheap, and in its block when it is dear.
    const runsOut = async () => {
      const before = (await harness.transfers()).length
      await running.round()
      const sent = (await harness.transfers()).slice(before)
      await setParameter('energy', { factor: 20 })
      await harness.mine(3)
      await running.follow()
      await setParameter('energy', { factor: 1 })
      await harness.mine(3)
      await running.follow()
      await harness.rows("UPDATE outgoing_transfer SET closed_at = $1 WHERE state = 'failed'", [
        harness.now(),
      ])
      return sent.map(({ txid }) => txid)
    }
    const limits = async (txids: string[]) =>
      (
        await harness.rows<{ raw: Buffer }>('SELECT raw FROM outgoing_transfer WHERE txid = ANY($1)', [txids])
      ).map(({ raw }) => decodeRaw(raw).feeLimit)
    const burnt = async () =>
      (await harness.transfers()).filter(({ result }) => result === 'OUT_OF_ENERGY').length
    const earlier = await burnt()
    await running.follow()
    const ids = [await approve()]
    const [first = 0n] = await limits(await runsOut())
    ids.push(await approve(), await approve(), await approve())
    await later()
    const second = await runsOut()
    expect(await limits(second)).toEqual([2n * first])
    expect(await burnt()).toBe(earlier + 2)
    for (let rounds = 0; rounds < 5; rounds += 1) {
      await later()
      await running.round()
    }
    expect(await harness.delayOf(0)).toBe('fee_limit')
    expect(await burnt()).toBe(earlier + 2)
    await harness.mine(40)
    // One shows that energy suffices again; then all of them leave as usual.
    for (const id of ids.slice(2))
      expect(await harness.finish(running, id)).toMatchObject({ state: 'settled' })
    expect(await harness.delayOf(0)).toBeNull()
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
    await setParameter('fee', FEE)
    await later()
    await gateway.round()
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled', arrived: '99900000' })
    expect(await harness.balance(to)).toBe(99_900_000n)
    await setParameter('fee', NO_FEE)
  })
})

const unsettled = async () => (await harness.transfers()).filter(({ state }) => state !== 'settled').length
const no = (code: string): SignerReply => ({ signed: false, code, message: 'in a test' })
/** The real signer, except where `refuse` gives a reply. */
const signerThat = (
  refuse: (txid: string) => SignerReply | null | Promise<SignerReply | null>,
): SignerPort => ({
  sign: async (txid) => (await refuse(txid)) ?? (await harness.signer.sign(txid)),
})

describe('while the signer is unavailable', () => {
  it('only the transfer prepared first waits, and all are sent when it is back', async () => {
    let unavailable = true
    const signer = signerThat(() => (unavailable ? no('signer_unavailable') : null))
    const gateway = harness.gateway({ signer })
    const before = await unsettled()
    const first = await approve()
    await gateway.round()
    expect(await states(first)).toEqual(['prepared'])
    expect(await harness.delayOf(0)).toBe('signer_away')
    const others = [await approve(), await approve(), await approve()]
    for (let round = 0; round < 20; round += 1) {
      await harness.mine()
      await gateway.round()
    }
    expect((await unsettled()) - before).toBe(1)
    unavailable = false
    await harness.mine(2)
    for (const id of [first, ...others]) {
      expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
    }
    expect(await harness.delayOf(0)).toBeNull()
  })

  it('for longer than transfers are valid, they expire and are prepared again, one at a time', async () => {
    const gateway = harness.gateway({ signer: signerThat(() => no('signer_unavailable')) })
    const id = await approve()
    for (let round = 0; round < 4; round += 1) {
      await gateway.round()
      await harness.advance(70)
      await gateway.round()
      await harness.mine(3)
    }
    const all = await states(id)
    expect(all.filter((state) => state === 'expired').length).toBeLessThanOrEqual(4)
    expect(all.length).toBeLessThanOrEqual(5)
    expect(await harness.finish(harness.gateway(), id)).toMatchObject({ state: 'settled' })
  })
})

describe('when the signer’s daily cap is reached', () => {
  it('one is tried at intervals, and no others are prepared', async () => {
    let full = true
    const signer = signerThat(() => (full ? no('cap_reached') : null))
    const gateway = harness.gateway({ signer })
    const ids = [await approve(), await approve()]
    await gateway.round()
    expect(await harness.delayOf(0)).toBe('signer_cap')
    const before = await unsettled()
    for (let round = 0; round < 25; round += 1) {
      await harness.mine()
      await gateway.round()
    }
    expect((await unsettled()) - before).toBe(0)
    full = false
    await harness.advance(120)
    for (const id of ids) expect(await harness.finish(gateway, id, 30)).toMatchObject({ state: 'settled' })
    expect(await harness.delayOf(0)).toBeNull()
  })
})

describe('a transfer that the signer refuses', () => {
  it('delays its withdrawal until it would have expired, and the others are sent', async () => {
    const bad = await approve()
    let refuses = true
    const signer = signerThat(async (txid) => {
      const isBad = (await harness.transfers(bad)).some((each) => each.txid === txid)
      return isBad && refuses ? no('approvals_missing') : null
    })
    const gateway = harness.gateway({ signer })
    const good = await approve()
    expect(await harness.finish(gateway, good)).toMatchObject({ state: 'settled' })
    expect(await states(bad)).toEqual(['expired'])
    expect(await harness.delayOf(bad)).toBe('signer_refused')
    refuses = false
    await harness.advance(60)
    expect(await harness.finish(gateway, bad)).toMatchObject({ state: 'settled' })
    expect(await states(bad)).toEqual(['expired', 'settled'])
    expect(await harness.delayOf(bad)).toBeNull()
  })

  it('a withdrawal that is refused meanwhile is no longer delayed', async () => {
    const id = await approve()
    await harness.gateway({ signer: signerThat(() => no('not_approved')) }).round()
    expect(await harness.delayOf(id)).toBe('signer_refused')
    await harness.refuse(id)
    await harness.gateway().round()
    expect(await harness.delayOf(id)).toBeNull()
  })
})

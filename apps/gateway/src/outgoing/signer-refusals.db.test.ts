import { describe, expect, it } from 'vitest'
import type { SignerPort, SignerReply } from '../signer/protocol.ts'
import { createOutgoingHarness, USDT_UNIT } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'

/** A signer that is unavailable, has reached its cap, or refuses one of many. */
const harness = await suiteHarness(createOutgoingHarness, {
  hot: 100_000n * USDT_UNIT,
  cap: 1_000_000n * USDT_UNIT,
})
const { states } = harness

const approve = () => harness.approve(harness.newWallet(), 101n * USDT_UNIT)
const prepared = async () => (await harness.transfers()).filter(({ state }) => state !== 'settled').length
const no = (code: string): SignerReply => ({ signed: false, code, message: 'in a test' })
/** The real signer, except where `refuse` gives a reply. */
const signerThat = (refuse: (txid: string) => SignerReply | null): SignerPort => ({
  sign: async (txid) => refuse(txid) ?? (await harness.signer.sign(txid)),
})

describe('while the signer is unavailable', () => {
  it('only the transfer prepared first waits, and all are sent when it is back', async () => {
    let unavailable = true
    const signer = signerThat(() => (unavailable ? no('signer_unavailable') : null))
    const gateway = harness.gateway({ signer })
    const first = await approve()
    await gateway.round()
    expect(await states(first)).toEqual(['prepared'])
    expect(await harness.delayOf(0)).toBe('signer_away')
    const others = [await approve(), await approve(), await approve()]
    for (let round = 0; round < 20; round += 1) {
      await harness.mine()
      await gateway.round()
    }
    expect(await prepared()).toBe(1)
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
    const before = await prepared()
    for (let round = 0; round < 25; round += 1) {
      await harness.mine()
      await gateway.round()
    }
    expect((await prepared()) - before).toBe(0)
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
    const signer: SignerPort = {
      async sign(txid) {
        const isBad = (await harness.transfers(bad)).some((each) => each.txid === txid)
        return isBad && refuses ? no('approvals_missing') : harness.signer.sign(txid)
      },
    }
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
    await harness.owner.query(
      "UPDATE withdrawal SET state = 'refused', closed_at = now(), close_journal_id = 1 WHERE id = $1",
      [id],
    )
    await harness.gateway().round()
    expect(await harness.delayOf(id)).toBeNull()
  })
})

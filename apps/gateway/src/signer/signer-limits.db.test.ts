import { depositAddress, type TronAddress } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { suiteHarness } from '../testing/suite.ts'
import { CHAIN_NOW, MINUTE, USDT, XPUB } from './testing/fixtures.ts'
import { type ApprovedWithdrawal, createSignerHarness } from './testing/signer-harness.ts'

const harness = await suiteHarness(createSignerHarness)
const { expire, rows, withoutTriggers } = harness

const code = async (txid: string, signer = harness.signer) => {
  const reply = await signer.sign(txid)
  return reply.signed ? 'signed' : reply.code
}

describe('two transfers of one withdrawal are never valid at the same time', () => {
  /** A transfer that is valid for a minute from this moment. */
  const at = (withdrawal: ApprovedWithdrawal, moment: number) =>
    harness.prepareWithdrawal(withdrawal, {
      bytes: { timestamp: moment, expiration: moment + MINUTE },
      row: { expires_at: new Date(moment + MINUTE) },
    })
  const start = CHAIN_NOW + 10_000_000
  /** A new withdrawal with a signed transfer. */
  const signedAtStart = async () => {
    const asked = await harness.withdrawal()
    const first = await at(asked, start)
    expect(await code(first)).toBe('signed')
    return { asked, first }
  }

  it('the next is signed when the first is expired and past its own expiration', async () => {
    const { asked, first } = await signedAtStart()
    await expire(first)
    expect(await code(await at(asked, start + MINUTE + 1))).toBe('signed')
  })

  it('the next is refused while the first is valid, whatever its state in the database', async () => {
    const { asked, first } = await signedAtStart()
    await expire(first)
    const second = await at(asked, start + MINUTE)
    expect(await code(second)).toBe('earlier_transfer_valid')
    await withoutTriggers(
      'outgoing_transfer',
      'UPDATE outgoing_transfer SET raw = other.raw FROM outgoing_transfer AS other WHERE outgoing_transfer.txid = $1 AND other.txid = $2',
      first,
      await expire(await at(await harness.withdrawal(), start - MINUTE)),
    )
    expect(await code(second, harness.newSigner())).toBe('earlier_transfer_valid')
  })

  it('also by a signer that was restarted, and for a first one signed elsewhere', async () => {
    const { asked, first } = await signedAtStart()
    await expire(first)
    expect(await code(await at(asked, start + 1_000), harness.newSigner())).toBe('earlier_transfer_valid')
    const other = await harness.withdrawal()
    await expire(
      await harness.prepareWithdrawal(other, {
        bytes: { timestamp: start, expiration: start + MINUTE },
        row: { expires_at: new Date(start + MINUTE), offline: true },
      }),
    )
    expect(await code(await at(other, start + 1_000))).toBe('earlier_transfer_valid')
  })

  it('also when the first signature was deleted from the database', async () => {
    const { asked, first } = await signedAtStart()
    await withoutTriggers('outgoing_transfer', 'DELETE FROM outgoing_transfer WHERE txid = $1', first)
    // However late: it may have been paid while this database was another one. The journal knows it, and the chain has to show its end.
    harness.seeing.refused = { code: 'nodes_missing', message: '' }
    await harness.pass(40 * 24 * 60 * MINUTE)
    expect(await code(await at(asked, start + 10 * MINUTE))).toBe('nodes_missing')
    harness.seeing.refused = null
  })

  it('and refused while another is open, settled or failed', async () => {
    for (const state of ['signed', 'settled', 'failed']) {
      const { asked, first } = await signedAtStart()
      await rows('DROP INDEX IF EXISTS outgoing_transfer_one_a_withdrawal')
      if (state !== 'signed')
        await rows('UPDATE outgoing_transfer SET state = $2, block = 1 WHERE txid = $1', [first, state])
      expect(await code(await at(asked, start + 10 * MINUTE))).toBe('earlier_transfer_open')
    }
  })
})

describe('limits of the key file', () => {
  const HOUR = 60 * MINUTE
  const prepared = async (amount = 100n * USDT, more: { memberId?: bigint; wallet?: TronAddress } = {}) =>
    harness.prepareWithdrawal(await harness.withdrawal({ amount, ...more }))
  const spent = () => harness.journal.memory.signedSums(harness.now().getTime(), 0n).day

  it('of a day is exact, counts expired transfers, and survives a restart', async () => {
    const perDay = spent() + 99n * USDT
    const first = await prepared()
    expect(await code(first, harness.newSigner({ perDay: perDay - 1n }))).toBe('cap_reached')
    expect(await harness.refusals(first)).toEqual(['cap_reached'])
    expect(await code(first, harness.newSigner({ perDay }))).toBe('signed')
    await expire(first)
    const second = await prepared(2n * USDT)
    await harness.restart()
    expect(await code(second, harness.newSigner({ perDay }))).toBe('cap_reached')
    await harness.pass(24 * HOUR)
    expect(await code(second, harness.newSigner({ perDay }))).toBe('signed')
  })

  it('of a day holds when rows are deleted from the database, and after a restart', async () => {
    await harness.pass(48 * HOUR)
    expect(await code(await prepared(), harness.newSigner({ perDay: 150n * USDT }))).toBe('signed')
    await rows("UPDATE outgoing_transfer SET signed_at = signed_at - interval '2 days'")
    const next = await prepared()
    expect(await code(next, harness.newSigner({ perDay: 150n * USDT }))).toBe('cap_reached')
    await harness.restart()
    expect(await code(next, harness.newSigner({ perDay: 150n * USDT }))).toBe('cap_reached')
  })

  it('of a day holds for twenty at once', async () => {
    await harness.pass(48 * HOUR)
    const signers = [1, 2].map(() => harness.newSigner({ perDay: 500n * USDT }))
    const txids: string[] = []
    for (let count = 0; count < 20; count += 1) txids.push(await prepared())
    const codes = await Promise.all(txids.map((txid, index) => code(txid, signers[index % 2])))
    expect(codes.filter((each) => each === 'signed')).toHaveLength(5)
    expect(codes.filter((each) => each === 'cap_reached')).toHaveLength(15)
  })

  it('of an hour', async () => {
    await harness.pass(48 * HOUR)
    const signer = harness.newSigner({ perHour: 150n * USDT })
    expect(await code(await prepared(), signer)).toBe('signed')
    const next = await prepared()
    expect(await code(next, signer)).toBe('hour_cap_reached')
    await harness.pass(HOUR)
    expect(await code(next, signer)).toBe('signed')
  })

  it('of a member and day, and of no other member', async () => {
    const signer = harness.newSigner({ perMemberDay: 150n * USDT })
    const memberId = 500_000n
    expect(await code(await prepared(100n * USDT, { memberId }), signer)).toBe('signed')
    const next = await prepared(100n * USDT, { memberId })
    expect(await code(next, signer)).toBe('member_cap_reached')
    expect(await code(await prepared(), signer)).toBe('signed')
    await harness.pass(24 * HOUR)
    expect(await code(next, signer)).toBe('signed')
  })

  it('of a wallet that was never paid before, until a day after its first payment', async () => {
    const signer = harness.newSigner({ newWallet: 150n * USDT })
    const wallet = depositAddress(XPUB, 4_000_000)
    expect(await code(await prepared(200n * USDT, { wallet }), signer)).toBe('new_wallet_cap_reached')
    expect(await code(await prepared(100n * USDT, { wallet }), signer)).toBe('signed')
    const next = await prepared(100n * USDT, { wallet })
    expect(await code(next, signer)).toBe('new_wallet_cap_reached')
    await harness.pass(24 * HOUR)
    expect(await code(next, signer)).toBe('signed')
  })

  it('counts no signature that was not made', async () => {
    await harness.pass(48 * HOUR)
    const signer = harness.newSigner({ perDay: 150n * USDT })
    const txid = await prepared()
    await harness.stopPayouts(true)
    expect(await code(txid, signer)).toBe('stopped')
    await harness.stopPayouts(false)
    expect(await code(await prepared(), signer)).toBe('signed')
    expect(await code(txid, signer)).toBe('cap_reached')
  })
})

describe('a signer', () => {
  it('refuses made-up txids, and fills neither log nor audit trail', async () => {
    const before = harness.logged.length
    const made = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(64, '0'))
    for (const txid of made) expect(await code(txid)).toBe('not_found')
    expect(harness.logged.length - before).toBeLessThan(70)
    const trail = await rows("SELECT FROM audit_event WHERE details->>'code' = 'not_found'")
    expect(trail.length).toBeLessThanOrEqual(60)
  })
})

import { describe, expect, it } from 'vitest'
import { suiteHarness } from '../testing/suite.ts'
import { CHAIN_NOW, MINUTE, USDT } from './testing/fixtures.ts'
import { type ApprovedWithdrawal, createSignerHarness } from './testing/signer-harness.ts'

const harness = await suiteHarness(createSignerHarness)
const { expire } = harness

const code = async (txid: string, signer = harness.signer) => {
  const reply = await signer.sign(txid)
  return reply.signed ? 'signed' : reply.code
}

describe('approvals', () => {
  it.each<[string, string, { needed: number; operators: bigint[] }]>([
    ['none of two', 'approvals_missing', { needed: 2, operators: [] }],
    ['one of two', 'approvals_missing', { needed: 2, operators: [1n] }],
    ['two of two', 'signed', { needed: 2, operators: [1n, 2n] }],
    ['none needed', 'signed', { needed: 0, operators: [] }],
  ])('%s: %s', async (_name, expected, approvals) => {
    expect(await code(await harness.prepareWithdrawal(await harness.withdrawal(approvals)))).toBe(expected)
  })

  it('by the member refuse it, however many others there are', async () => {
    const asked = await harness.withdrawal()
    await harness.owner.query('ALTER TABLE withdrawal_approval DROP CONSTRAINT approval_by_somebody_else')
    await harness.owner.query(
      'INSERT INTO withdrawal_approval (member_id, withdrawal_id, operator_id, at) VALUES ($1, $2, $1, now())',
      [asked.memberId, asked.id],
    )
    expect(await code(await harness.prepareWithdrawal(asked))).toBe('approved_by_its_member')
  })

  it.each(['requested', 'completed', 'refused'])('of one that is %s do not count', async (state) => {
    const asked = await harness.withdrawal()
    const txid = await harness.prepareWithdrawal(asked)
    await withdrawalIs(asked, state)
    expect(await code(txid)).toBe('not_approved')
  })
})

/** As the owner, without triggers and constraints. */
async function withdrawalIs({ memberId }: ApprovedWithdrawal, state: string): Promise<void> {
  const client = await harness.owner.connect()
  try {
    await client.query('ALTER TABLE withdrawal DISABLE TRIGGER USER')
    await client.query('ALTER TABLE withdrawal DROP CONSTRAINT IF EXISTS withdrawal_closed_once')
    await client.query('ALTER TABLE withdrawal DROP CONSTRAINT IF EXISTS withdrawal_completed_by_a_transfer')
    await client.query('UPDATE withdrawal SET state = $2 WHERE member_id = $1', [memberId, state])
    await client.query('ALTER TABLE withdrawal ENABLE TRIGGER USER')
  } finally {
    client.release()
  }
}

describe('two transfers of one withdrawal are never valid at the same time', () => {
  /** A transfer that is valid for a minute from this moment. */
  const at = (withdrawal: ApprovedWithdrawal, moment: number) =>
    harness.prepareWithdrawal(withdrawal, {
      bytes: { timestamp: moment, expiration: moment + MINUTE },
      row: { expires_at: new Date(moment + MINUTE) },
    })
  const start = CHAIN_NOW + 10_000_000

  it('the next is signed when the first is expired and past its own expiration', async () => {
    const asked = await harness.withdrawal()
    const first = await at(asked, start)
    expect(await code(first)).toBe('signed')
    await expire(first)
    expect(await code(await at(asked, start + MINUTE + 1))).toBe('signed')
  })

  it('the next is refused while the first is valid, whatever its state in the database', async () => {
    const asked = await harness.withdrawal()
    const first = await at(asked, start)
    expect(await code(first)).toBe('signed')
    await expire(first)
    const second = await at(asked, start + MINUTE)
    expect(await code(second)).toBe('earlier_transfer_valid')
    await harness.owner.query('ALTER TABLE outgoing_transfer DISABLE TRIGGER USER')
    await harness.owner.query(
      'UPDATE outgoing_transfer SET raw = other.raw FROM outgoing_transfer AS other WHERE outgoing_transfer.txid = $1 AND other.txid = $2',
      [first, await expire(await at(await harness.withdrawal(), start - MINUTE))],
    )
    await harness.owner.query('ALTER TABLE outgoing_transfer ENABLE TRIGGER USER')
    expect(await code(second, harness.newSigner())).toBe('earlier_transfer_valid')
  })

  it('also by a signer that was restarted, and for a first one signed elsewhere', async () => {
    const asked = await harness.withdrawal()
    const first = await at(asked, start)
    expect(await code(first)).toBe('signed')
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
    const asked = await harness.withdrawal()
    const first = await at(asked, start)
    expect(await code(first)).toBe('signed')
    await harness.owner.query('ALTER TABLE outgoing_transfer DISABLE TRIGGER USER')
    await harness.owner.query('DELETE FROM outgoing_transfer WHERE txid = $1', [first])
    await harness.owner.query('ALTER TABLE outgoing_transfer ENABLE TRIGGER USER')
    expect(await code(await at(asked, start + 1_000))).toBe('earlier_transfer_valid')
  })

  it('and refused while another is open, settled or failed', async () => {
    for (const state of ['signed', 'settled', 'failed']) {
      const asked = await harness.withdrawal()
      const first = await at(asked, start)
      expect(await code(first)).toBe('signed')
      await harness.owner.query('DROP INDEX IF EXISTS outgoing_transfer_one_a_withdrawal')
      if (state !== 'signed') {
        await harness.owner.query('UPDATE outgoing_transfer SET state = $2, block = 1 WHERE txid = $1', [
          first,
          state,
        ])
      }
      expect(await code(await at(asked, start + 10 * MINUTE))).toBe('earlier_transfer_open')
    }
  })
})

describe('limits', () => {
  const spent = async (): Promise<bigint> => {
    const { rows } = await harness.owner.query(
      `SELECT coalesce(sum(amount), 0)::bigint AS sum FROM outgoing_transfer WHERE purpose = 'withdrawal' AND signed_at IS NOT NULL`,
    )
    return BigInt(rows[0].sum)
  }

  it('the daily cap is exact, counts expired transfers, and survives a restart', async () => {
    const cap = (await spent()) + 99n * USDT
    const first = await harness.prepareWithdrawal(await harness.withdrawal())
    expect(await code(first, harness.newSigner({ dailyCap: cap - 1n }))).toBe('cap_reached')
    expect(await harness.refusals(first)).toEqual(['cap_reached'])
    expect(await code(first, harness.newSigner({ dailyCap: cap }))).toBe('signed')
    await expire(first)
    const second = await harness.prepareWithdrawal(await harness.withdrawal({ amount: 2n * USDT }))
    expect(await code(second, harness.newSigner({ dailyCap: cap }))).toBe('cap_reached')
    await harness.owner.query(`UPDATE outgoing_transfer SET signed_at = signed_at - interval '24 hours'`)
    expect(await code(second, harness.newSigner({ dailyCap: cap }))).toBe('signed')
  })

  it('the cap holds when rows are deleted from the database', async () => {
    const signer = harness.newSigner({ dailyCap: 150n * USDT })
    await harness.owner.query(`UPDATE outgoing_transfer SET signed_at = signed_at - interval '2 days'`)
    expect(await code(await harness.prepareWithdrawal(await harness.withdrawal()), signer)).toBe('signed')
    await harness.owner.query(`UPDATE outgoing_transfer SET signed_at = signed_at - interval '2 days'`)
    expect(await code(await harness.prepareWithdrawal(await harness.withdrawal()), signer)).toBe(
      'cap_reached',
    )
  })

  it('the cap holds for twenty at once', async () => {
    await harness.owner.query(`UPDATE outgoing_transfer SET signed_at = signed_at - interval '2 days'`)
    const signers = [
      harness.newSigner({ dailyCap: 500n * USDT }),
      harness.newSigner({ dailyCap: 500n * USDT }),
    ]
    const txids: string[] = []
    for (let count = 0; count < 20; count += 1)
      txids.push(await harness.prepareWithdrawal(await harness.withdrawal()))
    const codes = await Promise.all(txids.map((txid, index) => code(txid, signers[index % 2])))
    expect(codes.filter((each) => each === 'signed')).toHaveLength(5)
    expect(codes.filter((each) => each === 'cap_reached')).toHaveLength(15)
  })

  it('nothing is signed while money out is stopped, and it goes on when that is lifted', async () => {
    const txid = await harness.prepareWithdrawal(await harness.withdrawal())
    await harness.owner.query(`UPDATE payout_stop SET stopped = true, since = now(), reason = 'a test'`)
    expect(await code(txid)).toBe('stopped')
    await harness.owner.query('UPDATE payout_stop SET stopped = false')
    expect(await code(txid)).toBe('signed')
  })

  it('made-up txids are refused, and fill neither log nor audit trail', async () => {
    const before = harness.logged.length
    const made = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(64, '0'))
    for (const txid of made) expect(await code(txid)).toBe('not_found')
    expect(harness.logged.length - before).toBeLessThan(70)
    const { rows } = await harness.owner.query(
      `SELECT count(*)::int AS count FROM audit_event WHERE details->>'code' = 'not_found'`,
    )
    expect(rows[0].count).toBeLessThanOrEqual(60)
  })
})

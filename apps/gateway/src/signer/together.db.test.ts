/** Transfers that are asked for at one moment: checked one by one, written to the disk and stored together. */
import { recoverSigner } from '@aval/tron'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { crashingDatabase, createLifetime } from '../testing/crashes.ts'
import { connectionsOf, withoutWrites } from '../testing/database-faults.ts'
import { suiteHarness } from '../testing/suite.ts'
import { CHAIN_NOW, HOT, MINUTE, STRANGER, transferCall, USDT } from './testing/fixtures.ts'
import { type ApprovedWithdrawal, createSignerHarness } from './testing/signer-harness.ts'

const harness = await suiteHarness(createSignerHarness)
const { rows, journals } = harness

/** A day in which nothing was signed, so that no test counts what another signed. */
afterEach(() => harness.pass(48 * 60 * MINUTE))

type Asked = Parameters<typeof harness.withdrawal>[0]
async function withdrawals(count: number, asked?: Asked): Promise<ApprovedWithdrawal[]> {
  const made: ApprovedWithdrawal[] = []
  for (let number = 0; number < count; number += 1) made.push(await harness.withdrawal(asked))
  return made
}
async function prepared(count: number, asked?: Asked): Promise<string[]> {
  const txids: string[] = []
  for (const each of await withdrawals(count, asked)) txids.push(await harness.prepareWithdrawal(each))
  return txids
}
/** What each is answered, asked for at one moment. */
const codes = (txids: readonly string[], signer = harness.newSigner()) =>
  Promise.all(
    txids.map(async (txid) => {
      const reply = await signer.sign(txid)
      return reply.signed ? 'signed' : reply.code
    }),
  )
const statesOf = (txids: readonly string[]) =>
  Promise.all(txids.map(async (txid) => (await harness.transfer(txid))?.state))
/** Entries of the journal about these. */
const entriesOf = (txids: readonly string[]) =>
  (journals.kept.text ?? '').split('\n').filter((line) => txids.some((txid) => line.includes(txid))).length

describe('many at one moment', () => {
  it('are signed by one write to the disk and one transaction, each by its own bytes', async () => {
    const txids = await prepared(40)
    const writes: string[] = []
    const { append } = journals.storage
    journals.storage.append = (text) => {
      writes.push(text)
      return append(text)
    }
    expect(new Set(await codes(txids))).toEqual(new Set(['signed']))
    journals.storage.append = append
    expect(writes).toHaveLength(1)
    expect(entriesOf(txids)).toBe(40)
    const transactions = await rows(
      'SELECT DISTINCT xmin::text FROM outgoing_transfer WHERE txid = ANY($1)',
      [txids],
    )
    expect(transactions).toHaveLength(1)
    for (const txid of txids)
      expect(recoverSigner(txid, (await harness.transfer(txid))?.signature ?? new Uint8Array())).toBe(HOT)
  })

  it('are checked alone: those that are wrong are refused by name, and keep no other', async () => {
    const [right, other] = await prepared(2)
    const [payee, amount, late, unapproved] = await withdrawals(4)
    if (!(right && other && payee && amount && late && unapproved)) throw new Error('too few')
    const txids = [
      right,
      await harness.prepareWithdrawal(payee, {
        call: transferCall(HOT, STRANGER, payee.amount - payee.fee),
        row: { to_address: STRANGER },
      }),
      await harness.prepareWithdrawal(amount, { row: { amount: amount.amount } }),
      await harness.prepareWithdrawal(late, { row: { expires_at: new Date(CHAIN_NOW) } }),
      'f'.repeat(64),
      await harness.prepareWithdrawal(await harness.withdrawal({ operators: [1n] })),
      await harness.prepareWithdrawal({ ...unapproved, id: unapproved.id + 1_000n }),
      other,
    ]
    expect(await codes(txids)).toEqual([
      'signed',
      'wrong_recipient',
      'wrong_amount',
      'expiration_differs',
      'not_found',
      'approvals_missing',
      'not_approved',
      'signed',
    ])
    expect(await statesOf(txids.filter((_, place) => place !== 4))).toEqual([
      'signed',
      ...Array.from({ length: 5 }, () => 'prepared'),
      'signed',
    ])
    expect(entriesOf(txids)).toBe(2)
  })

  it('count for each other: the day’s limit is reached among them', async () => {
    const txids = await prepared(7)
    const signed = await codes(txids, harness.newSigner({ perDay: 4n * 99n * USDT }))
    expect(signed).toEqual([...Array(4).fill('signed'), ...Array(3).fill('cap_reached')])
    expect(await statesOf(txids)).toEqual([...Array(4).fill('signed'), ...Array(3).fill('prepared')])
  })

  it('count for each other: a member’s several need as many operators as their sum', async () => {
    const own = { memberId: 700_001n, amount: 600n * USDT, operators: [1n], needed: 1 }
    harness.policyIs({
      needed: [
        { from: 0n, operators: 1 },
        { from: 1_000n * USDT, operators: 2 },
      ],
    })
    const signed = await codes(await prepared(2, own))
    harness.policyIs({ needed: harness.approvers.policy.needed })
    expect(signed).toEqual(['signed', 'approvals_missing'])
  })

  it('are one where they pay the same withdrawal', async () => {
    await rows('DROP INDEX IF EXISTS outgoing_transfer_one_a_withdrawal')
    const asked = await harness.withdrawal()
    const txids = [await harness.prepareWithdrawal(asked), await harness.prepareWithdrawal(asked)]
    expect(await codes(txids)).toEqual(['earlier_transfer_open', 'earlier_transfer_open'])
    // The database says that each is alone: the journal knows better.
    await harness.withoutTriggers(
      'outgoing_transfer',
      "UPDATE outgoing_transfer SET purpose = 'withdrawal', member_id = 0 WHERE txid = $1",
      txids[0],
    )
    expect((await codes(txids)).filter((code) => code === 'signed')).toHaveLength(1)
    await rows('UPDATE outgoing_transfer SET state = $2 WHERE txid = ANY($1) AND state = $3', [
      txids,
      'expired',
      'prepared',
    ])
  })
})

describe('a database that', () => {
  it('refuses some of them at the last moment has those refused, and the others stored', async () => {
    const txids = await prepared(3)
    const stored = await rows<{ verdict: string }>(
      `SELECT verdict FROM sign_outgoing_transfers($1, ARRAY[$2, $2, $2, $2, $2]::bytea[], $3)`,
      [
        [txids[0], txids[0], txids[1], 'e'.repeat(64), txids[2]],
        Buffer.alloc(65, 7),
        String(2n * 99n * USDT),
      ],
    )
    expect(stored.map(({ verdict }) => verdict)).toEqual([
      'signed',
      'not_prepared',
      'signed',
      'not_prepared',
      'cap_reached',
    ])
    expect(await statesOf(txids)).toEqual(['signed', 'signed', 'prepared'])
  })

  it('cannot store them together stores each alone', async () => {
    await rows('ALTER FUNCTION sign_outgoing_transfers(text[], bytea[], bigint) RENAME TO honest')
    await rows(
      `CREATE FUNCTION sign_outgoing_transfers(text[], bytea[], bigint) RETURNS TABLE (txid text, verdict text) LANGUAGE plpgsql
         SECURITY DEFINER AS $$ BEGIN
           IF cardinality($1) > 1 THEN RAISE EXCEPTION 'one waits'; END IF;
           RETURN QUERY SELECT h.txid, h.verdict FROM honest($1, $2, $3) h;
         END $$`,
    )
    await rows('GRANT EXECUTE ON FUNCTION sign_outgoing_transfers(text[], bytea[], bigint) TO aval_signer')
    const txids = await prepared(3)
    expect(await codes(txids)).toEqual(['signed', 'signed', 'signed'])
    await rows('DROP FUNCTION sign_outgoing_transfers(text[], bytea[], bigint)')
    await rows('ALTER FUNCTION honest(text[], bytea[], bigint) RENAME TO sign_outgoing_transfers')
    expect(entriesOf(txids)).toBe(3)
  })
})

describe('a signer that ends in the middle', () => {
  it('at whichever question, has signed each once when it is asked again', async () => {
    let questions = 0
    for (let isOver = false; !isOver; questions += 1) {
      const txids = await prepared(3)
      const lifetime = createLifetime({
        after: questions,
        how: questions % 2 === 0 ? 'unsent' : 'unanswered',
      })
      const first = await codes(txids, harness.newSigner({}, crashingDatabase(harness.connection, lifetime)))
      isOver = !lifetime.crashed
      const before = await Promise.all(txids.map((txid) => harness.transfer(txid)))
      // All of them or none: a signature is never here alone.
      expect(new Set(before.map((each) => each?.state)).size).toBe(1)
      const { signer } = await harness.restart()
      expect(new Set(await codes(txids, signer))).toEqual(new Set(['signed']))
      expect(entriesOf(txids)).toBe(3)
      for (const [place, txid] of txids.entries()) {
        const after = await harness.transfer(txid)
        if (first[place] === 'signed') expect(after?.signature).toEqual(before[place]?.signature)
      }
    }
    expect(questions).toBeGreaterThan(4)
  })

  it('because its disk is full has signed and stored nothing', async () => {
    const txids = await prepared(3)
    journals.kept.fails = true
    expect(new Set(await codes(txids))).toEqual(new Set(['signer_failed']))
    journals.kept.fails = false
    expect(new Set(await statesOf(txids))).toEqual(new Set(['prepared']))
    expect(new Set(await codes(txids))).toEqual(new Set(['journal_unwritable']))
    const { signer } = await harness.restart()
    expect(new Set(await codes(txids, signer))).toEqual(new Set(['signed']))
  })
})

describe('a decision over many', () => {
  const program = () => connectionsOf(harness.owner, 'aval signer in a test')

  it('that is killed in the middle leaves nothing half, and the next signer finishes it', async () => {
    const listed: ApprovedWithdrawal[] = []
    for (let number = 0; number < 30; number += 1) listed.push(await harness.request({ needed: 1 }))
    const ids = listed.map(({ id }) => id)
    const approval = await harness.approvers.submit(1n, await harness.approvers.shown(ids))
    // Its approvals are counted by then, and its entries are still to be written.
    await withoutWrites(harness.owner, 'audit_event', async () => {
      const deciding = harness.acceptor.decide(approval)
      const ended = expect(deciding).rejects.toThrow('terminat')
      await vi.waitFor(async () => expect(await program().close('waiting')).toBe(1), { timeout: 240_000 })
      await ended
    })
    const approved = () =>
      rows<{ state: string; given: number; told: number }>(
        `SELECT w.state, (SELECT count(*)::int FROM withdrawal_approval a WHERE a.withdrawal_id = w.id) AS given,
           (SELECT count(*)::int FROM audit_event WHERE action = 'withdrawal.approve' AND subject = 'withdrawal:' || w.id) AS told
         FROM withdrawal w WHERE w.id = ANY($1)`,
        [ids],
      )
    expect(new Set((await approved()).map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ state: 'requested', given: 0, told: 0 })]),
    )
    // The pool may hand out the connection that was ended until it has heard of its end.
    const { acceptor } = await vi.waitFor(() => harness.restart(), { timeout: 240_000 })
    for (let round = 0; round < 2; round += 1) await acceptor.decideAll()
    expect(new Set((await approved()).map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ state: 'approved', given: 1, told: 1 })]),
    )
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createFullHouse, type FullHouse } from '../testing/full-house.ts'
import { type Tamperer, tamperWith } from '../testing/tampering.ts'
import { inspectLedger } from './check.ts'

let house: FullHouse
let owner: Tamperer

beforeAll(async () => {
  house = await createFullHouse(inject('ownerUrl'))
  owner = tamperWith(house.server.database.ownerUrl)
})
afterAll(async () => {
  await owner?.close()
  await house?.close()
})

type Planted = readonly [what: string, statements: string, fault: RegExp]

const finds = async (_what: string, statements: string, fault: RegExp) => {
  const look = async (tx: Parameters<typeof inspectLedger>[0]) => (await inspectLedger(tx)).faults.join('\n')
  expect(await owner.after(statements, look)).toMatch(fault)
}

const run = (kind: string, period: string, state = 'done') =>
  `(SELECT id FROM payout_run WHERE kind = '${kind}' AND period = '${period}' AND state = '${state}')`
const A_PAYOUT = `(SELECT journal_id FROM payout_run WHERE id = ${run('passive', '2026-05-02')})`
/** Whoever changes sealed rows well enough changes the seal with them. */
const SEALED_ANEW = `UPDATE payout_page p SET item_count = cardinality(members), item_sum = (SELECT sum(a) FROM unnest(amounts) a),
    hash = encode(sha256(convert_to(members::text || bases::text || amounts::text || coalesce(earned::text, ''), 'UTF8')), 'hex');
  UPDATE payout_run SET items_hash = seal_payout_run(id) WHERE state <> 'computing'`

describe('of what runs sealed, the check', () => {
  it.each<Planted>([
    [
      'an item changed',
      "UPDATE payout_item SET percentage = '99'",
      /runs have other items than they were sealed with/,
    ],
    ['what was missed changed', 'UPDATE payout_missed SET amount = amount + 1', /runs have other items/],
    ['a carry changed', 'UPDATE binary_carry SET lefts[2] = lefts[2] + 1', /runs have other items/],
    [
      'a page changed',
      'UPDATE payout_page SET amounts[1] = amounts[1] + 1',
      /pages of passive items are not what they say/,
    ],
    [
      'a member twice in a page',
      `UPDATE payout_page SET members[2] = members[1]; ${SEALED_ANEW}`,
      /pages of passive items are not what they say/,
    ],
    [
      'a member in another block',
      `UPDATE payout_page SET members[1] = members[1] + 2048; ${SEALED_ANEW}`,
      /pages of passive items are not what they say/,
    ],
    [
      'another sum',
      'UPDATE payout_run SET item_sum = item_sum + 1',
      /runs say another number, sum or largest payment/,
    ],
    [
      'another largest payment',
      'UPDATE payout_run SET item_largest = item_largest + 1',
      /runs say another number, sum or largest/,
    ],
    [
      'another sum that was not paid',
      'UPDATE payout_run SET not_paid = not_paid + 1',
      /runs say another number, sum or largest/,
    ],
    [
      'another sum to pay',
      'UPDATE payout_run SET payable = payable - 1 WHERE item_sum > 0',
      /are to pay another sum than they sealed/,
    ],
    [
      'shares nobody decided on',
      'UPDATE payout_run SET prorated = NOT prorated',
      /or than they were prorated to/,
    ],
    [
      'a micro-USDT of one share given to another',
      'UPDATE payout_page_share SET amounts[1] = amounts[1] + 1, amounts[2] = amounts[2] - 1',
      /1 prorated runs share out otherwise than by largest remainder/,
    ],
    [
      'objections that nobody overruled',
      'UPDATE payout_run SET overruled_by = NULL',
      /released in spite of objections/,
    ],
  ])('finds %s', finds)
})

describe('of what runs posted, the check', () => {
  it.each<Planted>([
    [
      'somebody paid a second time, balances and all',
      `INSERT INTO posting SELECT member_id, journal_id, 9, kind, source, destination, amount, at FROM posting WHERE journal_id = ${A_PAYOUT} LIMIT 1;
       UPDATE member_balance b SET balance = balance + p.amount, earned = earned + p.amount FROM posting p WHERE p.leg = 9 AND b.member_id = p.member_id`,
      /1 runs posted something else than they sealed/,
    ],
    [
      'a payment that was never made',
      `DELETE FROM posting WHERE kind = 'binary' AND member_id = 2 AND journal_id = (SELECT min(journal_id) FROM posting WHERE kind = 'binary' AND member_id = 2)`,
      /1 runs posted something else than they sealed/,
    ],
    [
      'the sealed amount paid where a share was due',
      `UPDATE posting SET amount = 50000000 WHERE amount = 30000001 AND kind = 'direct'`,
      /1 runs posted something else than they sealed/,
    ],
    [
      'a payment under another date',
      "UPDATE posting SET at = at + interval '1 hour' WHERE kind = 'master'",
      /1 runs posted something else/,
    ],
    [
      'progress that was none',
      `UPDATE payout_run SET posted_count = posted_count - 1 WHERE id = ${run('passive', '2026-05-02')}`,
      /1 runs posted something else/,
    ],
    [
      'a piece that is marked otherwise than it was posted',
      `UPDATE payout_batch SET posted = false WHERE run_id = ${run('passive', '2026-05-02')}`,
      /1 runs posted something else/,
    ],
    [
      'nothing of a run that is still being posted, of which one piece is not',
      `DELETE FROM posting WHERE journal_id = (SELECT journal_id FROM payout_run WHERE id = ${run('binary', '2026-05-01')});
       UPDATE payout_batch SET posted = false WHERE run_id = ${run('binary', '2026-05-01')};
       UPDATE payout_run SET state = 'posting', posted_count = 0 WHERE id = ${run('binary', '2026-05-01')}`,
      /^(?!.*posted something else)/s,
    ],
    [
      'a cancelled run that posts',
      `INSERT INTO journal (key, kind, at, input_hash) SELECT 'run:' || id, 'payout', now(), '' FROM payout_run WHERE state = 'cancelled' AND kind = 'direct';
       UPDATE payout_run r SET journal_id = j.id FROM journal j WHERE j.key = 'run:' || r.id AND r.state = 'cancelled'`,
      /1 runs posted something else/,
    ],
    [
      'a cancelled run that was released',
      `INSERT INTO journal (key, kind, at, input_hash) SELECT 'release:' || id, 'release', now(), '' FROM payout_run WHERE state = 'cancelled' AND kind = 'direct';
       INSERT INTO posting SELECT 0, j.id, 0, 'release_commission', 'pool:commission', 'due:commission', r.payable, now()
         FROM journal j JOIN payout_run r ON j.key = 'release:' || r.id WHERE r.state = 'cancelled'`,
      /1 runs took another sum out of their pool than they pay/,
    ],
    [
      'a payout outside any run',
      `INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'payout', now(), '');
       INSERT INTO posting SELECT 2, id, 0, 'passive', 'due:profit', 'balance', 500, now() FROM journal WHERE key = 'x'`,
      /1 payouts were posted outside any run/,
    ],
    [
      'a run that took too much',
      `UPDATE posting SET amount = amount + 1 WHERE kind = 'release_profit'`,
      /took another sum out of their pool/,
    ],
    [
      'a day that was skipped',
      "DELETE FROM payout_run WHERE kind = 'passive' AND period = '2026-05-09'",
      /1 days between the first and the last/,
    ],
    [
      'a midnight that matched nothing',
      "DELETE FROM payout_run WHERE kind = 'binary' AND period = '2026-05-09'",
      /1 midnights have one of their two runs only/,
    ],
    [
      'a midnight at two moments',
      `UPDATE payout_run SET cutoff_at = cutoff_at - interval '1 hour' WHERE id = ${run('binary', '2026-05-05')}`,
      /1 midnights have one of their two runs only, or two that close at different moments/,
    ],
    ['books opened again', "UPDATE period_close SET closed_until = '2026-05-01'", /whose books are open/],
  ])('finds %s', finds)
})

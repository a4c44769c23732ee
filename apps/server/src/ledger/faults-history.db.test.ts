import { describe, expect, it } from 'vitest'
import { createHistoryFixture } from '../testing/history-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'
import { tamperWith } from '../testing/tampering.ts'
import { inspectLedger } from './check.ts'

const history = await suiteFixture(createHistoryFixture)
const owner = tamperWith(history.server.database.ownerUrl)

type Planted = readonly [what: string, statements: string, fault: RegExp]

const finds = async (_what: string, statements: string, fault: RegExp) => {
  const look = async (tx: Parameters<typeof inspectLedger>[0]) => (await inspectLedger(tx)).faults.join('\n')
  expect(await owner.after(statements, look)).toMatch(fault)
}

const run = (kind: string, period: string, state = 'done') =>
  `(SELECT id FROM payout_run WHERE kind = '${kind}' AND period = '${period}' AND state = '${state}')`
const A_PAYOUT = `(SELECT journal_id FROM payout_run WHERE id = ${run('passive', '2026-05-02')})`
/** A complete forgery of sealed rows also changes the seal. */
const SEALED_ANEW = `UPDATE payout_page p SET item_count = cardinality(members), item_sum = (SELECT sum(a) FROM unnest(amounts) a),
    hash = encode(sha256(convert_to(members::text || bases::text || amounts::text || coalesce(earned::text, ''), 'UTF8')), 'hex');
  UPDATE payout_run SET items_hash = seal_payout_run(id) WHERE state <> 'computing'`
const AN_INVESTMENT = `UPDATE investment SET amount = amount - 1000000 WHERE member_id = 5 AND id = (SELECT min(id) FROM investment WHERE member_id = 5)`

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
      'a member paid a second time, balances and all',
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

describe('of passive profit, the check', () => {
  it.each<Planted>([
    [
      'a day at another rate',
      `UPDATE payout_run SET rate = '11/3000' WHERE id = ${run('passive', '2026-05-02')}`,
      /1 passive runs follow another rate/,
    ],
    [
      'a declaration that says something else',
      "UPDATE declared_rate SET percentage = '0.2'",
      /1 passive runs follow another rate/,
    ],
    [
      'a declaration for another day',
      "UPDATE declared_rate SET day = '2026-05-04'",
      /1 passive runs follow another rate/,
    ],
    [
      'a weekend that paid',
      `UPDATE payout_run SET rate = '125/30000' WHERE id = ${run('passive', '2026-05-09')}`,
      /1 passive runs follow another rate/,
    ],
    [
      'a payout on another principal',
      `UPDATE payout_page SET bases[1] = bases[1] + 1 WHERE run_id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`,
      /1 passive payments were not computed from the principal at their cutoff/,
    ],
    [
      'a micro-USDT too much',
      `UPDATE payout_page SET amounts[1] = amounts[1] + 1 WHERE run_id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`,
      /1 passive payments were not computed from the principal at their cutoff/,
    ],
    [
      'a payout above the cap',
      `UPDATE payout_page SET amounts[1] = amounts[1] + 1 WHERE run_id = ${run('passive', '2026-05-07')}; ${SEALED_ANEW}`,
      /1 passive payments were not computed from the principal at their cutoff/,
    ],
    [
      'a member left out',
      `UPDATE payout_page SET members = members[2:], bases = bases[2:], amounts = amounts[2:] WHERE run_id = ${run('passive', '2026-05-02')};
       UPDATE payout_run SET item_count = item_count - 1, posted_count = posted_count - 1 WHERE id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`,
      /1 passive runs leave out a member who had principal/,
    ],
    [
      'a member left out who had next to nothing',
      `INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
       VALUES (6, 1, 300, 300, true, 1, '2026-05-01T16:00:00Z')`,
      /2 passive runs leave out a member who had principal/,
    ],
    [
      'a member left out whose cap was not reached',
      `INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
       VALUES (6, 1, 500000000, 500000000, true, 3, '2026-05-06T16:00:00Z')`,
      /2 members who had not reached their cap were left out/,
    ],
    [
      'nobody left out whose investment earns less than a micro-USDT',
      `INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
       VALUES (6, 1, 239, 239, true, 1, '2026-05-01T16:00:00Z')`,
      /^(?!.*(leave out a member|left out))/s,
    ],
    [
      'another profit before it',
      'UPDATE payout_page SET earned[1] = earned[1] + 1',
      /passive payments under a cap count another profit before them/,
    ],
  ])('finds %s', finds)
})

describe('of commissions, the check', () => {
  it.each<Planted>([
    [
      'an investment that nobody was paid for',
      "DELETE FROM payout_run WHERE period = '1-1'",
      /1 investments are covered by no run although later ones are/,
    ],
    [
      'an investment paid for twice',
      "UPDATE payout_run SET first_investment = 1 WHERE period = '3-3'",
      /1 investments are covered by no run .* or by more than one/,
    ],
    [
      'another amount',
      "UPDATE payout_item SET amount = amount + 1 WHERE kind = 'master'",
      /1 commissions were not computed from their investment by their plan/,
    ],
    [
      'another percentage',
      "UPDATE payout_item SET percentage = '7' WHERE kind = 'direct' AND level = 4",
      /1 commissions were not computed/,
    ],
    [
      'another level',
      "UPDATE payout_item SET level = 3 WHERE kind = 'master'",
      /1 commissions were not computed/,
    ],
    [
      'an investment that was changed since',
      AN_INVESTMENT,
      /2 commissions were not computed from their investment/,
    ],
    [
      'something else missed',
      "UPDATE payout_missed SET amount = amount + 1 WHERE reason = 'skipped'",
      /1 commissions were not computed/,
    ],
    [
      'another member paid',
      "UPDATE payout_item SET member_id = 3 WHERE kind = 'direct' AND level = 3 AND member_id = 4",
      /1 steps up the sponsor chain were paid to another member/,
    ],
    [
      'a step left out',
      "DELETE FROM payout_missed WHERE reason = 'inactive'",
      /2 steps up the sponsor chain were paid to another member, left out/,
    ],
    [
      'a member judged active who was not',
      "UPDATE payout_run SET as_of = 2 WHERE period = '8-8'",
      /1 steps up .* judged active otherwise/,
    ],
    [
      'a sponsor changed since',
      'UPDATE sponsorship SET sponsor_id = 3 WHERE member_id = 5',
      /steps up the sponsor chain were paid to another member/,
    ],
    [
      'a master commission without a master',
      'DELETE FROM master_code',
      /1 master commissions were computed without a master link.*1 master codes and master links do not agree/s,
    ],
    [
      'a master that came later',
      'UPDATE master_code SET id = 14',
      /1 master commissions were computed without a master link/,
    ],
    [
      'a member at another depth',
      'UPDATE sponsorship SET depth = 9 WHERE member_id = 8',
      /1 members stand at another distance from the root/,
    ],
  ])('finds %s', finds)
})

const PART = (pool: string) =>
  `(SELECT member_id, reversal_id, leg FROM reversal_part WHERE pool = '${pool}' ORDER BY reversal_id, leg LIMIT 1)`

describe('of reversals, the check', () => {
  it.each<Planted>([
    [
      'another principal taken back',
      'UPDATE reversal SET amount = amount + 1',
      /2 reversals and principal that went back do not belong/,
    ],
    [
      'a reversal before its investment',
      "UPDATE reversal SET at = '2026-04-01'",
      /2 reversals and principal that went back do not belong/,
    ],
    [
      'an investment taken back twice',
      'INSERT INTO reversal SELECT 3, investment_id, 900, journal_id, amount, reason, reversed_by, at FROM reversal WHERE member_id = 8',
      /1 investments were reversed more than once/,
    ],
    [
      'a commission that was not taken back',
      `DELETE FROM reversal_part WHERE (member_id, reversal_id, leg) IN ${PART('commission')}`,
      /1 commissions of reversed investments were not taken back to the micro-USDT/,
    ],
    [
      'the sealed commission taken back where less was paid',
      "UPDATE payout_share SET amount = amount - 1; UPDATE payout_item SET investment_id = 13 WHERE kind = 'direct' AND investment_id = 3",
      /1 commissions of reversed investments were not taken back/,
    ],
    [
      'a micro-USDT of profit too much taken back',
      `UPDATE reversal_part SET amount = amount + 1 WHERE (member_id, reversal_id, leg) IN ${PART('profit')}`,
      /1 passive profit of reversed investments was not taken back to the micro-USDT/,
    ],
    [
      'something else posted',
      "UPDATE posting SET amount = amount + 1 WHERE kind = 'clawback_commission'",
      /parts of reversals and what was posted for them/,
    ],
    [
      'a debt written nowhere',
      "DELETE FROM posting WHERE kind = 'owed_commission'",
      /1 parts of reversals and what was posted for them/,
    ],
    [
      'a debt that is settled for less',
      "UPDATE posting SET amount = amount + 1 WHERE kind = 'repay_commission'",
      /1 recoveries settled another sum than they took/,
    ],
  ])('finds %s', finds)
})

describe('of the binary tree, the check', () => {
  it.each<Planted>([
    [
      'points carried from nowhere',
      `UPDATE binary_carry SET lefts[2] = lefts[2] + 1; ${SEALED_ANEW}`,
      /^member 1: \S+ points came in on the left, \S+ were matched and \S+ are carried$/m,
    ],
    [
      'points matched that were never given',
      `UPDATE payout_item SET basis = basis + 1000000 WHERE kind = 'binary' AND member_id = 2 AND run_id = ${run('binary', '2026-05-07')}`,
      /^member 2: \S+ points came in on the left.*\nmember 2: \S+ points came in on the right/m,
    ],
    ['an investment changed since', AN_INVESTMENT, /^member 1: .* on the left.*\nmember 2: .* on the right/m],
    [
      'a place on the other side',
      "UPDATE placement SET leg = 'R' WHERE member_id = 8",
      /^member 7: 0\.00 points came in on the left, 0\.00 were matched and 650\.00 are carried/m,
    ],
    [
      'investments counted that were none',
      `UPDATE binary_carry SET events[2] = events[2] + 1; ${SEALED_ANEW}`,
      /^member 1: \d+ investments gave points, \d+ are counted$/m,
    ],
    [
      'a tree that goes in circles',
      'UPDATE placement SET parent_id = 8 WHERE member_id = 6',
      /^the binary tree cannot be added up: the tree goes in circles above \d+$/m,
    ],
  ])('finds %s', finds)
})

import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { cancelInvoice, completeInvoice, createInvoice } from '../features/investments/invoices.commands.ts'
import { createHistoryFixture } from '../testing/history-fixture.ts'
import { usdt } from '../testing/money-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'
import { faultFinder, tamperWith } from '../testing/tampering.ts'

const history = await suiteFixture(createHistoryFixture)
const finds = faultFinder(tamperWith(history.server.database.ownerUrl))

await history.receive(history.people.bob, '7')
const { bob } = history.people
const ask = (amount: string) =>
  inTransaction(history.db, (tx) => createInvoice(tx, bob, usdt(amount), history.now))
// Paid in parts; completed with the balance; cancelled after a part; open with a part.
for (const [amount, parts, end] of [
  ['70', ['30', '40.35'], null],
  ['6', ['3'], completeInvoice],
  ['50', ['20'], cancelInvoice],
  ['90', ['15', '16'], null],
] as const) {
  const { invoice } = await ask(amount)
  for (const part of parts) await history.receive(bob, part)
  if (end !== null)
    await inTransaction(history.db, async (tx) => void (await end(tx, bob, invoice.txn_id, history.now)))
}

const run = (kind: string, period: string, state = 'done') =>
  `(SELECT id FROM payout_run WHERE kind = '${kind}' AND period = '${period}' AND state = '${state}')`
const A_PAYOUT = `(SELECT journal_id FROM payout_run WHERE id = ${run('passive', '2026-05-02')})`
/** A complete forgery of sealed rows also changes the seal. */
const SEALED_ANEW = `UPDATE payout_page p SET item_count = cardinality(members), item_sum = (SELECT sum(a) FROM unnest(amounts) a),
    hash = encode(sha256(convert_to(members::text || bases::text || amounts::text || coalesce(earned::text, ''), 'UTF8')), 'hex');
  UPDATE payout_run SET items_hash = seal_payout_run(id) WHERE state <> 'computing'`
const AN_INVESTMENT = `UPDATE investment SET amount = amount - 1000000 WHERE member_id = 5 AND id = (SELECT min(id) FROM investment WHERE member_id = 5)`
const FIRST_CREDIT = '(SELECT min(journal_id) FROM deposit_credit WHERE member_id > 0)'
const FIRST_PAYOUT = "(SELECT min(journal_id) FROM payout_run WHERE kind = 'passive')"

describe('the check of the whole ledger', () => {
  it('finds nothing where nothing is wrong, whatever has happened', async () => {
    expect(await history.faults()).toEqual([])
  })

  finds('a balance edited by hand', /member 2: balance is stored as/)`
    UPDATE member_balance SET balance = balance + 1 WHERE member_id = 2`
  finds('total profit edited by hand', /member 2: earned is stored as/)`
    UPDATE member_balance SET earned = earned + 1 WHERE member_id = 2`
  finds(
    'what was earned by one kind edited by hand',
    /member 2: earned_passive is stored as .*\nmember 3: earned_binary is stored as/,
  )`
    UPDATE member_balance SET earned_passive = earned_passive + 1 WHERE member_id = 2;
       UPDATE member_balance SET earned_binary = earned_binary + 1 WHERE member_id = 3`
  finds('days of profit that were none', /member 2: passive_days is stored as/)`
    UPDATE member_balance SET passive_days = passive_days + 1 WHERE member_id = 2`
  finds('a debt that nobody owes', /member 2: owed_commission is stored as 5, its postings say 0/)`
    UPDATE member_receivable SET amount = 5 WHERE member_id = 2`
  finds('a debt that nobody claims', /do not cancel out/)`
    ALTER TABLE posting DROP CONSTRAINT posting_follows_the_chart; UPDATE posting SET source = 'company:revenue' WHERE kind = 'owed_commission'`
  finds('a pool edited by hand', /pool:profit is stored as 1/)`
    UPDATE house_balance SET amount = 1 WHERE account = 'pool:profit'`
  finds('a pool that is gone', /arrived on the chain/)`
    DELETE FROM house_balance WHERE account = 'pool:profit'`
  finds('a posting that is gone', /balance is stored as/)`
    DELETE FROM posting WHERE journal_id = ${FIRST_PAYOUT}`
  finds('accounts of nobody', /accounts no member/)`INSERT INTO member_balance (member_id) VALUES (99)`
  finds('a member without accounts', /members have no accounts/)`
    DELETE FROM member_balance WHERE member_id = 6`
  finds('a posting without a journal', /belong to no journal/)`DELETE FROM journal WHERE id = ${FIRST_PAYOUT}`

  it('calls what still waits for its job work, and no fault', async () => {
    await history.arrive(2n, '5')
    expect(await history.faults()).toEqual([])
  })
})

describe('of money that comes in and is invested, the check', () => {
  finds(
    'money made from nothing, balances and all',
    /1 postings brought money in that no credited transfer stands behind/,
  )`
    INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'deposit', now(), '');
       INSERT INTO posting SELECT 2, id, 0, 'deposit_to_balance', 'custody:deposits', 'balance', 500, now() FROM journal WHERE key = 'x';
       UPDATE member_balance SET balance = balance + 500 WHERE member_id = 2`
  finds('a credit without a transfer', /credits have no transfer on the chain/)`
    DELETE FROM incoming_transfer WHERE member_id = 3`
  finds('a credit to another member than the owner of the address', /or one to another member/)`
    UPDATE deposit_address SET member_id = 99 WHERE member_id = 3`
  finds('an address that was never derived from the keys', /deposit addresses were never derived/)`
    INSERT INTO deposit_address (address, member_id) VALUES ('TThief', 99)`
  finds('one transfer credited by the postings of another', /credits posted something else than arrived/)`
    UPDATE deposit_credit SET journal_id = ${FIRST_CREDIT} WHERE outcome = 'no_invoice'`
  finds('a fee that the invoice did not ask', /or than their invoice says/)`UPDATE invoice SET fee = fee + 1`
  finds('an invoice paid by nothing', /invoices are paid without/)`
    INSERT INTO invoice (member_id, txn_id, amount, fee, plan_version, created_at, expires_at, state, closed_at, paid_txid) SELECT 2, 'x', 10000, 0, 1, now(), now(), 'paid', now(), 'x'`
  const waiting = "state = 'open' AND received > 0"
  finds('pending money edited by hand', /pending is stored as 31000001/)`
    UPDATE member_pending SET amount = amount + 1`
  finds('a part that is credited twice', /1 credits posted something else than arrived/)`
    INSERT INTO posting SELECT member_id, journal_id, 9, kind, source, destination, amount, at FROM posting WHERE kind = 'deposit_to_pending' AND amount = 16000000;
       UPDATE invoice SET received = received + 16000000 WHERE ${waiting};
       UPDATE member_pending SET amount = amount + 16000000;
       UPDATE custody_balance SET amount = amount + 16000000 WHERE account = 'custody:deposits'`
  finds('a part that counts for more than came', /1 invoices received another sum/)`
    UPDATE invoice SET received = received + 1 WHERE ${waiting}`
  finds('an invoice that ended and kept what came for it', /1 members wait with another sum than/)`
    UPDATE invoice SET state = 'expired', closed_at = now() WHERE ${waiting}`
  finds('an invoice completed that was cancelled', /2 invoices were ended by other postings/)`
    UPDATE invoice SET state = CASE state WHEN 'paid' THEN 'cancelled' ELSE 'paid' END
    WHERE member_id = ${`${bob}`} AND closed_at IS NOT NULL AND paid_txid IS NULL`
  finds('an investment that is no principal', /investments and changes of principal/)`
    UPDATE investment SET amount = amount - 1`
  finds('a history that shows another value', /entries of the investment history/)`
    UPDATE investment SET value_after = value_after + 1`
  finds('a history that forgets what was taken back', /1 entries of the investment history/)`
    UPDATE investment SET value_after = value_after + 700000000 WHERE member_id = 8 AND id > (SELECT min(id) FROM reversal)`
})

describe('of what runs sealed, the check', () => {
  const otherItems = /runs have other items than they were sealed with/
  finds('an item changed', otherItems)`UPDATE payout_item SET percentage = '99'`
  finds('what was missed changed', otherItems)`UPDATE payout_missed SET amount = amount + 1`
  finds('a carry changed', otherItems)`UPDATE binary_carry SET lefts[2] = lefts[2] + 1`
  const otherPages = /pages of passive items are not what they say/
  finds('a page changed', otherPages)`UPDATE payout_page SET amounts[1] = amounts[1] + 1`
  finds('a member twice in a page', otherPages)`
    UPDATE payout_page SET members[2] = members[1]; ${SEALED_ANEW}`
  finds('a member in another block', otherPages)`
    UPDATE payout_page SET members[1] = members[1] + 2048; ${SEALED_ANEW}`
  const otherFigures = /runs say another number, sum or largest payment/
  finds('another sum', otherFigures)`UPDATE payout_run SET item_sum = item_sum + 1`
  finds('another largest payment', otherFigures)`UPDATE payout_run SET item_largest = item_largest + 1`
  finds('another sum that was not paid', otherFigures)`UPDATE payout_run SET not_paid = not_paid + 1`
  finds('another sum to pay', /are to pay another sum than they sealed/)`
    UPDATE payout_run SET payable = payable - 1 WHERE item_sum > 0`
  finds('shares nobody decided on', /or than they were prorated to/)`
    UPDATE payout_run SET prorated = NOT prorated`
  finds(
    'a micro-USDT of one share given to another',
    /1 prorated runs share out otherwise than by largest remainder/,
  )`
    UPDATE payout_page_share SET amounts[1] = amounts[1] + 1, amounts[2] = amounts[2] - 1`
  finds('objections that nobody overruled', /released in spite of objections/)`
    UPDATE payout_run SET overruled_by = NULL`
})

describe('of what runs posted, the check', () => {
  const otherPostings = /1 runs posted something else than they sealed/
  finds('a member paid a second time, balances and all', otherPostings)`
    INSERT INTO posting SELECT member_id, journal_id, 9, kind, source, destination, amount, at FROM posting WHERE journal_id = ${A_PAYOUT} LIMIT 1;
       UPDATE member_balance b SET balance = balance + p.amount, earned = earned + p.amount FROM posting p WHERE p.leg = 9 AND b.member_id = p.member_id`
  finds('a payment that was never made', otherPostings)`
    DELETE FROM posting WHERE kind = 'binary' AND member_id = 2 AND journal_id = (SELECT min(journal_id) FROM posting WHERE kind = 'binary' AND member_id = 2)`
  finds('the sealed amount paid where a share was due', otherPostings)`
    UPDATE posting SET amount = 50000000 WHERE amount = 30000001 AND kind = 'direct'`
  finds('a payment under another date', otherPostings)`
    UPDATE posting SET at = at + interval '1 hour' WHERE kind = 'master'`
  finds('progress that was none', otherPostings)`
    UPDATE payout_run SET posted_count = posted_count - 1 WHERE id = ${run('passive', '2026-05-02')}`
  finds('a piece that is marked otherwise than it was posted', otherPostings)`
    UPDATE payout_batch SET posted = false WHERE run_id = ${run('passive', '2026-05-02')}`
  finds('a cancelled run that posts', otherPostings)`
    INSERT INTO journal (key, kind, at, input_hash) SELECT 'run:' || id, 'payout', now(), '' FROM payout_run WHERE state = 'cancelled' AND kind = 'direct';
       UPDATE payout_run r SET journal_id = j.id FROM journal j WHERE j.key = 'run:' || r.id AND r.state = 'cancelled'`
  finds(
    'nothing of a run that is still being posted, of which one piece is not',
    /^(?!.*posted something else)/s,
  )`
    DELETE FROM posting WHERE journal_id = (SELECT journal_id FROM payout_run WHERE id = ${run('binary', '2026-05-01')});
       UPDATE payout_batch SET posted = false WHERE run_id = ${run('binary', '2026-05-01')};
       UPDATE payout_run SET state = 'posting', posted_count = 0 WHERE id = ${run('binary', '2026-05-01')}`
  finds('a cancelled run that was released', /1 runs took another sum out of their pool than they pay/)`
    INSERT INTO journal (key, kind, at, input_hash) SELECT 'release:' || id, 'release', now(), '' FROM payout_run WHERE state = 'cancelled' AND kind = 'direct';
       INSERT INTO posting SELECT 0, j.id, 0, 'release_commission', 'pool:commission', 'due:commission', r.payable, now()
         FROM journal j JOIN payout_run r ON j.key = 'release:' || r.id WHERE r.state = 'cancelled'`
  finds('a payout outside any run', /1 payouts were posted outside any run/)`
    INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'payout', now(), '');
       INSERT INTO posting SELECT 2, id, 0, 'passive', 'due:profit', 'balance', 500, now() FROM journal WHERE key = 'x'`
  finds('a run that took too much', /took another sum out of their pool/)`
    UPDATE posting SET amount = amount + 1 WHERE kind = 'release_profit'`
  finds('a day that was skipped', /1 days between the first and the last/)`
    DELETE FROM payout_run WHERE kind = 'passive' AND period = '2026-05-09'`
  const otherMidnights = /1 midnights have one of their two runs only, or two that close at different moments/
  finds('a midnight that matched nothing', otherMidnights)`
    DELETE FROM payout_run WHERE kind = 'binary' AND period = '2026-05-09'`
  finds('a midnight at two moments', otherMidnights)`
    UPDATE payout_run SET cutoff_at = cutoff_at - interval '1 hour' WHERE id = ${run('binary', '2026-05-05')}`
  for (const period of ['2026-05-09y', '2026-02-30', '2026-13-01', '2027-02-29', ''])
    finds(
      `a run of no day, ${JSON.stringify(period)}`,
      new RegExp(`^run \\d+, binary, is of no day: ${JSON.stringify(period)}$`, 'm'),
    )`
      UPDATE payout_run SET period = '${period}' WHERE kind = 'binary' AND period = '2026-05-09'`
  const unread = /^of the legs, from the first match: cannot be read: /m
  finds('a plan whose time zone is none', unread)`
    UPDATE plan_version SET document = jsonb_set(document, '{timeZone}', '"Nowhere/None"')`
  finds('a plan without a time zone', unread)`UPDATE plan_version SET document = document - 'timeZone'`
  finds('a plan whose percentage is no number', unread)`
    UPDATE plan_version SET document = jsonb_set(document, '{binary,percent}', '"ten"')`
  finds('a plan that is no plan, and goes on', /cannot be read.*took another sum out of their pool/s)`
    UPDATE plan_version SET document = '[]'; UPDATE posting SET amount = amount + 1 WHERE kind = 'release_profit'`
  finds('sums above what can be counted', /^what the accounts hold: cannot be read: /m)`
    UPDATE posting SET amount = 9200000000000000000 WHERE kind IN ('release_profit', 'fund_profit')`
  finds('a run whose plan is gone', /runs of no plan/)`
    DELETE FROM plan_version WHERE version = (SELECT min(plan_version) FROM payout_run)`
  finds('books opened again', /whose books are open/)`UPDATE period_close SET closed_until = '2026-05-01'`
})

describe('of passive profit, the check', () => {
  const otherRates = /1 passive runs follow another rate/
  finds('a day at another rate', otherRates)`
    UPDATE payout_run SET rate = '11/3000' WHERE id = ${run('passive', '2026-05-02')}`
  finds('a declaration that says something else', otherRates)`UPDATE declared_rate SET percentage = '0.2'`
  finds('a declaration for another day', otherRates)`UPDATE declared_rate SET day = '2026-05-04'`
  finds('a weekend that paid', otherRates)`
    UPDATE payout_run SET rate = '125/30000' WHERE id = ${run('passive', '2026-05-09')}`
  const otherPayments = /1 passive payments were not computed from the principal at their cutoff/
  finds('a payout on another principal', otherPayments)`
    UPDATE payout_page SET bases[1] = bases[1] + 1 WHERE run_id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`
  finds('a micro-USDT too much', otherPayments)`
    UPDATE payout_page SET amounts[1] = amounts[1] + 1 WHERE run_id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`
  finds('a payout above the cap', otherPayments)`
    UPDATE payout_page SET amounts[1] = amounts[1] + 1 WHERE run_id = ${run('passive', '2026-05-07')}; ${SEALED_ANEW}`
  finds('a member left out', /1 passive runs leave out a member who had principal/)`
    UPDATE payout_page SET members = members[2:], bases = bases[2:], amounts = amounts[2:] WHERE run_id = ${run('passive', '2026-05-02')};
       UPDATE payout_run SET item_count = item_count - 1, posted_count = posted_count - 1 WHERE id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`
  finds('a member left out who had next to nothing', /2 passive runs leave out a member who had principal/)`
    INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at, unlocks_at)
       VALUES (6, 1, 300, 300, true, 1, '2026-05-01T16:00:00Z', '2027-05-01T16:00:00Z')`
  finds(
    'a member left out whose cap was not reached',
    /2 members who had not reached their cap were left out/,
  )`
    INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at, unlocks_at)
       VALUES (6, 1, 500000000, 500000000, true, 3, '2026-05-06T16:00:00Z', '2027-05-01T16:00:00Z')`
  finds(
    'nobody left out whose investment earns less than a micro-USDT',
    /^(?!.*(leave out a member|left out))/s,
  )`
    INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at, unlocks_at)
       VALUES (6, 1, 239, 239, true, 1, '2026-05-01T16:00:00Z', '2027-05-01T16:00:00Z')`
  finds('another profit before it', /passive payments under a cap count another profit before them/)`
    UPDATE payout_page SET earned[1] = earned[1] + 1`
})

describe('of commissions, the check', () => {
  finds(
    'an investment that nobody was paid for',
    /1 investments are covered by no run although later ones are/,
  )`
    DELETE FROM payout_run WHERE period = '1-1'`
  finds('an investment paid for twice', /1 investments are covered by no run .* or by more than one/)`
    UPDATE payout_run SET first_investment = 1 WHERE period = '3-3'`
  const otherCommissions = /1 commissions were not computed from their investment by their plan/
  finds('another amount', otherCommissions)`UPDATE payout_item SET amount = amount + 1 WHERE kind = 'master'`
  finds('another percentage', otherCommissions)`
    UPDATE payout_item SET percentage = '7' WHERE kind = 'direct' AND level = 4`
  finds('another level', otherCommissions)`UPDATE payout_item SET level = 3 WHERE kind = 'master'`
  finds('something else missed', otherCommissions)`
    UPDATE payout_missed SET amount = amount + 1 WHERE reason = 'skipped'`
  finds('an investment that was changed since', /2 commissions were not computed from their investment/)`
    ${AN_INVESTMENT}`
  finds('another member paid', /1 steps up the sponsor chain were paid to another member/)`
    UPDATE payout_item SET member_id = 3 WHERE kind = 'direct' AND level = 3 AND member_id = 4`
  finds('a step left out', /2 steps up the sponsor chain were paid to another member, left out/)`
    DELETE FROM payout_missed WHERE reason = 'inactive'`
  finds('a member judged active who was not', /1 steps up .* judged active otherwise/)`
    UPDATE payout_run SET as_of = 2 WHERE period = '8-8'`
  finds('a sponsor changed since', /steps up the sponsor chain were paid to another member/)`
    UPDATE sponsorship SET sponsor_id = 3 WHERE member_id = 5`
  finds(
    'a master commission without a master',
    /1 master commissions were computed without a master link.*1 master codes and master links do not agree/s,
  )`
    DELETE FROM master_code`
  finds('a master that came later', /1 master commissions were computed without a master link/)`
    UPDATE master_code SET id = 14`
  finds('a member at another depth', /1 members stand at another distance from the root/)`
    UPDATE sponsorship SET depth = 9 WHERE member_id = 8`
})

const PART = (pool: string) =>
  `(SELECT member_id, reversal_id, leg FROM reversal_part WHERE pool = '${pool}' ORDER BY reversal_id, leg LIMIT 1)`

describe('of reversals, the check', () => {
  const otherReversals = /2 reversals and principal that went back do not belong/
  finds('another principal taken back', otherReversals)`UPDATE reversal SET amount = amount + 1`
  finds('a reversal before its investment', otherReversals)`UPDATE reversal SET at = '2026-04-01'`
  finds('an investment taken back twice', /1 investments were reversed more than once/)`
    INSERT INTO reversal SELECT 3, investment_id, 900, journal_id, amount, reason, reversed_by, at FROM reversal WHERE member_id = 8`
  const otherClawbacks = /1 commissions of reversed investments were not taken back to the micro-USDT/
  finds('a commission that was not taken back', otherClawbacks)`
    DELETE FROM reversal_part WHERE (member_id, reversal_id, leg) IN ${PART('commission')}`
  finds('the sealed commission taken back where less was paid', otherClawbacks)`
    UPDATE payout_share SET amount = amount - 1; UPDATE payout_item SET investment_id = 13 WHERE kind = 'direct' AND investment_id = 3`
  finds(
    'a micro-USDT of profit too much taken back',
    /1 passive profit of reversed investments was not taken back to the micro-USDT/,
  )`
    UPDATE reversal_part SET amount = amount + 1 WHERE (member_id, reversal_id, leg) IN ${PART('profit')}`
  finds('something else posted', /parts of reversals and what was posted for them/)`
    UPDATE posting SET amount = amount + 1 WHERE kind = 'clawback_commission'`
  finds('a debt written nowhere', /1 parts of reversals and what was posted for them/)`
    DELETE FROM posting WHERE kind = 'owed_commission'`
  const ONE_SUM = `(member_id, referral_id) IN (SELECT member_id, referral_id FROM referral_earned WHERE amount > 0 ORDER BY 1, 2 LIMIT 1)`
  finds('a sum by a referral edited by hand', /1 members earned another sum by their referrals/)`
    UPDATE referral_earned SET amount = amount + 1 WHERE ${ONE_SUM}`
  finds('a sum by who is no referral', /1 sums were earned by who is no referral/)`
    UPDATE referral_earned SET referral_id = member_id WHERE ${ONE_SUM}`
  finds('a debt that is settled for less', /1 recoveries settled another sum than they took/)`
    UPDATE posting SET amount = amount + 1 WHERE kind = 'repay_commission'`
})

describe('of the binary tree, the check', () => {
  finds(
    'points carried from nowhere',
    /^member 1: \S+ points came in on the left, \S+ were matched and \S+ are carried$/m,
  )`
    UPDATE binary_carry SET lefts[2] = lefts[2] + 1; ${SEALED_ANEW}`
  finds(
    'points matched that were never given',
    /^member 2: \S+ points came in on the left.*\nmember 2: \S+ points came in on the right/m,
  )`
    UPDATE payout_item SET basis = basis + 1000000 WHERE kind = 'binary' AND member_id = 2 AND run_id = ${run('binary', '2026-05-07')}`
  finds('an investment changed since', /^member 1: .* on the left.*\nmember 2: .* on the right/m)`
    ${AN_INVESTMENT}`
  finds(
    'a place on the other side',
    /^member 7: 0\.00 points came in on the left, 0\.00 were matched and 650\.00 are carried/m,
  )`
    UPDATE placement SET leg = 'R' WHERE member_id = 8`
  finds('investments counted that were none', /^member 1: \d+ investments gave points, \d+ are counted$/m)`
    UPDATE binary_carry SET events[2] = events[2] + 1; ${SEALED_ANEW}`
  finds(
    'a tree that goes in circles',
    /^the binary tree cannot be added up: the tree goes in circles above \d+$/m,
  )`
    UPDATE placement SET parent_id = 8 WHERE member_id = 6`
})

import { DEFAULT_PLAN } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { query } from '../core/query.sql.ts'
import { COLD, createWithdrawalFixture, HOT } from '../features/withdrawals/testing/withdrawal-fixture.ts'
import { addressOf } from '../testing/addresses.ts'
import { storePlan } from '../testing/deciding.ts'
import { suiteFixture } from '../testing/suite.ts'
import { faultFinder, tamperWith } from '../testing/tampering.ts'
import { inspectLedger } from './check.ts'
import { HOUSE } from './ledger.commands.ts'

const money = await suiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
const owner = tamperWith(money.server.database.ownerUrl)
const finds = faultFinder(owner)

/** One of each: paid, with principal; failed; cancelled; approved with a transfer signed; requested. And what is the company's. */
await storePlan(money.owner, 2, new Date('2026-05-02T05:00:00Z'), {
  ...DEFAULT_PLAN,
  investment: { ...DEFAULT_PLAN.investment, lockDays: 1 },
})
await money.openWallets('5000')
const operator = await money.operator()
const ana = await money.withdrawer('100')
await money.invest(ana.id, '500')
money.nextDay()
const [paid, failed, cancelled, signed] = [
  await money.place(ana, '150'),
  await money.place(ana, '60'),
  await money.place(ana, '70'),
  await money.place(ana, '30'),
]
await money.place(ana, '40')
for (const id of [paid, failed, signed]) await money.approve(id, operator)
await money.pay(paid)
await money.pay(failed, { result: 'REVERT' })
await money.cancel(ana, cancelled)
await money.sign(await money.prepare(signed))
const deposits = await addressOf(money.db, ana.id)
await money.move('sweep', deposits, HOT, '100', { arrived: '99' })
await money.move('surplus', HOT, COLD, '20')
await money.receive(HOUSE, '5')
await query(money.gateway.db)`
  SELECT record_incoming_transfer(${'e'.repeat(64)}, 0, 9000, ${money.now}, 'credit', 'usdt', ${COLD}, ${HOT}, 3000000)`

const STATE = (state: string) => `(SELECT id FROM withdrawal WHERE state = '${state}' ORDER BY id LIMIT 1)`
const TXID = (state: string, purpose = 'withdrawal') =>
  `(SELECT txid FROM outgoing_transfer WHERE state = '${state}' AND purpose = '${purpose}' LIMIT 1)`

it('withdrawals in every state are no fault, nor is what waits for its job', async () => {
  const report = await owner.after('SELECT 1', inspectLedger)
  expect(report.faults).toEqual([])
  expect(report.counts).toMatchObject({ withdrawals: 5, uncredited: 1, unbooked: 0 })
})

describe('of withdrawals, the check', () => {
  finds('more held than is open', /hold another sum than their open withdrawals/)`
    UPDATE withdrawal SET amount = amount + 5, from_balance = from_balance + 5 WHERE id = ${STATE('requested')}`
  finds('a hold of another amount', /what was held for them do not belong/)`
    UPDATE posting SET amount = amount + 1 WHERE kind = 'hold_balance'`
  finds('a hold under another name', /5 withdrawals and what was held for them/)`
    UPDATE journal SET key = 'x' || key WHERE key LIKE 'withdrawal:%:hold'`
  const endedOtherwise = /ended by other postings than their state says/
  finds('one closed by nothing', endedOtherwise)`
    UPDATE withdrawal SET state = 'cancelled', closed_at = now(), close_journal_id = 1 WHERE id = ${STATE('requested')}`
  finds('a fee that was not taken', endedOtherwise)`
    UPDATE posting SET kind = 'withdraw' , destination = 'custody:hot' WHERE kind = 'withdraw_fee'`
  finds(
    'one given back and paid',
    /ended by other postings.*in another state than the transfer that ended them/s,
  )`
    UPDATE withdrawal SET state = 'failed', txid = NULL, reason = 'x' WHERE state = 'completed'`
  finds(
    'principal that left without a trace',
    /principal that left for withdrawals, or came back, is another in the history/,
  )`
    DELETE FROM principal_movement WHERE amount < 0`
  finds('principal dated into another day', /is another in the history/)`
    UPDATE principal_movement SET at = at + interval '1 day'`
  finds('principal that was still locked', /withdrawn before its term was over/)`
    UPDATE investment SET unlocks_at = unlocks_at + interval '30 days'`
  const anotherDay = /unlock on another day than their plan says/
  finds('a term that is longer than its plan’s', anotherDay)`
    UPDATE investment SET unlocks_at = unlocks_at + interval '1 hour'`
  finds(
    'a term that is shorter',
    anotherDay,
  )`UPDATE investment SET unlocks_at = unlocks_at - interval '1 hour'`
  finds('a term that a later plan is said to change', anotherDay)`
    UPDATE plan_version SET document = jsonb_set(document, '{investment,lockDays}', '30') WHERE version = 2`
  finds(
    'principal that came off no investment',
    /came off investments, or went back to them, in another sum/,
  )`
    DELETE FROM principal_movement_part WHERE amount < 0`
  finds('principal that came off twice as much', /have another sum left than their principal/)`
    UPDATE principal_movement_part SET amount = 2 * amount WHERE amount < 0`
  const otherTerms = /have other terms than their plan says/
  finds('a fee that is not the plan’s', otherTerms)`
    UPDATE withdrawal SET fee = fee + 1 WHERE state = 'requested'`
  finds('fewer approvals than the plan asks for', otherTerms)`
    UPDATE withdrawal SET approvals_needed = 0 WHERE state = 'requested'`
  finds('more than a day’s limit', /let withdraw more in a day/)`
    UPDATE plan_version SET document = jsonb_set(document, '{withdrawals,dailyLimit}', '"219"') WHERE version = 2`
  finds('an approval that is gone', /without enough different operators/)`
    DELETE FROM withdrawal_approval WHERE withdrawal_id = ${STATE('completed')}`
  finds('a member who approved', /by their own member’s word/)`
    ALTER TABLE withdrawal_approval DROP CONSTRAINT approval_by_somebody_else; UPDATE withdrawal_approval SET operator_id = member_id`
  const otherPayee = /pay another wallet or amount/
  finds('a transfer to another address', otherPayee)`
    UPDATE outgoing_transfer SET to_address = from_address WHERE txid = ${TXID('signed')}`
  finds('a transfer of more', otherPayee)`
    UPDATE outgoing_transfer SET amount = amount + 1 WHERE txid = ${TXID('signed')}`
  finds('a transfer of what nobody approved', /or one that was never approved/)`
    UPDATE outgoing_transfer SET withdrawal_id = ${STATE('requested')} WHERE txid = ${TXID('signed')}`
  finds('two transfers that can arrive', /more than one transfer that can still arrive/)`
    DROP INDEX outgoing_transfer_one_a_withdrawal; INSERT INTO outgoing_transfer SELECT repeat('f', 64), purpose, member_id, withdrawal_id,
        from_address, to_address, amount, raw, expires_at, offline, state, signature FROM outgoing_transfer WHERE txid = ${TXID('signed')}`
  const otherState = /in another state than the transfer/
  finds('one completed by a transfer that failed', otherState)`
    UPDATE outgoing_transfer SET state = 'failed' WHERE txid = ${TXID('settled')}`
  finds('one completed by another’s transfer', otherState)`
    UPDATE withdrawal SET txid = ${TXID('signed')} WHERE state = 'completed'`
})

describe('of custody, the check', () => {
  finds('a book edited by hand', /custody:hot is stored as/)`
    UPDATE custody_balance SET amount = amount + 1 WHERE account = 'custody:hot'`
  finds('an opening that was more', /openings of the company’s wallets/)`
    UPDATE custody_address SET opening = opening + 1 WHERE role = 'hot'`
  finds('a deposit of the company’s booked elsewhere', /credited to another wallet than it came to/)`
    UPDATE posting SET kind = 'company_deposit_cold', source = 'custody:cold' WHERE kind = 'company_deposit'`
  finds('money to a wallet that nobody sent', /no credited transfer stands behind/)`
    INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'deposit', now(), '');
       INSERT INTO posting SELECT 0, id, 0, 'company_deposit_hot', 'custody:hot', 'company:capital', 7, now() FROM journal WHERE key = 'x'`
  const unexplained = /explained differences and what was posted/
  finds('a loss that nobody explained', unexplained)`
    INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'adjustment', now(), '');
       INSERT INTO posting SELECT 0, id, 0, 'custody_loss_hot', 'company:capital', 'custody:hot', 7, now() FROM journal WHERE key = 'x'`
  finds('an explanation that was not posted', unexplained)`
    INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at) VALUES ('${HOT}', -7, 'why', 1, 1, now())`
  finds('a booking of what the chain has not ended', /that the solid chain has not ended/)`
    INSERT INTO outgoing_transfer_booking VALUES (${TXID('signed')}, NULL, now())`
  finds('a booking under another journal', /as another journal than is theirs/)`
    UPDATE outgoing_transfer_booking SET journal_id = 1 WHERE txid = ${TXID('settled', 'sweep')}`
  finds('a sweep of more than arrived', /posted otherwise than they arrived/)`
    UPDATE outgoing_transfer SET arrived = arrived - 1 WHERE purpose = 'sweep'`
  finds('a holding edited by hand', /said to hold another amount/)`
    UPDATE custody_holding SET amount = amount - 1 WHERE role = 'cold'`

  it('calls a transfer that settled and is not booked yet work', async () => {
    const report = await owner.after(
      `UPDATE outgoing_transfer SET state = 'settled', block = 1, arrived = amount WHERE txid = ${TXID('signed')};
       UPDATE custody_holding SET amount = amount - 29000000 WHERE role = 'hot'`,
      inspectLedger,
    )
    expect(report.faults).toEqual([])
    expect(report.counts['unbooked']).toBe(1)
  })
})

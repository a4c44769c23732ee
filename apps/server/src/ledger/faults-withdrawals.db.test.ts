import { DEFAULT_PLAN } from '@aval/plan'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../core/query.sql.ts'
import { depositAddressOf } from '../features/investments/investments.queries.ts'
import { storePlan } from '../features/plan-versions/plan-versions.commands.ts'
import { COLD, createWithdrawalFixture, HOT } from '../features/withdrawals/testing/withdrawal-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'
import { faultFinder, tamperWith } from '../testing/tampering.ts'
import { inspectLedger } from './check.ts'
import { HOUSE } from './ledger.commands.ts'

const money = await suiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
const owner = tamperWith(money.server.database.ownerUrl)
const finds = faultFinder(owner)

/** One of each: paid, with principal; failed; cancelled; approved with a transfer signed; requested. And what is the company's. */
beforeAll(async () => {
  await storePlan(money.db, 2, new Date('2026-05-02T05:00:00Z'), {
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
  const deposits = await depositAddressOf(money.db, ana.id)
  await money.move('sweep', deposits, HOT, '100', { arrived: '99' })
  await money.move('surplus', HOT, COLD, '20')
  await money.receive(HOUSE, '5')
  await query(money.gateway.db)`
    SELECT record_incoming_transfer(${'e'.repeat(64)}, 0, 9000, ${money.now}, 'credit', 'usdt', ${COLD}, ${HOT}, 3000000)`
})

const STATE = (state: string) => `(SELECT id FROM withdrawal WHERE state = '${state}' ORDER BY id LIMIT 1)`
const TXID = (state: string, purpose = 'withdrawal') =>
  `(SELECT txid FROM outgoing_transfer WHERE state = '${state}' AND purpose = '${purpose}' LIMIT 1)`

it('withdrawals in every state are no fault, nor is what waits for its job', async () => {
  const report = await owner.after('SELECT 1', inspectLedger)
  expect(report.faults).toEqual([])
  expect(report.counts).toMatchObject({ withdrawals: 5, uncredited: 1, unbooked: 0 })
})

describe('of withdrawals, the check', () => {
  finds(/hold another sum than their open withdrawals/, {
    'more held than is open': `UPDATE withdrawal SET amount = amount + 5, from_balance = from_balance + 5 WHERE id = ${STATE('requested')}`,
  })
  finds(/what was held for them do not belong/, {
    'a hold of another amount': `UPDATE posting SET amount = amount + 1 WHERE kind = 'hold_balance'`,
  })
  finds(/5 withdrawals and what was held for them/, {
    'a hold under another name': `UPDATE journal SET key = 'x' || key WHERE key LIKE 'withdrawal:%:hold'`,
  })
  finds(/ended by other postings than their state says/, {
    'one closed by nothing': `UPDATE withdrawal SET state = 'cancelled', closed_at = now(), close_journal_id = 1 WHERE id = ${STATE('requested')}`,
    'a fee that was not taken': `UPDATE posting SET kind = 'withdraw' , destination = 'custody:hot' WHERE kind = 'withdraw_fee'`,
  })
  finds(/ended by other postings.*in another state than the transfer that ended them/s, {
    'one given back and paid': `UPDATE withdrawal SET state = 'failed', txid = NULL, reason = 'x' WHERE state = 'completed'`,
  })
  finds(/principal that left for withdrawals, or came back, is another in the history/, {
    'principal that left without a trace': 'DELETE FROM principal_movement WHERE amount < 0',
  })
  finds(/is another in the history/, {
    'principal dated into another day': "UPDATE principal_movement SET at = at + interval '1 day'",
  })
  finds(/withdrawn before its term was over/, {
    'principal that was still locked': `UPDATE plan_version SET document = jsonb_set(document, '{investment,lockDays}', '30') WHERE version = 2`,
  })
  finds(/have other terms than their plan says/, {
    'a fee that is not the plan’s': `UPDATE withdrawal SET fee = fee + 1 WHERE state = 'requested'`,
    'fewer approvals than the plan asks for': `UPDATE withdrawal SET approvals_needed = 0 WHERE state = 'requested'`,
  })
  finds(/let withdraw more in a day/, {
    'more than a day’s limit': `UPDATE plan_version SET document = jsonb_set(document, '{withdrawals,dailyLimit}', '"219"') WHERE version = 2`,
  })
  finds(/without enough different operators/, {
    'an approval that is gone': `DELETE FROM withdrawal_approval WHERE withdrawal_id = ${STATE('completed')}`,
  })
  finds(/by their own member’s word/, {
    'a member who approved': `ALTER TABLE withdrawal_approval DROP CONSTRAINT approval_by_somebody_else; UPDATE withdrawal_approval SET operator_id = member_id`,
  })
  finds(/pay another wallet or amount/, {
    'a transfer to another address': `UPDATE outgoing_transfer SET to_address = from_address WHERE txid = ${TXID('signed')}`,
    'a transfer of more': `UPDATE outgoing_transfer SET amount = amount + 1 WHERE txid = ${TXID('signed')}`,
  })
  finds(/or one that was never approved/, {
    'a transfer of what nobody approved': `UPDATE outgoing_transfer SET withdrawal_id = ${STATE('requested')} WHERE txid = ${TXID('signed')}`,
  })
  finds(/more than one transfer that can still arrive/, {
    'two transfers that can arrive': `DROP INDEX outgoing_transfer_one_a_withdrawal; INSERT INTO outgoing_transfer SELECT repeat('f', 64), purpose, member_id, withdrawal_id,
        from_address, to_address, amount, raw, expires_at, offline, state, signature FROM outgoing_transfer WHERE txid = ${TXID('signed')}`,
  })
  finds(/in another state than the transfer/, {
    'one completed by a transfer that failed': `UPDATE outgoing_transfer SET state = 'failed' WHERE txid = ${TXID('settled')}`,
    'one completed by another’s transfer': `UPDATE withdrawal SET txid = ${TXID('signed')} WHERE state = 'completed'`,
  })
})

describe('of custody, the check', () => {
  finds(/custody:hot is stored as/, {
    'a book edited by hand': "UPDATE custody_balance SET amount = amount + 1 WHERE account = 'custody:hot'",
  })
  finds(/openings of the company’s wallets/, {
    'an opening that was more': `UPDATE custody_address SET opening = opening + 1 WHERE role = 'hot'`,
  })
  finds(/credited to another wallet than it came to/, {
    'a deposit of the company’s booked elsewhere': `UPDATE posting SET kind = 'company_deposit_cold', source = 'custody:cold' WHERE kind = 'company_deposit'`,
  })
  finds(/no credited transfer stands behind/, {
    'money to a wallet that nobody sent': `INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'deposit', now(), '');
       INSERT INTO posting SELECT 0, id, 0, 'company_deposit_hot', 'custody:hot', 'company:capital', 7, now() FROM journal WHERE key = 'x'`,
  })
  finds(/explained differences and what was posted/, {
    'a loss that nobody explained': `INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'adjustment', now(), '');
       INSERT INTO posting SELECT 0, id, 0, 'custody_loss_hot', 'company:capital', 'custody:hot', 7, now() FROM journal WHERE key = 'x'`,
    'an explanation that was not posted': `INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at) VALUES ('${HOT}', -7, 'why', 1, 1, now())`,
  })
  finds(/that the solid chain has not ended/, {
    'a booking of what the chain has not ended': `INSERT INTO outgoing_transfer_booking VALUES (${TXID('signed')}, NULL, now())`,
  })
  finds(/as another journal than is theirs/, {
    'a booking under another journal': `UPDATE outgoing_transfer_booking SET journal_id = 1 WHERE txid = ${TXID('settled', 'sweep')}`,
  })
  finds(/posted otherwise than they arrived/, {
    'a sweep of more than arrived': `UPDATE outgoing_transfer SET arrived = arrived - 1 WHERE purpose = 'sweep'`,
  })
  finds(/said to hold another amount/, {
    'a holding edited by hand': `UPDATE custody_holding SET amount = amount - 1 WHERE role = 'cold'`,
  })

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

describe('of the guards, the check', () => {
  finds(/^1 guards of the ledger are missing/m, {
    'withdrawals that can go back': 'ALTER TABLE withdrawal DISABLE TRIGGER withdrawal_goes_forward',
    'transfers that can be forgotten': 'DROP TRIGGER outgoing_transfer_is_kept ON outgoing_transfer',
    'postings that move no book': 'ALTER TABLE posting DISABLE TRIGGER posting_moves_custody',
    'a server that may make transfers': 'GRANT INSERT ON outgoing_transfer TO aval_app',
    'a server that may edit a book': 'GRANT UPDATE ON custody_balance TO aval_app',
    'a server that may record transfers': 'GRANT INSERT ON incoming_transfer TO aval_app',
    'a server that may explain by hand': 'GRANT INSERT ON custody_adjustment TO aval_app',
    'a server that may lift a stop by hand': 'GRANT UPDATE (stopped) ON payout_stop TO aval_app',
    'approvals of members': 'DROP TRIGGER approval_by_an_operator ON withdrawal_approval',
    'two transfers that could live': 'DROP INDEX outgoing_transfer_one_a_withdrawal',
  })
  finds(/^1 rights of the gateway or the signer/m, {
    'a gateway that may post': 'GRANT INSERT ON posting TO aval_chain',
    'a gateway that may approve': 'GRANT INSERT ON withdrawal_approval TO aval_chain',
    'a gateway that may edit a transfer': 'GRANT UPDATE (to_address) ON outgoing_transfer TO aval_chain',
    'a gateway that may sign':
      'GRANT EXECUTE ON FUNCTION sign_outgoing_transfer(text, bytea, bigint) TO aval_chain',
    'a signer that may settle': 'GRANT UPDATE (state) ON outgoing_transfer TO aval_keys',
  })
  finds(/^1 functions with raised privileges belong to/, {
    'a function of a superuser': 'ALTER FUNCTION enqueue_credit(text, integer) OWNER TO CURRENT_USER',
    'a function of the role that owns the tables':
      'CREATE FUNCTION mine() RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp RETURN 1',
    'a function that anybody may call': 'GRANT EXECUTE ON FUNCTION close_period(timestamptz) TO PUBLIC',
    'a function with the search path of its caller':
      'ALTER FUNCTION lift_payout_stop(bigint) RESET search_path',
    'a server that may change the job queue': 'GRANT CREATE ON SCHEMA graphile_worker TO aval_app',
  })
})

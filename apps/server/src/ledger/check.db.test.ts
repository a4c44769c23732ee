import { beforeAll, describe, expect, it } from 'vitest'
import { createHistoryFixture } from '../testing/history-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'
import { tamperWith } from '../testing/tampering.ts'
import { inspectLedger } from './check.ts'

const history = await suiteFixture(createHistoryFixture)
const owner = tamperWith(history.server.database.ownerUrl)

beforeAll(async () => {
  await history.receive(history.people.bob, '7')
})

/** What the check says after the owner of the tables has tampered behind every trigger. */
const faultsAfter = (statements: string) =>
  owner.after(statements, async (tx) => (await inspectLedger(tx)).faults.join('\n'))

const FIRST_CREDIT = '(SELECT min(journal_id) FROM deposit_credit WHERE member_id > 0)'
const A_PAYOUT = "(SELECT min(journal_id) FROM payout_run WHERE kind = 'passive')"

describe('the check of the whole ledger', () => {
  it('finds nothing where nothing is wrong, whatever has happened', async () => {
    expect(await history.faults()).toEqual([])
  })

  it.each([
    [
      'a balance edited by hand',
      'UPDATE member_balance SET balance = balance + 1 WHERE member_id = 2',
      /member 2: balance is stored as/,
    ],
    [
      'total profit edited by hand',
      'UPDATE member_balance SET earned = earned + 1 WHERE member_id = 2',
      /member 2: earned is stored as/,
    ],
    [
      'what was earned by one kind edited by hand',
      `UPDATE member_balance SET earned_passive = earned_passive + 1 WHERE member_id = 2;
       UPDATE member_balance SET earned_binary = earned_binary + 1 WHERE member_id = 3`,
      /member 2: earned_passive is stored as .*\nmember 3: earned_binary is stored as/,
    ],
    [
      'days of profit that were none',
      'UPDATE member_balance SET passive_days = passive_days + 1 WHERE member_id = 2',
      /member 2: passive_days is stored as/,
    ],
    [
      'a debt that nobody owes',
      'UPDATE member_receivable SET amount = 5 WHERE member_id = 2',
      /member 2: owed_commission is stored as 5, its postings say 0/,
    ],
    [
      'a debt that nobody claims',
      "ALTER TABLE posting DROP CONSTRAINT posting_follows_the_chart; UPDATE posting SET source = 'company:revenue' WHERE kind = 'owed_commission'",
      /do not cancel out/,
    ],
    [
      'a pool edited by hand',
      "UPDATE house_balance SET amount = 1 WHERE account = 'pool:profit'",
      /pool:profit is stored as 1/,
    ],
    [
      'a pool that is gone',
      "DELETE FROM house_balance WHERE account = 'pool:profit'",
      /arrived on the chain/,
    ],
    ['a posting that is gone', `DELETE FROM posting WHERE journal_id = ${A_PAYOUT}`, /balance is stored as/],
    ['accounts of nobody', 'INSERT INTO member_balance (member_id) VALUES (99)', /accounts no member/],
    [
      'a member without accounts',
      'DELETE FROM member_balance WHERE member_id = 6',
      /members have no accounts/,
    ],
    ['a posting without a journal', `DELETE FROM journal WHERE id = ${A_PAYOUT}`, /belong to no journal/],
  ])('finds %s', async (_what, statements, fault) => {
    expect(await faultsAfter(statements)).toMatch(fault)
  })

  it('calls what still waits for its job work, and no fault', async () => {
    await history.arrive(2n, '5')
    expect(await history.faults()).toEqual([])
  })
})

describe('of money that comes in and is invested, the check', () => {
  it.each([
    [
      'money made from nothing, balances and all',
      `INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'deposit', now(), '');
       INSERT INTO posting SELECT 2, id, 0, 'deposit_to_balance', 'custody:deposits', 'balance', 500, now() FROM journal WHERE key = 'x';
       UPDATE member_balance SET balance = balance + 500 WHERE member_id = 2`,
      /1 postings brought money in that no credited transfer stands behind/,
    ],
    [
      'a credit without a transfer',
      'DELETE FROM incoming_transfer WHERE member_id = 3',
      /credits have no transfer on the chain/,
    ],
    [
      'a credit to another member than the owner of the address',
      'UPDATE deposit_address SET member_id = 99 WHERE member_id = 3',
      /or one to another member/,
    ],
    [
      'one transfer credited by the postings of another',
      `UPDATE deposit_credit SET journal_id = ${FIRST_CREDIT} WHERE outcome = 'no_invoice'`,
      /credits posted something else than arrived/,
    ],
    ['a fee that the invoice did not ask', 'UPDATE invoice SET fee = fee + 1', /or than their invoice says/],
    [
      'an invoice paid by nothing',
      "INSERT INTO invoice (member_id, txn_id, amount, fee, plan_version, created_at, expires_at, state, paid_txid) SELECT 2, 'x', 5, 0, 1, now(), now(), 'paid', 'x'",
      /invoices are paid without/,
    ],
    [
      'an investment that is no principal',
      'UPDATE investment SET amount = amount - 1',
      /investments and changes of principal/,
    ],
    [
      'a history that shows another value',
      'UPDATE investment SET value_after = value_after + 1',
      /entries of the investment history/,
    ],
    [
      'a history that forgets what was taken back',
      'UPDATE investment SET value_after = value_after + 700000000 WHERE member_id = 8 AND id > (SELECT min(id) FROM reversal)',
      /1 entries of the investment history/,
    ],
  ])('finds %s', async (_what, statements, fault) => {
    expect(await faultsAfter(statements)).toMatch(fault)
  })
})

describe('of the guards, the check', () => {
  it.each([
    ['a trigger switched off', 'ALTER TABLE posting DISABLE TRIGGER posting_applies'],
    ['a trigger that is gone', 'DROP TRIGGER payout_page_before_seal ON payout_page'],
    [
      'a trigger that does nothing',
      `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       DROP TRIGGER binary_carry_is_append_only ON binary_carry;
       CREATE TRIGGER binary_carry_is_append_only BEFORE DELETE ON binary_carry FOR EACH STATEMENT EXECUTE FUNCTION nothing()`,
    ],
    ['a rule taken away', 'ALTER TABLE posting DROP CONSTRAINT posting_follows_the_chart'],
    ['a limit taken away', 'ALTER TABLE member_receivable DROP CONSTRAINT receivable_not_below_zero'],
    ['two runs a period', 'DROP INDEX payout_run_one_a_period'],
    ['a server that may rewrite', 'GRANT UPDATE ON posting TO aval_app'],
    ['a server that may rewrite one column', 'GRANT UPDATE (amount) ON reversal_part TO aval_app'],
    ['a server that may forget', 'GRANT DELETE ON payout_page TO aval_app'],
    ['a server that may write balances', 'GRANT INSERT ON member_receivable TO aval_app'],
  ])('finds %s', async (_what, statements) => {
    expect(await faultsAfter(statements)).toMatch(
      /^1 guards of the ledger are missing, switched off, or open to the server$/,
    )
  })
})

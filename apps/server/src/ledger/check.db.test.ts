import { type Connection, connect, inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { runDue } from '../features/payouts/payouts.commands.ts'
import { createMoneyHouse, type MoneyHouse } from '../testing/money-house.ts'
import { inspectLedger } from './check.ts'

let house: MoneyHouse
let owner: Connection

/** A house with everything in it: deposits of each kind, commissions, two days of profit. */
beforeAll(async () => {
  house = await createMoneyHouse(inject('ownerUrl'), '2026-05-03T15:00:00Z')
  owner = connect(house.server.database.ownerUrl, 1)
  await house.fund('profit', '1000')
  await house.fund('commission', '1000')
  const sponsor = await house.member()
  const investor = await house.member(sponsor)
  await house.invest(sponsor, '500')
  await house.invest(investor, '1000')
  await house.receive(investor, '7')
  for (let day = 0; day < 3; day += 1) {
    house.now = new Date(house.now.getTime() + 86_400_000)
    await runDue(house.server.context.db, house.now)
  }
})
afterAll(async () => {
  await owner.close()
  await house.close()
})

class RollBack extends Error {}

/** What the check says after the owner of the tables has tampered behind every trigger. Nothing of it stays. */
async function faultsAfter(statements: string): Promise<string> {
  let found: readonly string[] = []
  await inTransaction(owner.db, async (tx) => {
    await sql.raw(`SET LOCAL session_replication_role = replica; ${statements}`).execute(tx)
    found = (await inspectLedger(tx)).faults
    throw new RollBack()
  }).catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error
  })
  return found.join('\n')
}

const FIRST_CREDIT = '(SELECT min(journal_id) FROM deposit_credit WHERE member_id > 0)'
const A_PAYOUT = "(SELECT min(journal_id) FROM payout_run WHERE kind = 'passive')"

describe('the check of the whole ledger', () => {
  it('finds nothing where nothing is wrong', async () => {
    expect(await house.faults()).toEqual([])
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
    [
      'money made from nothing, balances and all',
      `INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'deposit', now(), '');
       INSERT INTO posting SELECT 2, id, 0, 'deposit_to_balance', 'custody:deposits', 'balance', 500, now() FROM journal WHERE key = 'x';
       UPDATE member_balance SET balance = balance + 500 WHERE member_id = 2`,
      /1 postings brought money in that no credited transfer stands behind/,
    ],
    [
      'somebody paid a second time, balances and all',
      `INSERT INTO posting SELECT member_id, journal_id, 9, kind, source, destination, amount, at FROM posting WHERE journal_id = ${A_PAYOUT} LIMIT 1;
       UPDATE member_balance b SET balance = balance + p.amount, earned = earned + p.amount FROM posting p WHERE p.leg = 9 AND b.member_id = p.member_id`,
      /runs posted something else than they sealed/,
    ],
    [
      'a payout outside any run',
      `INSERT INTO journal (key, kind, at, input_hash) VALUES ('x', 'payout', now(), '');
       INSERT INTO posting SELECT 2, id, 0, 'passive', 'due:profit', 'balance', 500, now() FROM journal WHERE key = 'x'`,
      /1 payouts were posted outside any run/,
    ],
    [
      'a credit without a transfer',
      'DELETE FROM chain_transfer WHERE member_id = 3',
      /credits have no transfer on the chain/,
    ],
    [
      'a credit to somebody else than whose address it is',
      'UPDATE deposit_address SET member_id = 99 WHERE member_id = 3',
      /or one to somebody else/,
    ],
    [
      'one transfer credited by the postings of another',
      `UPDATE deposit_credit SET journal_id = ${FIRST_CREDIT} WHERE outcome = 'unasked'`,
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
      'a sealed item changed, with its sum',
      "UPDATE payout_item SET percentage = '99'",
      /runs have other items than they were sealed with/,
    ],
    [
      'a payout on another principal',
      "UPDATE payout_item SET basis = basis + 1 WHERE kind = 'passive'",
      /not computed from the principal at their cutoff/,
    ],
    [
      'a run that took too much',
      `UPDATE posting SET amount = amount + 1 WHERE kind = 'release_profit'`,
      /took another sum out of their pool/,
    ],
    [
      'a day that was skipped',
      "DELETE FROM payout_run WHERE period = '2026-05-05'",
      /1 days between the first and the last/,
    ],
    ['books opened again', "UPDATE period_close SET closed_until = '2026-05-01'", /whose books are open/],
    ['accounts of nobody', 'INSERT INTO member_balance (member_id) VALUES (99)', /accounts no member/],
    [
      'a member without accounts',
      'DELETE FROM member_balance WHERE member_id = 1',
      /members have no accounts/,
    ],
    [
      'a trigger switched off',
      'ALTER TABLE posting DISABLE TRIGGER posting_applies',
      /1 guards of the ledger/,
    ],
    [
      'a rule taken away',
      'ALTER TABLE posting DROP CONSTRAINT posting_follows_the_chart',
      /1 guards of the ledger/,
    ],
    ['a server that may rewrite', 'GRANT UPDATE ON posting TO aval_app', /1 guards of the ledger/],
  ])('finds %s', async (_what, statements, fault) => {
    expect(await faultsAfter(statements)).toMatch(fault)
  })

  it('calls what still waits for its job work, and no fault', async () => {
    await house.arrive(2n, '5')
    expect(await house.faults()).toEqual([])
  })
})

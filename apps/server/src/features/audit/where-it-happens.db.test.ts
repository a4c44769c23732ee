/** What a thief does by SQL with a program's role leaves an entry, or is refused. */
import { type Connection, connect, constraintOf, inTransaction, type Tx } from '@aval/db'
import { afterAll, describe, expect, it } from 'vitest'
import { countOf, query, queryColumn, queryValue } from '../../core/query.sql.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { completeInvoice } from '../investments/invoices.commands.ts'

const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db } = money
const root = money.server.rootId
const fundator = await money.member()
const referral = await money.member(fundator)
await money.receive(fundator, '2000')
const { invoice } = await money.invoiceOver(fundator, '600')
await query(money.owner)`UPDATE member SET is_fundator = true WHERE id = ${fundator}`

/** Entries of an action, and how many a statement adds to them. */
const entries = (action: string) => countOf(db)`audit_event WHERE action = ${action} AND outcome = 'done'`
async function adds(action: string, act: (tx: Tx) => Promise<unknown>): Promise<number> {
  const before = await entries(action)
  await inTransaction(db, async (tx) => void (await act(tx)))
  return (await entries(action)) - before
}

describe('an act of a program’s role leaves one entry, that names the role', () => {
  const acts: readonly [what: string, action: string, act: (tx: Tx) => Promise<unknown>][] = [
    [
      'a member',
      'member.join',
      (tx) => query(
        tx,
      )`INSERT INTO member (username, email, password_hash, ref_code, terms_accepted_at, joined_at)
      VALUES ('by hand', 'by@hand.co', '', '7654321', now(), now())`,
    ],
    [
      'the balance, invested',
      'investment.make',
      (tx) => query(tx)`SELECT invest_balance(${fundator}, 'x', 500000000, 1, ${money.now})`,
    ],
    [
      'an invoice, completed',
      'investment.make',
      (tx) => completeInvoice(tx, fundator, invoice.txn_id, money.now),
    ],
    [
      'a master',
      'member.master',
      (tx) => query(tx)`SELECT activate_master(${fundator}, ${referral}, ${money.now})`,
    ],
  ]
  it.each(acts)('%s', async (_what, action, act) => {
    expect(await adds(action, act)).toBe(1)
    const [last] = await query<{ by: string }>(
      db,
    )`SELECT details->>'by' AS by FROM audit_event WHERE action = ${action} ORDER BY id DESC LIMIT 1`
    expect(last?.by).toMatch(/_login$/)
  })

  it('an investment that a transfer pays', async () => {
    const before = await entries('investment.make')
    await money.investOnly(await money.member(), '500')
    expect(await entries('investment.make')).toBe(before + 1)
  })
})

describe('rights, stops and what is asked for leave an entry, whoever changes them', () => {
  const api = connect(money.server.database.apiUrl, 1)
  const worker = connect(money.server.database.workerUrl, 1)
  afterAll(() => Promise.all([api.close(), worker.close()]))
  /** What a statement leaves that is committed under a role. */
  async function leaves(role: Connection, act: (tx: Tx) => Promise<unknown>) {
    const last = await queryValue<bigint>(db)`SELECT coalesce(max(id), 0) FROM audit_event`
    await inTransaction(role.db, async (tx) => void (await act(tx)))
    return query(db)`SELECT action, subject, details FROM audit_event WHERE id > ${last} ORDER BY id`
  }
  const entry = (subject: string, table: string, change: string, by = 'api') => [
    { action: 'database.change', subject, details: { table, change, by: expect.stringContaining(by) } },
  ]
  const member = `member:${referral}`

  it.each<[what: string, subject: string, table: string, change: string, act: (tx: Tx) => Promise<unknown>]>([
    [
      'a freeze',
      member,
      'member_freeze',
      'insert',
      (tx) => query(tx)`SELECT freeze_member(${referral}, true, 'mine', ${root}, now())`,
    ],
    [
      'its end',
      member,
      'member_freeze',
      'insert',
      (tx) => query(tx)`SELECT freeze_member(${referral}, false, 'mine', ${root}, now())`,
    ],
    [
      'a rate',
      'day:2026-05-09',
      'declared_rate',
      'insert',
      (tx) => query(tx)`SELECT declare_rate('2026-05-09', '0.1', 'mine', ${root}, ${money.now})`,
    ],
    [
      'a stop of payments',
      'payments:all',
      'payments_stop',
      'insert',
      (tx) => query(tx)`SELECT stop_payments(${root}, 'mine', now())`,
    ],
    [
      'an e-mail',
      member,
      'member',
      'update',
      (tx) => query(tx)`UPDATE member SET email = 'mine@thief.co' WHERE id = ${referral}`,
    ],
    [
      'a wallet',
      member,
      'member',
      'update',
      (tx) => query(tx)`UPDATE member SET usdt_wallet = 'TMine' WHERE id = ${referral}`,
    ],
    [
      'a password',
      member,
      'member',
      'update',
      (tx) => query(tx)`UPDATE member SET password_hash = 'mine' WHERE id = ${referral}`,
    ],
    [
      'a second factor',
      member,
      'member_totp',
      'insert',
      (tx) =>
        query(
          tx,
        )`INSERT INTO member_totp (member_id, secret, made_at, confirmed_at) VALUES (${referral}, 'mine', now(), now())`,
    ],
    [
      'its end',
      member,
      'member_totp',
      'delete',
      (tx) => query(tx)`DELETE FROM member_totp WHERE member_id = ${referral}`,
    ],
    [
      'an operator who is asked for',
      member,
      'operator_change',
      'insert',
      (tx) => query(tx)`SELECT ask_operator_change(${root}, ${referral}, 'invitation', 'admin', now())`,
    ],
  ])('%s', async (_what, subject, table, change, act) => {
    expect(await leaves(api, act)).toEqual(entry(subject, table, change))
  })

  it('a stop that a check makes', async () => {
    const made = await leaves(worker, (tx) => query(tx)`SELECT record_integrity_check(ARRAY['mine'], now())`)
    expect(made).toEqual(entry('payments:all', 'payout_stop', 'update', 'worker'))
    await leaves(worker, (tx) => query(tx)`SELECT record_integrity_check(ARRAY[]::text[], now())`)
  })

  it('once, where a program leaves a fuller one with it', async () => {
    const record = (tx: Tx) =>
      query(tx)`SELECT record_audit(now(), ${root}, 'member.freeze', 'done', ${member}, '{}')`
    const freeze = (tx: Tx) => query(tx)`SELECT freeze_member(${referral}, true, 'seen', ${root}, now())`
    const both = await leaves(api, async (tx) => [await freeze(tx), await record(tx)])
    expect(both).toMatchObject([{ action: 'member.freeze', subject: member }])
    await leaves(api, record)
    // That one was of another transaction.
    const end = (tx: Tx) => query(tx)`SELECT freeze_member(${referral}, false, 'seen', ${root}, now())`
    expect(await leaves(api, end)).toEqual(entry(member, 'member_freeze', 'insert'))
  })
})

describe('no role moves a place or makes a master but by the function of its rule', () => {
  it.each([
    'UPDATE sponsorship SET is_master = true',
    `INSERT INTO master_code (member_id, sponsor_id, at) VALUES (${referral}, ${fundator}, now())`,
    `UPDATE placement SET parent_id = NULL WHERE member_id = ${fundator}`,
    `UPDATE placement SET member_id = -1 WHERE member_id = ${root}`,
    `UPDATE placement SET leg = 'L'`,
    'UPDATE placement SET left_chain = 1',
    'UPDATE placement_chain SET head_id = 1',
  ])('%s', async (statement) => {
    await expect(query(db)(Object.assign([statement], { raw: [statement] }))).rejects.toMatchObject({
      code: '42501',
    })
  })

  it('and that one asks for a fundator, a direct referral, and one that is none yet', async () => {
    const other = await money.member(referral)
    const refused = (by: bigint, of: bigint) =>
      query(db)`SELECT activate_master(${by}, ${of}, ${money.now})`.then(() => null, constraintOf)
    expect(await refused(referral, other)).toBe('master_by_a_fundator')
    expect(await refused(fundator, other)).toBe('master_of_a_referral')
    expect(await refused(fundator, referral)).toBe('master_of_a_referral')
  })
})

/** By function the table whose trigger leaves the entry, or `itself`. */
const LEAVES: Readonly<Record<string, string>> = {
  accept_decision_approval: 'itself',
  accept_operator_invitation: 'member',
  activate_master: 'itself',
  apply_operator_change: 'member',
  ask_operator_change: 'operator_change',
  ask_release: 'factor_release',
  cancel_payout_run: 'payout_run',
  cancel_withdrawal: 'withdrawal',
  close_account: 'member',
  complete_invoice: 'investment',
  credit_transfer: 'investment',
  declare_rate: 'declared_rate',
  dismiss_operator: 'member',
  end_release: 'factor_release',
  freeze_member: 'member_freeze',
  invest_balance: 'investment',
  lift_payout_stop: 'payout_stop',
  purge_closed_accounts: 'itself',
  record_integrity_check: 'payout_stop',
  refuse_approval: 'itself',
  refuse_member_key: 'itself',
  refuse_withdrawal: 'withdrawal',
  request_withdrawal: 'withdrawal',
  seal_member_key: 'itself',
  stop_payments: 'payments_stop',
  stop_payouts: 'payout_stop',
}

/** What is no act of a person, or is told elsewhere, by why. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'is the trail': [
    'record_audit',
    'record_audits',
    'record_security_event',
    'seal_audit',
    'store_audit_signature',
    'register_audit_key',
  ],
  'takes a lock or a number': [
    'draw_number',
    'hold_gateway_lease',
    'hold_lock',
    'hold_period',
    'release_gateway_lease',
    'share_lock',
    'try_lock',
  ],
  'is a row of the chain, kept for good': [
    'adopt_transfer',
    'book_opening',
    'book_outgoing_transfer',
    'expire_outgoing_transfer',
    'move_chain_cursor',
    'prepare_outgoing_transfer',
    'record_incoming_transfer',
    'register_custody',
    'settle_outgoing_transfer',
    'settle_outgoing_transfers',
  ],
  'is told by the signer, who signs nothing without an entry': [
    'accept_approval',
    'import_signature',
    'remember_journal',
    'report_signed',
    'sign_outgoing_transfer',
    'sign_outgoing_transfers',
    'store_deposit_addresses',
    'take_offline_approval',
  ],
  'asks for a signature, and does nothing by itself': [
    'cancel_member_key',
    'propose_decision',
    'submit_approval',
    'submit_decision_approval',
    'submit_member_key',
    'use_member_nonce',
    'withdraw_decision',
  ],
  'is a run’s own row, computed twice': [
    'close_period',
    'post_payout_batch',
    'record_payout_audit',
    'recover_receivable',
    'release_payout_run',
  ],
  'opens what is empty, or ends what nobody paid': [
    'claim_deposit_address',
    'end_invoice',
    'end_restoration',
    'open_member_accounts',
    'store_first_plan',
    'withdraw_operator_change',
  ],
  'counts, tells or forgets': [
    'count_failed_try',
    'notify_members',
    'purge_idempotency_responses',
    'purge_mail',
    'purge_reserve_checks',
  ],
}

describe('every function that a program may call and that can write', () => {
  const callable = () =>
    queryColumn<string>(money.owner)`
      SELECT DISTINCT p.proname FROM pg_proc p, aclexplode(p.proacl) g
      WHERE p.pronamespace = 'public'::regnamespace AND p.provolatile = 'v' AND g.privilege_type = 'EXECUTE'
        AND g.grantee::regrole::text ~ '^aval_(api|server|worker|gateway|signer|approvals|auditor)$' ORDER BY p.proname`
  const known = () => [...Object.keys(LEAVES), ...Object.values(OTHERS).flat()].toSorted()

  it('leaves an entry, or is listed with why not', async () => {
    expect(await callable()).toEqual(known())
  })

  it('leaves it by a trigger that is there', async () => {
    const tables = await queryColumn<string>(money.owner)`
      SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE p.proname IN ('leave_entry', 'record_investment') AND t.tgenabled = 'O' ORDER BY 1`
    for (const table of new Set(Object.values(LEAVES)))
      if (table !== 'itself') expect(tables).toContain(table)
  })

  it('is missed where it is new', async () => {
    await query(money.owner)`CREATE FUNCTION pay_myself() RETURNS void LANGUAGE sql AS ''`
    await query(money.owner)`GRANT EXECUTE ON FUNCTION pay_myself() TO aval_api`
    expect((await callable()).filter((name) => !known().includes(name))).toEqual(['pay_myself'])
  })
})

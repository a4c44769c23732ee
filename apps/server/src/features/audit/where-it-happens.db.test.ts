/** What a thief does by SQL with a program's role leaves an entry, or is refused. */
import { constraintOf, inTransaction, type Tx } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { countOf, query } from '../../core/query.sql.ts'
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

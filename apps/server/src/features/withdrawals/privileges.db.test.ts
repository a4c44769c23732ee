import { type Connection, constraintOf, sqlState } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../core/query.sql.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { createWithdrawalFixture, HOT } from './testing/withdrawal-fixture.ts'

const FORBIDDEN = '42501'

const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
await money.openWallets('1000')
const ana = await money.withdrawer('200')
const { id: memberId, wallet } = ana
const approved = await money.place(ana, '50')
const requested = await money.place(ana, '60')
const operatorId = await money.operator()
await money.approve(approved, operatorId)
const txid = await money.prepare(approved)

/** What PostgreSQL answers to a statement, of the server unless another role is named: the name of a constraint, else the SQLSTATE; null where it lets it pass. */
async function refusalOf(statement: string, { db }: Pick<Connection, 'db'> = money) {
  const filled = statement
    .replaceAll(':requested', String(requested))
    .replaceAll(':approved', String(approved))
    .replaceAll(':member', String(memberId))
    .replaceAll(':txid', `'${txid}'`)
    .replaceAll(':operator', String(operatorId))
  try {
    await db.transaction().execute(async (tx) => {
      await sql.raw(filled).execute(tx)
      throw new Error('let through')
    })
  } catch (error) {
    if (error instanceof Error && error.message === 'let through') return null
    return constraintOf(error) ?? sqlState(error)
  }
  return null
}

/** Adds a test for each statement that the rights of a role do not cover. */
const forbids = (
  title: string,
  statements: Readonly<Record<string, string>>,
  role: Pick<Connection, 'db'> = money,
) =>
  it.each(Object.entries(statements))(title, async (_what, statement) => {
    expect(await refusalOf(statement, role)).toBe(FORBIDDEN)
  })

/** Adds a test for each statement that a constraint refuses to the server. */
const refuses = (title: string, statements: Readonly<Record<string, Readonly<Record<string, string>>>>) => {
  const cases = Object.entries(statements).flatMap(([constraint, refused]) =>
    Object.entries(refused).map(([what, statement]) => [what, statement, constraint] as const),
  )
  it.each(cases)(title, async (_what, statement, constraint) => {
    expect(await refusalOf(statement)).toBe(constraint)
  })
}

describe('the server', () => {
  forbids('never %s', {
    signs: "SELECT sign_outgoing_transfer(:txid, '\\x00', 1000000000)",
    prepares: "SELECT prepare_outgoing_transfer('a', 'withdrawal', 1, 1, 'b', 'c', 1, '', now(), false)",
    settles: "SELECT settle_outgoing_transfer(:txid, 1, now(), true, 'SUCCESS', 1, 1)",
    expires: "SELECT expire_outgoing_transfer(:txid, 'devnet')",
    'pins wallets': "SELECT register_custody('x', 'hot', 1, 1)",
    'edits a transfer': 'UPDATE outgoing_transfer SET amount = 1',
    'says that one settled': "UPDATE outgoing_transfer SET state = 'settled'",
    'makes one': `INSERT INTO outgoing_transfer (txid, purpose, member_id, from_address, to_address, amount, raw, expires_at) VALUES ('a', 'sweep', 1, 'a', 'b', 1, '', now())`,
    'edits what an address holds': 'UPDATE custody_holding SET amount = 1',
    'edits what a node said': 'UPDATE custody_reading SET usdt = 1',
    'edits the books of custody': 'UPDATE custody_balance SET amount = 1',
    'changes an approval': 'UPDATE withdrawal_approval SET operator_id = 1',
    'forgets an approval': 'DELETE FROM withdrawal_approval',
    'forgets a withdrawal': 'DELETE FROM withdrawal',
    'changes a wallet': "UPDATE withdrawal SET wallet_address = 'x' WHERE id = :requested",
    'rewrites history': 'UPDATE principal_movement SET amount = 1',
    'books a transfer again': 'UPDATE outgoing_transfer_booking SET journal_id = 1',
  })

  const closed = (state: string, which: string) =>
    `UPDATE withdrawal SET state = ${state}, closed_at = now(), close_journal_id = 1 WHERE id = ${which}`
  const posting = (movement: string) => `
    INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
      SELECT :member, max(id), 9, ${movement}, now() FROM journal`
  refuses('is refused %s', {
    withdrawal_has_its_approvals: {
      'an approval of nobody': "UPDATE withdrawal SET state = 'approved' WHERE id = :requested",
    },
    withdrawal_goes_forward: {
      'a step that skips the chain': closed(`'completed', txid = :txid`, ':requested'),
      'a failure without one': closed(`'failed'`, ':requested'),
    },
    withdrawal_has_its_transfer: {
      'a payment that no block has': closed(`'completed', txid = :txid`, ':approved'),
    },
    withdrawal_has_no_live_transfer: {
      'money back while a transfer lives': closed(`'refused'`, ':approved'),
    },
    approval_by_somebody_else: {
      'an operator’s own': `UPDATE member SET is_operator = true WHERE id = :member;
        INSERT INTO withdrawal_approval VALUES (:member, :requested, :member, now())`,
    },
    withdrawal_is_requested: {
      'a withdrawal that was never asked for': `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, state,
        approvals_needed, plan_version, hold_journal_id, requested_at) VALUES (:member, 5, 1, 5, 0, 'x', 'approved', 0, 1, 1, now())`,
    },
    balance_not_below_zero: { 'more than there is': posting(`'hold_balance', 'balance', 'held', 91000000`) },
    posting_follows_the_chart: {
      'money out of what is not held': posting(`'withdraw', 'balance', 'custody:hot', 1`),
    },
  })
})

/** A journal of the company's with one posting, as the server can write it; the last statement sees it as the newest. */
const journal = (kind: string, posting: string, amount: string) => `
  INSERT INTO journal (key, kind, at, input_hash) VALUES ('grasp', '${kind}', now(), '');
  INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
    SELECT 0, max(id), 0, ${posting}, ${amount}, now() FROM journal;`
const LOSS = `'custody_loss_hot', 'company:capital', 'custody:hot'`
const COLD_LOSS = LOSS.replaceAll('hot', 'cold')
const adjust = (difference: string, operator = ':operator', of = '(SELECT max(id) FROM journal)') =>
  `SELECT record_custody_adjustment('${HOT}', ${difference}, 'gone', ${of}, ${operator});`
const check = (verdict: string) =>
  `INSERT INTO reserve_check (at, block, verdict, hot, cold, deposits, in_flight, owed, drift)
    VALUES (now(), 1, '${verdict}', 0, 0, 0, 0, 0, 0);`
const newest = '(SELECT max(id) FROM reserve_check)'
const STOPPED = `${check('unexplained')} SELECT stop_payouts(${newest}, 'books');`
const MINTED = `INSERT INTO journal (key, kind, at, input_hash) VALUES ('mint', 'deposit', now(), '');
  INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
    SELECT :member, max(id), 0, 'deposit_to_balance', 'custody:deposits', 'balance', 3000000000, now() FROM journal;`

describe('the server that wants to mint money and pay it out alone', () => {
  forbids('%s', {
    'records no transfer': `INSERT INTO incoming_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value)
        VALUES (repeat('a', 64), 0, :member, 1, now(), 'credit', 'usdt', 'a', 'b', 3000000000)`,
    'has none recorded': `SELECT record_incoming_transfer(repeat('a', 64), 0, 1, now(), 'credit', 'usdt', 'a', '${HOT}', 3000000000)`,
    'explains no difference by hand': `INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at)
        VALUES ('${HOT}', -3000000000, 'abc', 1, 1, now())`,
    'sets no stop by hand': `UPDATE payout_stop SET reason = 'none'`,
    'lifts no stop by hand': 'UPDATE payout_stop SET stopped = false',
    'takes no stop away': 'DELETE FROM payout_stop',
  })

  refuses('explains no difference %s', {
    custody_adjustment_has_its_journal: {
      'without a journal': adjust('-7', ':operator', '0'),
      'for a journal of another kind': adjust('-7', ':operator', '1'),
      'for a journal that moved another amount': journal('adjustment', LOSS, '6') + adjust('-7'),
      'for a journal that moved it the other way': journal('adjustment', LOSS, '7') + adjust('7'),
      'for the journal of another wallet': journal('adjustment', COLD_LOSS, '7') + adjust('-7'),
    },
    custody_adjustment_by_an_operator: {
      'in a member’s name': journal('adjustment', LOSS, '7') + adjust('-7', ':member'),
    },
    custody_adjustment_one_a_journal: {
      'a second time': journal('adjustment', LOSS, '7') + adjust('-7') + adjust('-7'),
    },
  })

  it('explains one with a journal of its own, in an operator’s name', async () => {
    expect(await refusalOf(journal('adjustment', LOSS, '7') + adjust('-7'))).toBe(null)
  })

  refuses('stops payouts %s no more than it lets them go', {
    payout_stop_has_its_check: {
      'for no comparison': `SELECT stop_payouts(0, 'books')`,
      'for one that matched': `${check('matched')} SELECT stop_payouts(${newest}, 'books')`,
      'without a reason': `${check('unexplained')} SELECT stop_payouts(${newest}, NULL)`,
    },
  })

  const lift = (by = newest) => `SELECT lift_payout_stop(${by})`
  const matched = `(SELECT max(id) FROM reserve_check WHERE verdict = 'matched')`
  refuses('lifts a stop never %s', {
    payout_stop_lifted_by_a_match: {
      'by no comparison': STOPPED + lift('0'),
      'by the one that set it': STOPPED + lift(),
      'by an older one that matched': check('matched') + STOPPED + lift(matched),
      'by a newer one that waits for readings': STOPPED + check('waiting') + lift(),
      'by one that matched before the latest, which did not':
        STOPPED + check('matched') + check('unexplained') + lift(matched),
      'where the books hold more than the wallets, whatever the comparison says':
        MINTED + STOPPED + check('matched') + lift(),
    },
  })

  it('lifts a stop by a newer comparison that matched, where the books match', async () => {
    expect(await refusalOf(STOPPED + check('matched') + lift())).toBe(null)
  })
})

describe('the server that wants to approve by itself', () => {
  const approval = (operator: string, withdrawal = ':requested') =>
    `INSERT INTO withdrawal_approval VALUES (:member, ${withdrawal}, ${operator}, now());`
  const approve = `UPDATE withdrawal SET state = 'approved' WHERE id = :requested;`

  refuses('writes no approval %s', {
    approval_by_an_operator: {
      'in the name of a plain member': approval(
        '(SELECT min(id) FROM member WHERE NOT is_operator AND id <> :member)',
      ),
      'in the name of nobody': approval('0'),
    },
    approval_of_a_request: {
      'of what is approved': approval(':operator', ':approved'),
      'of what nobody asked for': approval(':operator', '0'),
    },
  })

  it('counts no approval of a member who is an operator no more', async () => {
    const dismissed = `${approval(':operator')} UPDATE member SET is_operator = false WHERE id = :operator; ${approve}`
    expect(await refusalOf(dismissed)).toBe('withdrawal_has_its_approvals')
    expect(await refusalOf(approval(':operator') + approve)).toBe(null)
  })
})

describe('the gateway', () => {
  forbids(
    'never %s',
    {
      posts: `INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at) VALUES (1, 1, 0, 'withdraw', 'held', 'custody:hot', 1, now())`,
      approves: 'INSERT INTO withdrawal_approval VALUES (:member, :requested, 1, now())',
      'edits a withdrawal': "UPDATE withdrawal SET state = 'approved'",
      'reads more of one than it pays': 'SELECT risks FROM withdrawal',
      books: 'INSERT INTO outgoing_transfer_booking VALUES (:txid, 1, now())',
      signs: "SELECT sign_outgoing_transfer(:txid, '\\x00', 1000000000)",
      'puts a signature in its place': "UPDATE outgoing_transfer SET signature = '\\x00'",
      'says by hand that one settled': "UPDATE outgoing_transfer SET state = 'settled'",
      'edits a holding': 'UPDATE custody_holding SET amount = 1',
      'lifts a stop': 'UPDATE payout_stop SET stopped = false',
      'explains a difference': `INSERT INTO custody_adjustment (address, amount, reason, journal_id, made_by, at) VALUES ('x', 1, 'abc', 1, 1, now())`,
      'reads the trail': 'SELECT FROM audit_event',
      'reads members': 'SELECT FROM member',
    },
    money.gateway,
  )

  it('prepares no transfer of what is not approved, to another wallet, of another amount, or beside a living one', async () => {
    const prepare = (id: bigint, to: string, amount: bigint) =>
      queryValue<boolean>(money.gateway.db)`
        SELECT prepare_outgoing_transfer(${'b'.repeat(64)}, 'withdrawal', ${memberId}, ${id}, ${HOT}, ${to}, ${amount}, ''::bytea,
          now(), false)`
    expect(await prepare(requested, wallet, 59_000_000n)).toBe(false)
    expect(await prepare(approved, 'Tother', 49_000_000n)).toBe(false)
    expect(await prepare(approved, wallet, 50_000_000n)).toBe(false)
    expect(await prepare(approved, wallet, 49_000_000n)).toBe(false)
  })

  it('expires no signed transfer before the chain is read past its time', async () => {
    expect(await money.sign(txid)).toBe('signed')
    expect(await money.expire(txid)).toBe(false)
    await query(money.gateway.db)`
      INSERT INTO chain_cursor (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at, scanned_at)
      VALUES ('devnet', 1, '', 1, 1, now(), ${new Date(money.now.getTime() + 60_000)})`
    expect(await money.expire(txid)).toBe(false)
    await query(money.gateway.db)`UPDATE chain_cursor SET scanned_at = scanned_at + interval '1 second'`
    expect(await money.expire(txid)).toBe(true)
  })
})

describe('the signer', () => {
  forbids(
    'never %s',
    {
      settles: "SELECT settle_outgoing_transfer(:txid, 1, now(), true, 'SUCCESS', 1, 1)",
      prepares: "SELECT prepare_outgoing_transfer('a', 'withdrawal', 1, 1, 'b', 'c', 1, '', now(), false)",
      'writes a transfer': "UPDATE outgoing_transfer SET state = 'signed'",
      'edits a withdrawal': "UPDATE withdrawal SET state = 'approved'",
      approves: 'INSERT INTO withdrawal_approval VALUES (:member, :requested, 1, now())',
      posts: `INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at) VALUES (1, 1, 0, 'withdraw', 'held', 'custody:hot', 1, now())`,
      'reads balances': 'SELECT FROM member_balance',
      'reads members': 'SELECT FROM member',
    },
    money.signer,
  )
})

import { type Connection, constraintOf, sqlState } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../core/query.sql.ts'
import { usdt } from '../../testing/money-fixture.ts'
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
const plainId = await money.member()
await money.approve(approved, operatorId)
const txid = await money.prepare(approved)

/** What PostgreSQL answers to a statement, of the server unless another role is named: the name of a constraint, else the SQLSTATE; null where it lets it pass. */
async function refusalOf(statement: string, { db }: Pick<Connection, 'db'> = money) {
  const filled = statement
    .replaceAll(':requested', String(requested))
    .replaceAll(':approved', String(approved))
    .replaceAll(':member', String(memberId))
    .replaceAll(':plain', String(plainId))
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
    'makes an operator': "UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = :member",
    'makes a fundator': 'UPDATE member SET is_fundator = true WHERE id = :member',
    'changes a wallet': "UPDATE withdrawal SET wallet_address = 'x' WHERE id = :requested",
    'rewrites history': 'UPDATE principal_movement SET amount = 1',
    'books a transfer again': 'UPDATE outgoing_transfer_booking SET journal_id = 1',
    'books by hand': 'INSERT INTO outgoing_transfer_booking VALUES (:txid, 1, now())',
    posts: `INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at)
      VALUES (:member, 1, 9, 'deposit_to_balance', 'custody:deposits', 'balance', 1, now())`,
    'opens a journal': `INSERT INTO journal (key, kind, at, input_hash) VALUES ('mint', 'deposit', now(), '')`,
    'posts an event of its own making': `SELECT post_event('mint', 'deposit', :member, now(), '{deposit_to_balance}', '{1}')`,
    'credits by hand': `INSERT INTO deposit_credit (txid, position, member_id, journal_id, amount, outcome, credited_at)
      VALUES (:txid, 0, :member, 1, 1, 'no_invoice', now())`,
    'writes an investment': `INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
      VALUES (:member, 1, 5, 5, true, 1, now())`,
    'says by hand that an invoice is paid': `UPDATE invoice SET state = 'paid'`,
    'opens an invoice that money came for': `INSERT INTO invoice (member_id, txn_id, amount, fee, plan_version, created_at, expires_at, received)
      VALUES (:member, 'a', 10000, 0, 1, now(), now(), 10000)`,
    'writes a withdrawal': `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, state,
        approvals_needed, plan_version, hold_journal_id, requested_at) VALUES (:member, 5, 1, 5, 0, 'x', 'approved', 0, 1, 1, now())`,
    'closes a withdrawal by hand': `UPDATE withdrawal SET closed_at = now() WHERE id = :requested`,
    'approves by hand': "UPDATE withdrawal SET state = 'approved' WHERE id = :requested",
    'shares out by hand': 'INSERT INTO payout_share VALUES (:member, 1, 0, 5)',
    'gives back a hold by itself': `SELECT move_hold('release', :member, :requested, 5, 0, now())`,
  })

  const request = (amount: number) =>
    `SELECT request_withdrawal(:member, ${amount}, 1, ${amount}, 0, 'x', 1::smallint, 1, '[]', '', now())`
  refuses('is refused %s', {
    withdrawal_goes_forward: {
      'cancelling what is approved': 'SELECT cancel_withdrawal(:member, :approved, NULL, now())',
    },
    booking_of_an_ended_transfer: {
      'a payment that no block has': 'SELECT book_outgoing_transfer(:txid, NULL, now())',
      'a payment of no transfer': `SELECT book_outgoing_transfer(repeat('a', 64), NULL, now())`,
    },
    withdrawal_has_no_live_transfer: {
      'money back while a transfer lives': `SELECT refuse_withdrawal(:member, :approved, 'no', :operator, now())`,
    },
    refusal_by_an_operator: {
      'a refusal by a plain member': `SELECT refuse_withdrawal(:member, :requested, 'no', :plain, now())`,
    },
    journal_key_of_another_event: {
      'money back twice, in two shapes': `SELECT cancel_withdrawal(:member, :requested, NULL, now());
        SELECT invest_balance(:member, 'a', 5, 1, now()); SELECT invest_balance(:member, 'a', 6, 1, now())`,
    },
    email_is_proven: {
      'a withdrawal of who never used a code of the mailbox': `UPDATE member SET email_proven_at = NULL WHERE id = :member; ${request(5)}`,
    },
    balance_not_below_zero: { 'more than there is': request(91_000_000) },
    withdrawal_parts_add_up: {
      'a hold of less than leaves': `SELECT request_withdrawal(:member, 5, 1, 1, 0, 'x', 1::smallint, 1, '[]', '', now())`,
    },
    deposit_credit_of_a_transfer: {
      'a credit of what the gateway never saw': `SELECT credit_transfer(repeat('a', 64), 0, now(), 'no_invoice', NULL, 0, NULL)`,
    },
    invoice_is_open: {
      'the end of what is not open': `SELECT end_invoice(:member, 0, 'cancelled', now())`,
    },
    payouts_are_stopped: {
      'a request while payouts are stopped': `${check('unexplained')} SELECT stop_payouts(${newest}, 'books'); ${request(5)}`,
    },
  })
})

describe('whoever writes, the owner of the tables too,', () => {
  /** Without what is asked when such a row is written. */
  const unasked = (statement: string) =>
    `SET LOCAL session_replication_role = replica; ${statement}; SET LOCAL session_replication_role = origin;`
  const approvedBy = (operator: string, id = ':requested') =>
    unasked(
      `INSERT INTO withdrawal_approval (member_id, withdrawal_id, operator_id, at) VALUES (:member, ${id}, ${operator}, now())`,
    )
  const approve = "UPDATE withdrawal SET state = 'approved', approved_at = now() WHERE id = :requested"
  /** The transfer as the chain has ended it, of this withdrawal and this member. */
  const ended = (state: string, of = ':approved', owner = ':member') =>
    unasked(
      `UPDATE outgoing_transfer SET state = '${state}', block = 1, withdrawal_id = ${of}, member_id = ${owner} WHERE txid = :txid`,
    )
  const adopted = unasked('INSERT INTO adopted_transfer VALUES (:txid, 1)')
  const complete = (txid = ':txid') =>
    `UPDATE withdrawal SET state = 'completed', closed_at = now(), close_journal_id = 1, txid = ${txid} WHERE id = :approved`
  const APPROVALS = 'withdrawal_has_its_approvals'
  const TRANSFER = 'withdrawal_has_its_transfer'
  const OWN = `UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = :member;`
  const cases: readonly (readonly [string, string | null, string])[] = [
    [
      'changes no wallet',
      'withdrawal_never_changes',
      `UPDATE withdrawal SET wallet_address = 'x' WHERE id = :requested`,
    ],
    ['approves nothing that nobody approved', APPROVALS, approve],
    ['nothing that a plain member approved', APPROVALS, approvedBy(':plain') + approve],
    [
      'nothing by the approval of another withdrawal',
      APPROVALS,
      approvedBy('(SELECT max(id) FROM member WHERE is_operator AND id <> :operator)', ':approved') + approve,
    ],
    ['but what an operator approved', null, approvedBy(':operator') + approve],
    ['or what the chain has shown', null, adopted + ended('settled', ':requested') + approve],
    ['of this member', APPROVALS, adopted + ended('settled', ':requested', '0') + approve],
    ['and this withdrawal', APPROVALS, adopted + ended('settled') + approve],
    ['to its end', APPROVALS, adopted + ended('failed', ':requested') + approve],
    ['and not as ours alone', APPROVALS, ended('settled', ':requested') + approve],
    ['completes nothing before its transfer is settled', TRANSFER, complete()],
    ['or by one that failed', TRANSFER, ended('failed') + complete()],
    ['or is of another member', TRANSFER, ended('settled', ':approved', '0') + complete()],
    ['or of another withdrawal', TRANSFER, ended('settled', ':requested') + complete()],
    ['or is none', TRANSFER, ended('settled') + complete("repeat('a', 64)")],
    ['but by its own', null, ended('settled') + complete()],
    [
      'refuses nothing that failed on chain and is not booked',
      'withdrawal_has_no_live_transfer',
      `${ended('failed')} SELECT refuse_withdrawal(:member, :approved, 'no', :operator, now())`,
    ],
    [
      'refuses nothing for its own member',
      'refusal_by_an_operator',
      `${OWN} SELECT refuse_withdrawal(:member, :requested, 'no', :member, now())`,
    ],
    [
      'refuses nothing that nobody asked for',
      '23503',
      `SELECT refuse_withdrawal(:member, 0, 'no', :operator, now())`,
    ],
  ]
  it.each(cases)('%s', async (_, refused, statement) => {
    expect(await refusalOf(statement, money.server.owner)).toBe(refused)
  })
})

const check = (verdict: string) =>
  `INSERT INTO reserve_check (at, block, verdict, hot, cold, deposits, in_flight, owed, drift)
    VALUES (now(), 1, '${verdict}', 0, 0, 0, 0, 0, 0);`
const newest = '(SELECT max(id) FROM reserve_check)'
const STOPPED = `${check('unexplained')} SELECT stop_payouts(${newest}, 'books');`

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
    },
  })

  it('lifts no stop where the books hold more than the wallets, whatever the comparison says', async () => {
    const minted = `SELECT post_event('mint', 'deposit', :member, now(), '{deposit_to_balance}', '{3000000000}');
      SET LOCAL ROLE aval_worker;`
    expect(await refusalOf(minted + STOPPED + check('matched') + lift(), money.server.owner)).toBe(
      'payout_stop_lifted_by_a_match',
    )
  })

  it('lifts a stop by a newer comparison that matched, where the books match', async () => {
    expect(await refusalOf(STOPPED + check('matched') + lift())).toBe(null)
  })
})

describe('the server that wants to approve by itself', () => {
  const rows = `ARRAY[:requested::bigint], ARRAY[:member::bigint], ARRAY[60000000::bigint], ARRAY[1000000::bigint], ARRAY['T']`
  forbids('%s', {
    'writes no approval': 'INSERT INTO withdrawal_approval VALUES (:member, :requested, :operator, now())',
    'submits none': `SELECT submit_approval(:operator, 'withdrawals', 'devnet', repeat('a', 64), now(), repeat('a', 64), '{}', ${rows})`,
    'accepts none': 'SELECT accept_approval(1)',
    'sees none that waits': 'SELECT FROM approval',
  })

  it('takes away the operators that approvals are counted by, and then they do not count', async () => {
    const again = await money.place(ana, '20')
    await query(
      money.owner,
    )`UPDATE member SET is_operator = false, operator_role = NULL WHERE id = ${operatorId}`
    expect(
      await refusalOf(
        `SELECT submit_approval(:operator, 'withdrawals', 'devnet', repeat('a', 64), now(), repeat('a', 64), '{}', ${rows})`,
        money.approvals,
      ),
    ).toBe('approval_by_an_operator')
    await query(
      money.owner,
    )`UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = ${operatorId}`
    expect(await money.approve(again, operatorId)).toBe('accepted')
  })
})

interface Prepared {
  readonly owner: bigint
  readonly id: bigint | null
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

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

  const prepare = (
    purpose: string,
    { owner = memberId, id = null, from = HOT, to = HOT, amount = 1n }: Partial<Prepared>,
  ) =>
    queryValue<boolean>(money.gateway.db)`
      SELECT prepare_outgoing_transfer(${'b'.repeat(64)}, ${purpose}, ${owner}, ${id}, ${from}, ${to}, ${amount}, ''::bytea, now(), false)`

  it('prepares no transfer of what is not approved, to another wallet, of another amount, or beside a living one', async () => {
    const pays = (id: bigint, to: string, amount: bigint, owner = memberId) =>
      prepare('withdrawal', { id, to, amount, owner })
    const free = await money.place(ana, '20')
    await money.approve(free, operatorId)
    expect(await pays(requested, wallet, 59_000_000n)).toBe(false)
    expect(await pays(free, 'Tother', 19_000_000n)).toBe(false)
    expect(await pays(free, wallet, 20_000_000n)).toBe(false)
    expect(await pays(free, wallet, 19_000_000n, operatorId)).toBe(false)
    expect(await pays(999_999n, wallet, 19_000_000n)).toBe(false)
    expect(await pays(approved, wallet, 49_000_000n)).toBe(false)
  })

  it('prepares none beside one that failed until that is booked, and is not kept from it by those of others', async () => {
    const bea = await money.withdrawer('100')
    const [failing, other] = [await money.place(bea, '40'), await money.place(bea, '40')]
    for (const id of [failing, other]) await money.approve(id, operatorId)
    const failed = await money.prepare(failing)
    await money.sign(failed)
    await money.conclude(failed, { result: 'OUT_OF_ENERGY' })
    await expect(money.prepare(failing)).rejects.toThrow('could not be prepared')
    const paid = await money.prepare(other)
    await money.sign(paid)
    await money.settle(paid)
    const states = async () => {
      const rows = await query<{ state: string }>(
        money.db,
      )`SELECT state FROM withdrawal WHERE member_id = ${bea.id} ORDER BY id`
      return rows.map(({ state }) => state)
    }
    expect(await states()).toEqual(['approved', 'completed'])
    await money.settle(failed, { result: 'OUT_OF_ENERGY' })
    expect(await states()).toEqual(['failed', 'completed'])
  })

  it('prepares a sweep and its fuel for the address of that member alone, and surplus for the cold wallet', async () => {
    const bea = await money.withdrawer('1')
    const [{ address } = { address: '' }] = await query<{ address: string }>(money.owner)`
      SELECT address FROM deposit_address WHERE member_id = ${bea.id}`
    expect(await prepare('sweep', { from: address })).toBe(false)
    expect(await prepare('trx_topup', { to: address })).toBe(false)
    expect(await prepare('sweep', { owner: bea.id, from: wallet })).toBe(false)
    expect(await prepare('sweep', { owner: bea.id, from: address, to: wallet })).toBe(false)
    expect(await prepare('surplus', { owner: 0n, to: wallet })).toBe(false)
  })

  it('expires no signed transfer before the chain is read past its time, and none that is not there', async () => {
    expect(await money.expire('a'.repeat(64))).toBe(false)
    expect(await money.sign(txid)).toBe('signed')
    expect(await money.expire(txid)).toBe(false)
    const read = (number: number, seconds: number) =>
      queryValue<string>(money.gateway.db)`
        SELECT move_chain_cursor('devnet', ARRAY[${number}::bigint], ARRAY[${number}::text], ARRAY[${number - 1}::text],
          ARRAY[${new Date(money.now.getTime() + 1_000 * seconds)}::timestamptz])`
    await query(money.gateway.db)`
      INSERT INTO chain_cursor (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at)
      VALUES ('devnet', 1, '1', 1, 1, now())`
    expect(await read(2, 60)).toBe('moved')
    expect(await money.expire(txid)).toBe(false)
    expect(await read(3, 61)).toBe('moved')
    expect(await money.expire(txid)).toBe(true)
  })
})

describe('the signer', () => {
  /** What became of each, asked for in one call. */
  async function sign(cap: bigint, ...txids: readonly string[]) {
    const rows = await query<{ verdict: string }>(money.signer.db)`
      SELECT verdict FROM sign_outgoing_transfers(${txids}, ${txids.map(() => Buffer.alloc(65, 7))}, ${cap})`
    return rows.map(({ verdict }) => verdict)
  }
  /** A withdrawal of 21, approved and prepared: 20 leave. */
  async function leaving(who: Awaited<ReturnType<typeof money.withdrawer>>) {
    const id = await money.place(who, '21')
    await money.approve(id, operatorId)
    return money.prepare(id)
  }

  it('signs withdrawals up to what may leave in 24 hours, whatever moves between our own addresses', async () => {
    const bea = await money.withdrawer('500')
    const [{ address } = { address: '' }] = await query<{ address: string }>(money.owner)`
      SELECT address FROM deposit_address WHERE member_id = ${bea.id}`
    expect(await sign(1n, await money.prepareOwn('sweep', address, HOT, '400'))).toEqual(['signed'])
    const left = await queryValue<bigint>(money.owner)`
      SELECT coalesce(sum(amount), 0)::bigint FROM outgoing_transfer WHERE purpose = 'withdrawal' AND signed_at IS NOT NULL`
    const [first, second, third] = [await leaving(bea), await leaving(bea), await leaving(bea)]
    expect(await sign(left + usdt('39.999999'), first, second)).toEqual(['signed', 'cap_reached'])
    expect(await sign(left + usdt('40'), second, second, third)).toEqual([
      'signed',
      'not_prepared',
      'cap_reached',
    ])
    expect(await sign(left + usdt('1000'), first, 'f'.repeat(64))).toEqual(['not_prepared', 'not_prepared'])
  })

  it('signs nothing of a frozen member, and what is of others', async () => {
    const [bea, eva] = [await money.withdrawer('100'), await money.withdrawer('100')]
    const [frozen, free] = [await leaving(bea), await leaving(eva)]
    const freeze = (isFrozen: boolean) =>
      query(money.db)`SELECT freeze_member(${bea.id}, ${isFrozen}, 'a reason', ${operatorId}, ${money.now})`
    await freeze(true)
    expect(await sign(usdt('100000'), frozen, free)).toEqual(['frozen', 'signed'])
    await freeze(false)
    expect(await sign(usdt('100000'), frozen)).toEqual(['signed'])
  })

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

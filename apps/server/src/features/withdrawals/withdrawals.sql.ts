/** What commands read and write: withdrawals, approvals, outgoing transfers as the gateway recorded them, bookings. */
import type { WithdrawalRisk } from '@aval/contract'
import type { DB, Db, Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { type Insertable, sql } from 'kysely'
import { query, queryColumn, queryOne, queryValue } from '../../core/query.sql.ts'
import type { ClosedState } from './withdrawals.rules.ts'

export function selectMember(db: Db, memberId: bigint) {
  return db
    .selectFrom('member')
    .select(['id', 'email', 'locale', 'usdt_wallet'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
}

/** What tells an operator whether a request looks like its member. */
export async function selectRiskFacts(
  db: Db,
  asked: { memberId: bigint; sessionId: string; userAgent: string; wallet: string },
) {
  const { memberId, sessionId, userAgent, wallet } = asked
  return queryOne<{
    walletSince: Date | null
    securityChangedAt: Date | null
    hasWithdrawn: boolean
    deviceSeenBefore: boolean
    walletShared: boolean
  }>(db)`
    SELECT (SELECT max(at) FROM security_event WHERE member_id = ${memberId} AND kind = 'wallet_changed') AS "walletSince",
      (SELECT max(at) FROM security_event WHERE member_id = ${memberId}
        AND kind NOT IN ('wallet_changed', 'signed_in_new', 'fundator_on', 'fundator_off')) AS "securityChangedAt",
      EXISTS (SELECT FROM withdrawal WHERE member_id = ${memberId} AND state = 'completed') AS "hasWithdrawn",
      EXISTS (SELECT FROM session old JOIN session own ON own.member_id = old.member_id AND own.id = ${sessionId}
        WHERE old.member_id = ${memberId} AND old.id <> own.id AND old.started_at < own.started_at
          AND old.user_agent = ${userAgent}) AS "deviceSeenBefore",
      EXISTS (SELECT FROM member WHERE usdt_wallet = ${wallet} AND usdt_wallet <> '' AND id <> ${memberId}) AS "walletShared"`
}

/** The number of the next withdrawal: drawn first, because the journal of its hold is named by it. */
export async function nextNumber(tx: Tx): Promise<bigint> {
  return queryValue<bigint>(tx)`SELECT nextval('withdrawal_id_seq')`
}

export async function insertWithdrawal(
  tx: Tx,
  row: {
    memberId: bigint
    id: bigint
    amount: Micro
    fee: Micro
    fromBalance: Micro
    fromPrincipal: Micro
    wallet: string
    approvalsNeeded: number
    planVersion: number
    risks: readonly WithdrawalRisk[]
    device: string
    journalId: bigint
    at: Date
  },
): Promise<void> {
  await query(tx)`
    INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed,
      plan_version, risks, device, hold_journal_id, requested_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${row.memberId}, ${row.id}, ${row.amount}, ${row.fee}, ${row.fromBalance}, ${row.fromPrincipal}, ${row.wallet},
      ${row.approvalsNeeded}, ${row.planVersion}, ${JSON.stringify(row.risks)}::jsonb, ${row.device}, ${row.journalId}, ${row.at})`
}

/** Principal that leaves for a withdrawal, below zero, or comes back from one, in the order of history. */
export async function insertPrincipalMovement(tx: Tx, movement: Insertable<DB['principal_movement']>) {
  await tx.insertInto('principal_movement').values(movement).execute()
}

const ROW = [
  'member_id',
  'id',
  'amount',
  'fee',
  'from_balance',
  'from_principal',
  'wallet_address',
  'state',
  'approvals_needed',
] as const

/** A withdrawal as it stands; undefined also for another member's. */
export async function selectRow(db: Db, memberId: bigint, id: bigint) {
  return db
    .selectFrom('withdrawal')
    .select(ROW)
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export type WithdrawalRow = NonNullable<Awaited<ReturnType<typeof selectRow>>>

/** Whose these are; what nobody knows is left out. */
export function selectOwners(db: Db, ids: readonly bigint[]) {
  return db
    .selectFrom('withdrawal')
    .select(['member_id', 'id'])
    .where('id', 'in', [...ids])
    .orderBy('member_id')
    .orderBy('id')
    .execute()
}

export async function selectRequested(db: Db, memberId: bigint): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    SELECT id FROM withdrawal WHERE member_id = ${memberId} AND state = 'requested' ORDER BY id`
}

export async function updateApproved(tx: Tx, memberId: bigint, id: bigint, at: Date): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set({ state: 'approved', approved_at: at })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .execute()
}

export interface Closing {
  readonly state: ClosedState
  readonly closed_at: Date
  readonly close_journal_id: bigint
  /** A stable name, or an operator's words. */
  readonly reason: string | null
  /** The operator or member who ended it; null for the chain. */
  readonly closed_by: bigint | null
  readonly txid: string | null
}

export async function updateClosed(tx: Tx, memberId: bigint, id: bigint, closing: Closing): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set(closing)
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .execute()
}

/** False when this operator approved it before. */
export async function insertApproval(tx: Tx, approval: Insertable<DB['withdrawal_approval']>) {
  const rows = await tx
    .insertInto('withdrawal_approval')
    .values(approval)
    .onConflict((conflict) => conflict.doNothing())
    .returning('operator_id')
    .execute()
  return rows.length === 1
}

export async function countApprovals(db: Db, memberId: bigint, id: bigint): Promise<number> {
  const row = await db
    .selectFrom('withdrawal_approval')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .where('withdrawal_id', '=', id)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Whether a transfer of it can still arrive, or the chain has ended one and that is to be booked. */
export async function hasLiveTransfer(db: Db, memberId: bigint, id: bigint): Promise<boolean> {
  const row = await db
    .selectFrom('outgoing_transfer')
    .select('txid')
    .where('purpose', '=', 'withdrawal')
    .where('member_id', '=', memberId)
    .where('withdrawal_id', '=', id)
    .where('state', '<>', 'expired')
    .executeTakeFirst()
  return row !== undefined
}

/** A transfer that the gateway closed or not; undefined where there is none. */
export function selectTransfer(db: Db, txid: string) {
  return db
    .selectFrom('outgoing_transfer')
    .select(['txid', 'purpose', 'member_id', 'withdrawal_id', 'amount', 'state', 'result', 'arrived'])
    .where('txid', '=', txid)
    .executeTakeFirst()
}

export type OutgoingTransfer = NonNullable<Awaited<ReturnType<typeof selectTransfer>>>

export async function selectIsBooked(db: Db, txid: string): Promise<boolean> {
  const row = await db
    .selectFrom('outgoing_transfer_booking')
    .select('txid')
    .where('txid', '=', txid)
    .executeTakeFirst()
  return row !== undefined
}

/** Its journal is null where nothing moved. */
export async function insertBooking(tx: Tx, booking: Insertable<DB['outgoing_transfer_booking']>) {
  await tx.insertInto('outgoing_transfer_booking').values(booking).execute()
}

/** At most so many a catch-up; the rest waits for the next. */
const MOST = 5000

/** Closed transfers that wait for their booking, in the order of the chain. A TRX top-up moves no USDT and is not booked. */
export async function selectUnbooked(db: Db): Promise<string[]> {
  return queryColumn<string>(db)`
    SELECT p.txid FROM outgoing_transfer p WHERE p.state IN ('settled', 'failed') AND p.purpose <> 'trx_topup'
      AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
    ORDER BY p.block, p.closed_at, p.txid LIMIT ${MOST}`
}

/** One of the company's wallets, and what it held when it was registered. */
export function selectCustody(db: Db, address: string) {
  return db
    .selectFrom('custody_address')
    .select(['address', 'role', 'opening'])
    .where('address', '=', address)
    .executeTakeFirst()
}

/** Wallets whose opening was never booked. */
export async function selectUnopened(db: Db): Promise<string[]> {
  return queryColumn<string>(db)`
    SELECT address FROM custody_address WHERE opening > 0
      AND NOT EXISTS (SELECT FROM journal WHERE key = 'opening:' || address) ORDER BY role`
}

/** What commands read and write: withdrawals, approvals, outgoing transfers as the gateway recorded them, bookings. */
import type { RiskMark } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { query, queryColumn, queryOne, queryValue } from '../../core/query.sql.ts'

export function selectMember(db: Db, memberId: bigint) {
  return db
    .selectFrom('member')
    .select(['id', 'username', 'email', 'email_proven_at', 'locale', 'usdt_wallet'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
}

/** What tells an operator whether a request looks like its member. */
export async function selectRiskFacts(db: Db, { memberId, wallet }: { memberId: bigint; wallet: string }) {
  return queryOne<{
    walletSince: Date | null
    securityChangedAt: Date | null
    hasWithdrawn: boolean
    walletSharedWith: string | null
  }>(db)`
    SELECT (SELECT max(at) FROM security_event WHERE member_id = ${memberId} AND kind = 'wallet_changed'
        AND details->>'previous' <> '') AS "walletSince",
      (SELECT max(at) FROM security_event WHERE member_id = ${memberId}
        AND kind NOT IN ('wallet_changed', 'signed_in_new', 'passkey_refused', 'fundator_on', 'fundator_off', 'account_frozen',
          'account_unfrozen', 'extra_points_set')) AS "securityChangedAt",
      EXISTS (SELECT FROM withdrawal WHERE member_id = ${memberId} AND state = 'completed') AS "hasWithdrawn",
      (SELECT min(username) FROM member WHERE usdt_wallet = ${wallet} AND usdt_wallet <> '' AND id <> ${memberId}) AS "walletSharedWith"`
}

/** Sets the parts aside, and stores the request. @returns its number */
export async function insertWithdrawal(
  tx: Tx,
  row: {
    memberId: bigint
    amount: Micro
    fee: Micro
    fromBalance: Micro
    fromPrincipal: Micro
    wallet: string
    approvalsNeeded: number
    planVersion: number
    risks: readonly RiskMark[]
    device: string
    at: Date
    /** What the member's passkey signed, where it has to. */
    proof: object | null
  },
): Promise<bigint> {
  return queryValue<bigint>(tx)`
    SELECT request_withdrawal(${row.memberId}, ${row.amount}, ${row.fee}, ${row.fromBalance}, ${row.fromPrincipal}, ${row.wallet},
      ${row.approvalsNeeded}::smallint, ${row.planVersion}, ${JSON.stringify(row.risks)}::jsonb, ${row.device}, ${row.at}, ${row.proof === null ? null : JSON.stringify(row.proof)}::jsonb)`
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

/** Who ended a withdrawal and when; null for the chain, and where it is open. */
export function selectClosure(db: Db, memberId: bigint, id: bigint) {
  return db
    .selectFrom('withdrawal as w')
    .leftJoin('member as c', 'c.id', 'w.closed_by')
    .select(['c.username as by', 'w.closed_at as at'])
    .where('w.member_id', '=', memberId)
    .where('w.id', '=', id)
    .executeTakeFirstOrThrow()
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

/** What it held goes back to where it was taken from. */
export async function cancelWithdrawal(
  tx: Tx,
  { member_id, id }: WithdrawalRow,
  reason: string | null,
  at: Date,
): Promise<void> {
  await query(tx)`SELECT cancel_withdrawal(${member_id}, ${id}, ${reason}, ${at})`
}

/** Likewise, by an operator. @param reason a stable name, or the operator's words */
export async function refuseWithdrawal(
  tx: Tx,
  { member_id, id }: WithdrawalRow,
  reason: string | null,
  operatorId: bigint | null,
  at: Date,
): Promise<void> {
  await query(tx)`SELECT refuse_withdrawal(${member_id}, ${id}, ${reason}, ${operatorId}, ${at})`
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

/**
 * Books what the chain says of a transfer, once. False where it was booked before.
 * @param reason why a withdrawal failed: a stable name
 */
export async function bookTransfer(tx: Tx, txid: string, reason: string | null, at: Date): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT book_outgoing_transfer(${txid}, ${reason}, ${at})`
}

/** Whose withdrawals these transfers are, of those that arrived, in their order. */
export function selectPaidMembers(db: Db, txids: readonly string[]): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    SELECT DISTINCT member_id FROM outgoing_transfer
    WHERE txid = ANY(${txids}::text[]) AND purpose = 'withdrawal' AND state = 'settled' ORDER BY member_id`
}

/** Withdrawals that these transfers paid and that are not booked yet, in the order given. */
export async function selectPaid(db: Db, txids: readonly string[]) {
  const rows = await query<{
    txid: string
    sent: bigint
    arrived: bigint | null
    email: string
    locale: string
    member_id: bigint
    id: bigint
    amount: bigint
    fee: bigint
    wallet_address: string
  }>(db)`
    SELECT p.txid, p.amount AS sent, p.arrived, m.email, m.locale, w.member_id, w.id, w.amount, w.fee, w.wallet_address
    FROM unnest(${txids}::text[]) WITH ORDINALITY AS asked (txid, place) JOIN outgoing_transfer p ON p.txid = asked.txid
      JOIN withdrawal w ON w.member_id = p.member_id AND w.id = p.withdrawal_id JOIN member m ON m.id = w.member_id
    WHERE p.purpose = 'withdrawal' AND p.state = 'settled'
      AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)
    ORDER BY asked.place`
  return rows.map(({ txid, sent, arrived, email, locale, ...withdrawal }) => ({
    ...withdrawal,
    transfer: { txid, amount: sent, arrived },
    member: { email, locale },
  }))
}

/** Books withdrawals that were paid, in this order, all of them or none. @returns their transfers */
export async function bookTransfers(tx: Tx, txids: readonly string[], at: Date): Promise<string[]> {
  const rows = await query<{ txid: string; booked: boolean }>(tx)`
    SELECT asked.txid, book_outgoing_transfer(asked.txid, NULL, ${at}) AS booked
    FROM unnest(${txids}::text[]) WITH ORDINALITY AS asked (txid, place) ORDER BY asked.place`
  const before = rows.find(({ booked }) => !booked)
  if (before !== undefined) throw new Error(`the transfer ${before.txid} was booked meanwhile`)
  return rows.map(({ txid }) => txid)
}

/** What a wallet of the company held when it was pinned becomes the company's deposit, once. */
export async function bookOpening(db: Db, address: string, at: Date): Promise<void> {
  await query(db)`SELECT book_opening(${address}, ${at})`
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

/** Wallets whose opening was never booked. */
export async function selectUnopened(db: Db): Promise<string[]> {
  return queryColumn<string>(db)`
    SELECT address FROM custody_address WHERE opening > 0
      AND NOT EXISTS (SELECT FROM journal WHERE key = 'opening:' || address) ORDER BY role`
}

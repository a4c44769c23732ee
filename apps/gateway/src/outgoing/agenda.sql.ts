/** What there is to do for payments, and what stands in the way. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { Purpose } from './settlement.rules.ts'

export type ObstacleCode =
  | 'chain_unhealthy'
  | 'nodes_disagree'
  | 'token_paused'
  | 'token_fee'
  | 'hot_blacklisted'
  | 'hot_usdt'
  | 'hot_trx'
  | 'fee_limit'
  | 'recipient_blacklisted'
  | 'would_revert'
  | 'signer_away'
  | 'signer_refused'
  | 'signer_cap'

export interface Agenda {
  readonly stopped: boolean
  /** What holds up all withdrawals, when it was last looked at. */
  readonly obstacle: { readonly code: ObstacleCode; readonly checkedAt: Date } | null
  readonly hasLive: boolean
  readonly hasApproved: boolean
  readonly hasObstacles: boolean
}

/** One question, cheap when there is nothing. */
export async function readAgenda(db: Db): Promise<Agenda> {
  const { rows } = await sql<{
    stopped: boolean
    code: ObstacleCode | null
    checkedAt: Date | null
    hasLive: boolean
    hasApproved: boolean
    hasObstacles: boolean
  }>`
    SELECT s.stopped, o.code, o.checked_at AS "checkedAt",
      EXISTS (SELECT FROM outgoing_transfer WHERE state IN ('prepared', 'signed')) AS "hasLive",
      EXISTS (SELECT FROM withdrawal WHERE state = 'approved') AS "hasApproved",
      EXISTS (SELECT FROM withdrawal_delay) AS "hasObstacles"
    FROM payout_stop s LEFT JOIN withdrawal_delay o ON o.member_id = 0 AND o.withdrawal_id = 0`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('payout_stop has no row')
  const { code, checkedAt, ...rest } = row
  return { ...rest, obstacle: code === null || checkedAt === null ? null : { code, checkedAt } }
}

export interface DueWithdrawal {
  readonly memberId: bigint
  readonly id: bigint
  readonly to: string
  /** What is to arrive, in micro-USDT. */
  readonly amount: bigint
  /** Whether something stood in its way when it was last looked at. */
  readonly hasObstacle: boolean
}

/**
 * Approved withdrawals without a payment that lives or has ended them, the oldest first. One whose payment died is due
 * again when the chain's clock is past that payment's expiration, whatever the payment died of.
 * @param before those with an obstacle are left alone until they were last looked at before this (the system's time)
 */
export async function findDue(db: Db, chainAt: Date, before: Date, limit: number): Promise<DueWithdrawal[]> {
  const { rows } = await sql<DueWithdrawal>`
    SELECT w.member_id AS "memberId", w.id, w.wallet_address AS "to", w.amount - w.fee AS amount, o.code IS NOT NULL AS "hasObstacle"
    FROM withdrawal w LEFT JOIN withdrawal_delay o ON o.member_id = w.member_id AND o.withdrawal_id = w.id
    WHERE w.state = 'approved' AND (o.checked_at IS NULL OR o.checked_at < ${before})
      AND NOT EXISTS (
        SELECT FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = w.member_id AND p.withdrawal_id = w.id
          AND (p.state <> 'expired' OR p.expires_at >= ${chainAt}))
    ORDER BY w.approved_at, w.id LIMIT ${limit}`.execute(db)
  return rows
}

export interface OpenPayment {
  readonly txid: string
  readonly purpose: Purpose
  readonly memberId: bigint
  readonly withdrawalId: bigint | null
  readonly isSigned: boolean
  readonly offline: boolean
  readonly isSeen: boolean
  readonly broadcasts: number
  readonly from: string
  readonly amount: bigint
  readonly expiresAt: Date
}

/** All payments that may still happen; withdrawals first, the oldest first. */
export async function findOpen(db: Db): Promise<OpenPayment[]> {
  const { rows } = await sql<OpenPayment>`
    SELECT txid, purpose, member_id AS "memberId", withdrawal_id AS "withdrawalId", state = 'signed' AS "isSigned", offline,
      seen_block IS NOT NULL AS "isSeen", broadcasts, from_address AS "from", amount, expires_at AS "expiresAt"
    FROM outgoing_transfer WHERE state IN ('prepared', 'signed')
    ORDER BY purpose <> 'withdrawal', prepared_at, txid`.execute(db)
  return rows
}

export interface NewPayment {
  readonly txid: string
  readonly raw: Uint8Array
  readonly purpose: Purpose
  readonly memberId: bigint
  readonly withdrawalId: bigint | null
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly expiresAt: Date
  readonly offline: boolean
}

/** Stores payments to be signed; gives the txids of those that the database accepted. */
export async function preparePayments(db: Db, payments: readonly NewPayment[]): Promise<Set<string>> {
  if (payments.length === 0) return new Set()
  const column = (read: (payment: NewPayment) => string | boolean | null) => payments.map(read)
  const { rows } = await sql<{ txid: string; prepared: boolean }>`
    SELECT p.txid, prepare_outgoing_transfer(p.txid, p.purpose, p.owner, p.withdrawal, p.sender, p.receiver, p.amount,
      decode(p.raw, 'hex'), p.expires_at, p.offline) AS prepared
    FROM unnest(
      ${column((each) => each.txid)}::text[], ${column((each) => each.purpose)}::text[],
      ${column((each) => String(each.memberId))}::bigint[],
      ${column((each) => (each.withdrawalId === null ? null : String(each.withdrawalId)))}::bigint[],
      ${column((each) => each.from)}::text[], ${column((each) => each.to)}::text[],
      ${column((each) => String(each.amount))}::bigint[],
      ${column((each) => Buffer.from(each.raw).toString('hex'))}::text[],
      ${column((each) => each.expiresAt.toISOString())}::timestamptz[], ${column((each) => each.offline)}::boolean[]
    ) AS p (txid, purpose, owner, withdrawal, sender, receiver, amount, raw, expires_at, offline)
    ORDER BY p.owner, p.withdrawal`.execute(db)
  return new Set(rows.flatMap((row) => (row.prepared ? [row.txid] : [])))
}

/** Buries what can enter the chain no more: the solid chain is read past its expiration without it. */
export async function buryExpired(db: Db, network: string): Promise<string[]> {
  const { rows } = await sql<{ txid: string; buried: boolean }>`
    SELECT p.txid, expire_outgoing_transfer(p.txid, ${network}) AS buried
    FROM outgoing_transfer p
    WHERE p.state IN ('prepared', 'signed') AND p.expires_at < (SELECT scanned_at FROM chain_cursor WHERE network = ${network})`.execute(
    db,
  )
  return rows.flatMap((row) => (row.buried ? [row.txid] : []))
}

/** Buries one that nobody has signed. False when it was signed or closed meanwhile. */
export async function buryUnsigned(db: Db, network: string, txid: string): Promise<boolean> {
  const { rows } = await sql<{
    buried: boolean
  }>`SELECT expire_outgoing_transfer(${txid}, ${network}) AS buried`.execute(db)
  return rows[0]?.buried === true
}

export interface SignedPayment {
  readonly txid: string
  readonly raw: Uint8Array
  readonly signature: Uint8Array
}

/** The stored bytes of these, as far as they are signed. */
export async function findSigned(db: Db, txids: readonly string[]): Promise<SignedPayment[]> {
  if (txids.length === 0) return []
  const { rows } = await sql<SignedPayment>`
    SELECT txid, raw, signature FROM outgoing_transfer WHERE txid = any(${txids}::text[]) AND state = 'signed'`.execute(
    db,
  )
  const places = new Map(txids.map((txid, place) => [txid, place]))
  return rows.toSorted((one, other) => (places.get(one.txid) ?? 0) - (places.get(other.txid) ?? 0))
}

/** Notes that payments were handed to nodes, and what was replied, which settles nothing. */
export async function noteBroadcasts(
  db: Db,
  notes: readonly { readonly txid: string; readonly reply: string }[],
  at: Date,
): Promise<void> {
  if (notes.length === 0) return
  await sql`
    UPDATE outgoing_transfer p SET broadcast_at = coalesce(p.broadcast_at, ${at}), broadcasts = p.broadcasts + 1, reply = n.reply
    FROM unnest(${notes.map((each) => each.txid)}::text[], ${notes.map((each) => each.reply)}::text[]) AS n (txid, reply)
    WHERE p.txid = n.txid AND p.state = 'signed'`.execute(db)
}

/** Whose obstacle: of one withdrawal, or (0, 0) of all. */
export interface Obstacle {
  readonly memberId: bigint
  readonly withdrawalId: bigint
  readonly code: ObstacleCode
  readonly detail: string
}

/** Notes what stands in the way, since when, and that it was looked at now; gives those that are new or have changed. */
export async function noteObstacles(db: Db, obstacles: readonly Obstacle[], at: Date): Promise<Obstacle[]> {
  if (obstacles.length === 0) return []
  const { rows } = await sql<{ memberId: bigint; withdrawalId: bigint; isNew: boolean }>`
    INSERT INTO withdrawal_delay AS o (member_id, withdrawal_id, code, detail, since, checked_at)
    SELECT n.member_id, n.withdrawal_id, n.code, n.detail, ${at}, ${at}
    FROM unnest(
      ${obstacles.map((each) => String(each.memberId))}::bigint[], ${obstacles.map((each) => String(each.withdrawalId))}::bigint[],
      ${obstacles.map((each) => each.code)}::text[], ${obstacles.map((each) => each.detail.slice(0, 300))}::text[]
    ) AS n (member_id, withdrawal_id, code, detail)
    ON CONFLICT (member_id, withdrawal_id) DO UPDATE SET code = excluded.code, detail = excluded.detail, checked_at = excluded.checked_at,
      since = CASE WHEN o.code = excluded.code THEN o.since ELSE excluded.since END
    RETURNING member_id AS "memberId", withdrawal_id AS "withdrawalId", since = checked_at AS "isNew"`.execute(
    db,
  )
  const fresh = new Set(
    rows.flatMap(({ isNew, memberId, withdrawalId }) => (isNew ? [`${memberId} ${withdrawalId}`] : [])),
  )
  return obstacles.filter((each) => fresh.has(`${each.memberId} ${each.withdrawalId}`))
}

/** Forgets obstacles of withdrawals that are approved no more. */
export async function dropStaleObstacles(db: Db): Promise<void> {
  await sql`
    DELETE FROM withdrawal_delay o
    WHERE NOT EXISTS (SELECT FROM withdrawal w WHERE w.state = 'approved'
      AND (o.withdrawal_id = 0 OR (w.member_id = o.member_id AND w.id = o.withdrawal_id)))`.execute(db)
}

/** What stood in the way is gone. */
export async function clearObstacles(
  db: Db,
  of: readonly { readonly memberId: bigint; readonly withdrawalId: bigint }[],
): Promise<void> {
  if (of.length === 0) return
  await sql`
    DELETE FROM withdrawal_delay o
    USING unnest(${of.map((each) => String(each.memberId))}::bigint[], ${of.map((each) => String(each.withdrawalId))}::bigint[])
      AS n (member_id, withdrawal_id)
    WHERE o.member_id = n.member_id AND o.withdrawal_id = n.withdrawal_id`.execute(db)
}

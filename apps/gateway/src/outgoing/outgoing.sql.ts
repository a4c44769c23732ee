/** Our outgoing transfers until they are broadcast, and what delays withdrawals. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { OutgoingTransfer } from '../core/outgoing-transfer.rules.ts'

export type DelayCode =
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
  | 'earlier_transfer_unseen'
  | 'earlier_transfer_arrived'

export interface Work {
  readonly stopped: boolean
  /** What delays all withdrawals, and when it was last checked. */
  readonly delay: { readonly code: DelayCode; readonly checkedAt: Date } | null
  readonly hasOpen: boolean
  readonly hasApproved: boolean
  readonly hasDelays: boolean
}

/** Whether there is anything to do: one query, cheap when there is not. */
export async function readWork(db: Db): Promise<Work> {
  const { rows } = await sql<
    Omit<Work, 'delay'> & { readonly code: DelayCode | null; readonly checkedAt: Date | null }
  >`
    SELECT s.stopped, d.code, d.checked_at AS "checkedAt",
      EXISTS (SELECT FROM outgoing_transfer WHERE state IN ('prepared', 'signed')) AS "hasOpen",
      EXISTS (SELECT FROM withdrawal WHERE state = 'approved') AS "hasApproved",
      EXISTS (SELECT FROM withdrawal_delay) AS "hasDelays"
    FROM payout_stop s LEFT JOIN withdrawal_delay d ON d.member_id = 0 AND d.withdrawal_id = 0`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('payout_stop has no row')
  const { code, checkedAt, ...rest } = row
  return { ...rest, delay: code === null || checkedAt === null ? null : { code, checkedAt } }
}

export interface DueWithdrawal {
  readonly memberId: bigint
  readonly id: bigint
  readonly to: string
  /** What is to arrive, in micro-USDT. */
  readonly amount: bigint
  /** Whether it was delayed when last checked, by what ends when a transfer is prepared. */
  readonly isDelayed: boolean
  /** The trace that its request began; null where nothing was traced. */
  readonly traceparent: string | null
}

/**
 * Approved withdrawals of accounts that are not frozen, without an open, settled or failed transfer, the oldest first. One whose transfer is expired is due
 * again when the chain's clock is past that transfer's expiration, even where the signer refused it earlier.
 * @param before delayed ones are due when they were last checked before this (the system's time)
 */
export async function findDue(db: Db, chainAt: Date, before: Date, limit: number): Promise<DueWithdrawal[]> {
  const { rows } = await sql<DueWithdrawal>`
    SELECT w.member_id AS "memberId", w.id, w.wallet_address AS "to", w.amount - w.fee AS amount, coalesce(d.code NOT LIKE 'earlier_transfer_%', false) AS "isDelayed",
      w.traceparent
    FROM withdrawal w LEFT JOIN withdrawal_delay d ON d.member_id = w.member_id AND d.withdrawal_id = w.id
    WHERE w.state = 'approved' AND NOT is_frozen(w.member_id) AND (d.checked_at IS NULL OR d.checked_at < ${before})
      AND NOT EXISTS (
        SELECT FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = w.member_id AND p.withdrawal_id = w.id
          AND (p.state <> 'expired' OR p.expires_at >= ${chainAt}))
    ORDER BY w.approved_at, w.id LIMIT ${limit}`.execute(db)
  return rows
}

/** An outgoing transfer that may still enter the chain. */
export interface OpenTransfer extends Omit<OutgoingTransfer, 'to'> {
  readonly memberId: bigint
  readonly withdrawalId: bigint | null
  readonly isSigned: boolean
  readonly offline: boolean
  readonly isSeen: boolean
  readonly broadcasts: number
  readonly expiresAt: Date
  readonly traceparent: string | null
  /** When the signer said last that it has not seen what became of an earlier transfer; null where it never did. */
  readonly unseenAt: Date | null
}

/** All open transfers; withdrawals first, the oldest first. */
export async function findOpen(db: Db): Promise<OpenTransfer[]> {
  const { rows } = await sql<OpenTransfer>`
    SELECT p.txid, p.purpose, p.member_id AS "memberId", p.withdrawal_id AS "withdrawalId", p.state = 'signed' AS "isSigned", p.offline,
      p.seen_block IS NOT NULL AS "isSeen", p.broadcasts, p.from_address AS "from", p.amount, p.expires_at AS "expiresAt", p.traceparent,
      d.checked_at AS "unseenAt"
    FROM outgoing_transfer p LEFT JOIN withdrawal_delay d
      ON d.member_id = p.member_id AND d.withdrawal_id = p.withdrawal_id AND d.code LIKE 'earlier_transfer_%'
    WHERE p.state IN ('prepared', 'signed')
    ORDER BY p.purpose <> 'withdrawal', p.prepared_at, p.txid`.execute(db)
  return rows
}

/** How a sender's transfers failed in their blocks since the last that settled. Each has burnt TRX. */
export interface Failures {
  readonly from: string
  readonly count: number
  /** Of these, for lack of energy. */
  readonly exhausted: number
  readonly lastAt: Date
  /** Of the last that ran out of energy. */
  readonly raw: Uint8Array | null
}

/** Of these senders, within thirty days. Indexes: outgoing_transfer_given_up, outgoing_transfer_left. */
export async function findFailures(db: Db, senders: readonly string[]): Promise<Failures[]> {
  const { rows } = await sql<Failures>`
    SELECT f.from_address AS "from", count(*)::int AS count, count(*) FILTER (WHERE f.result = 'OUT_OF_ENERGY')::int AS exhausted,
      max(f.closed_at) AS "lastAt", (array_agg(f.raw ORDER BY f.block DESC) FILTER (WHERE f.result = 'OUT_OF_ENERGY'))[1] AS raw
    FROM outgoing_transfer f
    WHERE f.state IN ('failed', 'expired') AND f.state = 'failed' AND f.purpose <> 'trx_topup' AND f.from_address = ANY(${senders}::text[])
      AND f.closed_at > now() - interval '30 days' AND NOT EXISTS (SELECT FROM outgoing_transfer s
        WHERE s.state = 'settled' AND s.purpose <> 'trx_topup' AND s.from_address = f.from_address AND s.block > f.block)
    GROUP BY f.from_address`.execute(db)
  return rows
}

export interface NewTransfer extends OutgoingTransfer {
  readonly raw: Uint8Array
  readonly memberId: bigint
  readonly withdrawalId: bigint | null
  readonly expiresAt: Date
  readonly offline: boolean
  /** Of its withdrawal; the database keeps it by itself. */
  readonly traceparent: string | null
}

/** Stores transfers to be signed; gives the txids of those that the database accepted. */
export async function storePrepared(db: Db, transfers: readonly NewTransfer[]): Promise<Set<string>> {
  if (transfers.length === 0) return new Set()
  const column = (read: (transfer: NewTransfer) => string | boolean | null) => transfers.map(read)
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

/** Expires a transfer that nobody has signed. False when it was signed or closed meanwhile. */
export async function expireUnsigned(db: Db, network: string, txid: string): Promise<boolean> {
  const { rows } = await sql<{
    expired: boolean
  }>`SELECT expire_outgoing_transfer(${txid}, ${network}) AS expired`.execute(db)
  return rows[0]?.expired === true
}

export interface SignedTransfer {
  readonly txid: string
  readonly raw: Uint8Array
  readonly signature: Uint8Array
  readonly traceparent: string | null
}

/** The stored bytes of these, as far as they are signed. */
export async function findSigned(db: Db, txids: readonly string[]): Promise<SignedTransfer[]> {
  if (txids.length === 0) return []
  const { rows } = await sql<SignedTransfer>`
    SELECT txid, raw, signature, traceparent FROM outgoing_transfer WHERE txid = any(${txids}::text[]) AND state = 'signed'`.execute(
    db,
  )
  const places = new Map(txids.map((txid, place) => [txid, place]))
  return rows.toSorted((one, other) => (places.get(one.txid) ?? 0) - (places.get(other.txid) ?? 0))
}

/** Notes that transfers were sent to nodes, and the replies, which settle nothing. */
export async function noteBroadcasts(
  db: Db,
  notes: readonly { readonly txid: string; readonly reply: string }[],
  at: Date,
): Promise<void> {
  if (notes.length === 0) return
  await sql`
    WITH locked AS (
      SELECT t.txid, n.reply FROM outgoing_transfer t
      JOIN unnest(${notes.map((each) => each.txid)}::text[], ${notes.map((each) => each.reply)}::text[]) AS n (txid, reply) ON n.txid = t.txid
      WHERE t.state = 'signed' ORDER BY t.txid FOR UPDATE OF t)
    UPDATE outgoing_transfer t SET broadcast_at = coalesce(t.broadcast_at, ${at}), broadcasts = t.broadcasts + 1, reply = l.reply
    FROM locked l WHERE t.txid = l.txid`.execute(db)
}

/** Delays one withdrawal, or all of them as (0, 0). */
export interface Delay {
  readonly memberId: bigint
  readonly withdrawalId: bigint
  readonly code: DelayCode
  readonly detail: string
}

/** Stores delays, since when, and that they were checked now; gives those that are new or have changed. */
export async function saveDelays(db: Db, delays: readonly Delay[], at: Date): Promise<Delay[]> {
  if (delays.length === 0) return []
  const { rows } = await sql<{ memberId: bigint; withdrawalId: bigint; isNew: boolean }>`
    INSERT INTO withdrawal_delay AS d (member_id, withdrawal_id, code, detail, since, checked_at)
    SELECT n.member_id, n.withdrawal_id, n.code, n.detail, ${at}, ${at}
    FROM unnest(
      ${delays.map((each) => String(each.memberId))}::bigint[], ${delays.map((each) => String(each.withdrawalId))}::bigint[],
      ${delays.map((each) => each.code)}::text[], ${delays.map((each) => each.detail.slice(0, 300))}::text[]
    ) AS n (member_id, withdrawal_id, code, detail)
    ON CONFLICT (member_id, withdrawal_id) DO UPDATE SET code = excluded.code, detail = excluded.detail, checked_at = excluded.checked_at,
      since = CASE WHEN d.code = excluded.code THEN d.since ELSE excluded.since END
    RETURNING member_id AS "memberId", withdrawal_id AS "withdrawalId", since = checked_at AS "isNew"`.execute(
    db,
  )
  const fresh = new Set(
    rows.flatMap(({ isNew, memberId, withdrawalId }) => (isNew ? [`${memberId} ${withdrawalId}`] : [])),
  )
  return delays.filter((each) => fresh.has(`${each.memberId} ${each.withdrawalId}`))
}

/** Deletes the delays of withdrawals that are no longer approved. */
export async function deleteStaleDelays(db: Db): Promise<void> {
  await sql`
    DELETE FROM withdrawal_delay d
    WHERE NOT EXISTS (SELECT FROM withdrawal w WHERE w.state = 'approved'
      AND (d.withdrawal_id = 0 OR (w.member_id = d.member_id AND w.id = d.withdrawal_id)))`.execute(db)
}

export async function clearDelays(
  db: Db,
  of: readonly { readonly memberId: bigint; readonly withdrawalId: bigint }[],
): Promise<void> {
  if (of.length === 0) return
  await sql`
    DELETE FROM withdrawal_delay d
    USING unnest(${of.map((each) => String(each.memberId))}::bigint[], ${of.map((each) => String(each.withdrawalId))}::bigint[])
      AS n (member_id, withdrawal_id)
    WHERE d.member_id = n.member_id AND d.withdrawal_id = n.withdrawal_id`.execute(db)
}

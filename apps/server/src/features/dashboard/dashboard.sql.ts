import { type Db, prepared } from '@aval/db'
import type { RawBuilder } from 'kysely'
import { EARNED, IS_EARNED } from '../../core/earned.sql.ts'
import { postingsOf, recentPostingsOf } from '../../core/postings.sql.ts'
import { query } from '../../core/query.sql.ts'
import { isUnfinished } from '../../core/unfinished.sql.ts'

/**
 * What a member earned on each of the days from `since` on, in the plan's time zone; below zero where more was taken back. They are days of
 * open parts: one is sealed when all of it is two months old.
 */
export async function selectDays(db: Db, memberId: bigint, since: Date, timeZone: string) {
  return query<{ day: string; amount: bigint }>(db)`${prepared}
    SELECT to_char(at AT TIME ZONE ${timeZone}::text, 'YYYY-MM-DD') AS day, sum(${EARNED})::bigint AS amount
    FROM posting WHERE member_id = ${memberId} AND ${IS_EARNED} AND at >= ${since}
    GROUP BY 1`
}

export interface RecentRow {
  readonly journal_id: bigint
  readonly kind: string
  readonly at: Date
  readonly amount: bigint
  readonly from_username: string | null
}

async function selectLatest(db: Db, postings: RawBuilder<unknown>, limit: number): Promise<RecentRow[]> {
  return query<RecentRow>(db)`${prepared}
    SELECT p.journal_id, p.kind::text AS kind, p.at, p.amount, m.username AS from_username
    FROM (SELECT * FROM ${postings} q WHERE kind NOT IN ('deposit_fee', 'deposit_to_pending', 'pending_fee', 'repay_profit', 'repay_commission', 'owed_profit', 'owed_commission',
        'hold_balance', 'hold_principal', 'release_balance', 'release_principal', 'withdraw_fee')
      ORDER BY journal_id DESC, leg LIMIT ${limit}) p
    LEFT JOIN payout_run r ON p.kind IN ('direct', 'master') AND r.journal_id = p.journal_id
    LEFT JOIN payout_item i ON i.member_id = p.member_id AND i.run_id = r.id AND i.leg = p.leg
    LEFT JOIN member m ON m.id = i.from_member_id
    ORDER BY p.journal_id DESC, p.leg`
}

/** The latest postings that a member would call an event. The archive of payouts is asked where there are not enough without it. */
export async function selectRecent(db: Db, memberId: bigint, limit: number): Promise<RecentRow[]> {
  const rows = await selectLatest(db, recentPostingsOf(memberId), limit)
  return rows.length < limit ? selectLatest(db, postingsOf(memberId), limit) : rows
}

export interface Figures {
  readonly principal: bigint
  readonly balance: bigint
  /** Set aside for withdrawals. */
  readonly held: bigint
  /** Still to be taken back from the balance after reversals. */
  readonly owed: bigint
  /** Arrived for open invoices. */
  readonly pending: bigint
  readonly earned: bigint
  readonly earned_passive: bigint
  readonly earned_binary: bigint
  /** Sealed for this member, waiting for nothing but its pool. */
  readonly awaiting: bigint
  /** Sealed for this member; an operator has to look at its run. */
  readonly in_review: bigint
  /** Of all that is sealed and held, passive profit. */
  readonly waiting_passive: bigint
  /** Invoices that are open, or ended unpaid lately after money had come for them. */
  readonly pending_investments: number
  /** Why an operator froze the account; null where it is free. */
  readonly frozen: string | null
}

/** All that is one figure of a member, at once: on every visit, each statement costs more to send than to run. */
export async function selectFigures(db: Db, memberId: bigint, endedSince: Date): Promise<Figures> {
  const rows = await query<Figures>(db)`${prepared}
    WITH held AS MATERIALIZED (SELECT id, kind, missing > 0 AS is_short, objections <> '[]' AND overruled_at IS NULL AS in_review
        FROM payout_run WHERE state = 'held'),
      waits AS MATERIALIZED (SELECT r.*, coalesce(s.amount, i.amount) AS amount FROM held r JOIN payout_item i ON i.run_id = r.id AND i.member_id = ${memberId}
          LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg WHERE r.kind <> 'passive'
        UNION ALL SELECT r.*, coalesce(s.amounts[place.i], p.amounts[place.i]) FROM held r
          JOIN payout_page p ON p.run_id = r.id AND p.block = ${memberId}::bigint / 1024
          CROSS JOIN LATERAL (SELECT array_position(p.members, ${memberId}::bigint) AS i) place
          LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block WHERE r.kind = 'passive')
    SELECT b.principal, b.balance, b.held, b.earned, b.earned_passive, b.earned_binary,
      coalesce((SELECT sum(amount) FROM waits WHERE is_short AND NOT in_review), 0)::bigint AS awaiting,
      coalesce((SELECT sum(amount) FROM waits WHERE in_review), 0)::bigint AS in_review,
      coalesce((SELECT sum(amount) FROM waits WHERE kind = 'passive'), 0)::bigint AS waiting_passive,
      coalesce((SELECT sum(r.amount) FROM member_receivable r WHERE r.member_id = ${memberId}), 0)::bigint AS owed,
      coalesce((SELECT sum(i.received) FROM invoice i WHERE i.member_id = ${memberId} AND i.state = 'open'), 0)::bigint AS pending,
      (SELECT count(*)::int FROM invoice i WHERE i.member_id = ${memberId} AND ${isUnfinished(endedSince)}) AS pending_investments,
      (SELECT CASE WHEN f.frozen THEN f.reason END FROM member_freeze f WHERE f.member_id = ${memberId} ORDER BY f.id DESC LIMIT 1) AS frozen
    FROM member_balance b
    WHERE b.member_id = ${memberId}`
  const [figures] = rows
  if (figures === undefined) throw new Error(`${memberId} has no balances`)
  return figures
}

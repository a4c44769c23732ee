/** What a member earned, from postings: what was paid, less what reversals took back, as `member_balance.earned` adds it up. */
import { sql } from 'kysely'

const BACK = "('clawback_profit', 'clawback_commission', 'owed_profit', 'owed_commission')"

/** Postings that change what a member earned. */
export const IS_EARNED = sql.raw(`(kind IN ('passive', 'direct', 'master', 'binary') OR kind IN ${BACK})`)
export const EARNED = sql.raw(`CASE WHEN kind IN ${BACK} THEN -amount ELSE amount END`)
/** Which of the three parts of a month it belongs to: a match that was paid stands, so no reversal takes binary back. */
export const EARNED_AS = sql.raw(
  `CASE WHEN kind = 'binary' THEN 'binary' WHEN kind IN ('passive', 'clawback_profit', 'owed_profit') THEN 'passive' ELSE 'direct' END`,
)

/** Whether what a run `r` pays a member is posted. */
export const isPosted = (memberId: bigint) =>
  sql`(r.state = 'done' OR (r.state = 'posting' AND EXISTS (SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted
    AND ${memberId}::bigint BETWEEN c.first_member_id AND c.last_member_id)))`

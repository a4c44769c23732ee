import type { FailedTryKind } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { query } from '../../../core/query.sql.ts'
import { NOBODY } from './failed-tries.rules.ts'

export async function countTry(
  db: Db,
  tried: { memberId: bigint; kind: FailedTryKind; network: string },
  now: Date,
): Promise<void> {
  const { memberId, kind, network } = tried
  await query(db)`SELECT count_failed_try(${memberId}, ${kind}, ${network}, ${now})`
}

export interface Attacked {
  readonly memberId: bigint
  readonly count: number
  /** Tries with a second factor: whoever made them had the password. */
  readonly withPassword: number
}

/** Members at whose accounts there were many tries. */
export function selectAttacked(
  db: Db,
  { since, least, toldBefore }: { since: Date; least: number; toldBefore: Date },
): Promise<Attacked[]> {
  return query<Attacked>(db)`
    SELECT t.member_id AS "memberId", sum(t.count)::int AS count,
      coalesce(sum(t.count) FILTER (WHERE t.kind = 'second_factor_failed'), 0)::int AS "withPassword"
    FROM failed_try t WHERE t.hour >= ${since} AND t.member_id <> ${NOBODY}
      AND NOT EXISTS (SELECT FROM guesses_told g WHERE g.member_id = t.member_id AND g.told_at > ${toldBefore})
    GROUP BY t.member_id HAVING sum(t.count) >= ${least} ORDER BY t.member_id LIMIT 1000`
}

/** False where the member was told since. */
export async function markTold(tx: Tx, memberId: bigint, toldBefore: Date, now: Date): Promise<boolean> {
  const rows = await query(
    tx,
  )`INSERT INTO guesses_told AS kept (member_id, told_at) VALUES (${memberId}, ${now})
    ON CONFLICT (member_id) DO UPDATE SET told_at = ${now} WHERE kept.told_at <= ${toldBefore} RETURNING member_id`
  return rows.length === 1
}

/** Tries since an instant, by kind and by whether there was such an account. */
export function selectTryCounts(db: Db, since: Date): Promise<{ label: string; count: number }[]> {
  return query<{ label: string; count: number }>(db)`
    SELECT kind || CASE WHEN member_id = ${NOBODY} THEN '_unknown' ELSE '' END AS label, sum(count)::int AS count
    FROM failed_try WHERE hour >= ${since} GROUP BY 1`
}

/** @returns how many, at most `limit` */
export async function deleteTriesBefore(db: Db, instant: Date, limit: number): Promise<number> {
  const rows = await query(db)`DELETE FROM failed_try WHERE (member_id, hour, kind, network) IN (
    SELECT member_id, hour, kind, network FROM failed_try WHERE hour < ${instant} ORDER BY hour LIMIT ${limit}) RETURNING 1`
  return rows.length
}

export async function deleteToldBefore(db: Db, instant: Date): Promise<void> {
  await query(db)`DELETE FROM guesses_told WHERE told_at < ${instant}`
}

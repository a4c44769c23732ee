/** Previews of plans: what is asked for, what they are computed from, and what came out. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import { query, queryFirst, queryValue } from '../../../core/query.sql.ts'
import type { Run } from '../runs/runs.sql.ts'

export interface StoredPreview {
  readonly id: bigint
  readonly sha256: string
  readonly asked_by: string | null
  readonly asked_at: Date
  readonly state: 'waiting' | 'computing' | 'done' | 'failed'
  readonly done: number
  readonly total: number
  readonly result: unknown
  readonly finished_at: Date | null
}

/** The one that is under way, where one of the same document is. Answers its number. */
export async function openPreview(
  tx: Tx,
  preview: { sha256: string; document: string; operatorId: bigint; now: Date },
): Promise<bigint> {
  const { sha256, document, operatorId, now } = preview
  await query(tx)`
    INSERT INTO plan_preview (sha256, document, asked_by, asked_at) VALUES (${sha256}, ${document}, ${operatorId}, ${now})
    ON CONFLICT (sha256) WHERE finished_at IS NULL DO NOTHING`
  return queryValue<bigint>(tx)`SELECT id FROM plan_preview WHERE sha256 = ${sha256} ORDER BY id DESC LIMIT 1`
}

/** By its number, or the last of a document. Indexes: the key, plan_preview_by_document. */
export const selectPreview = (db: Db, key: { readonly id: bigint } | { readonly sha256: string }) =>
  queryFirst<StoredPreview>(db)`
    SELECT p.id, p.sha256, m.username AS asked_by, p.asked_at, p.state, p.done, p.total, p.result, p.finished_at
    FROM plan_preview p LEFT JOIN member m ON m.id = p.asked_by
    WHERE ${'id' in key ? sql`p.id = ${key.id}` : sql`p.sha256 = ${key.sha256}`} ORDER BY p.id DESC LIMIT 1`

export const selectOpenPreviews = (db: Db, limit: number) =>
  query<{ id: bigint; document: string }>(db)`
    SELECT id, document FROM plan_preview WHERE finished_at IS NULL ORDER BY id LIMIT ${limit}`

export async function updatePreview(db: Db, id: bigint, done: number, total: number): Promise<void> {
  await query(
    db,
  )`UPDATE plan_preview SET state = 'computing', done = ${done}, total = ${total} WHERE id = ${id} AND finished_at IS NULL`
}

export async function finishPreview(
  db: Db,
  id: bigint,
  finished: { state: 'done' | 'failed'; version: number | null; result: string | null; now: Date },
): Promise<void> {
  const { state, version, result, now } = finished
  await query(
    db,
  )`UPDATE plan_preview SET state = ${state}, done = total, version = ${version}, result = ${result}::jsonb, finished_at = ${now}
    WHERE id = ${id} AND finished_at IS NULL`
}

/** The last run of a kind that is sealed; of passive ones the last that is not of a weekend, where there is one. */
export const selectLastDay = (db: Db, kind: 'passive' | 'binary') =>
  queryFirst<Run>(db)`
    SELECT * FROM payout_run WHERE kind = ${kind} AND state NOT IN ('computing', 'cancelled')
      AND id IN (SELECT id FROM payout_run WHERE kind = ${kind} AND state NOT IN ('computing', 'cancelled') ORDER BY period DESC LIMIT 3)
    ORDER BY kind = 'passive' AND extract(isodow FROM period::date) > 5, period DESC LIMIT 1`

/** Investments since a moment, as the numbers of the first and the last; null where there is none. */
export const selectInvestedSince = (db: Db, since: Date) =>
  queryFirst<{ first: bigint; last: bigint }>(db)`
    SELECT min(id) AS first, max(id) AS last FROM investment WHERE credited_at >= ${since} HAVING count(*) > 0`

export async function selectNames(db: Db, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await query<{ id: bigint; username: string }>(db)`
    SELECT id, username FROM member WHERE id = ANY(${ids.map(String)}::bigint[])`
  return new Map(rows.map((row) => [row.id, row.username]))
}

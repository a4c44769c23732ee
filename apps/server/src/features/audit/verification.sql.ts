import type { Db, Tx } from '@aval/db'
import { query, queryFirst, queryValue } from '../../core/query.sql.ts'

/** @returns false where one is under way */
export async function insertVerification(tx: Tx, askedBy: bigint, now: Date): Promise<boolean> {
  const rows = await query(tx)`INSERT INTO audit_verification (asked_by, asked_at) VALUES (${askedBy}, ${now})
    ON CONFLICT DO NOTHING RETURNING id`
  return rows.length > 0
}

export interface VerificationRow {
  readonly id: bigint
  readonly asked_by: string
  readonly asked_at: Date
  readonly finished_at: Date | null
  readonly seals_done: bigint
  readonly seals_in_all: bigint
  readonly rows_read: bigint
  readonly erased: bigint
  readonly unsealed: bigint
  readonly faults: readonly string[]
  readonly public_key: string | null
  readonly signed_at: Date | null
  readonly signed_seal: bigint | null
}

export function selectLastVerification(db: Db): Promise<VerificationRow | undefined> {
  return queryFirst<VerificationRow>(db)`
    SELECT v.*, coalesce(m.username, '') AS asked_by FROM audit_verification v LEFT JOIN member m ON m.id = v.asked_by
    ORDER BY v.id DESC LIMIT 1`
}

export const countSeals = (db: Db): Promise<bigint> =>
  queryValue<bigint>(db)`SELECT coalesce(max(id), 0) FROM audit_seal`

export async function setProgress(
  db: Db,
  id: bigint,
  { done, inAll, rows }: { readonly done: number; readonly inAll: bigint; readonly rows: number },
): Promise<void> {
  await query(
    db,
  )`UPDATE audit_verification SET seals_done = ${done}, seals_in_all = ${inAll}, rows_read = ${rows}
    WHERE id = ${id}`
}

/** What was found in the end. */
export interface Found {
  readonly seals: number
  readonly rows: number
  readonly erased: number
  readonly unsealed: number
  readonly faults: readonly string[]
  readonly publicKey: string | null
  readonly signedAt: Date | null
  readonly signedSeal: bigint | null
}

export async function finishVerification(db: Db, id: bigint, found: Found, now: Date): Promise<void> {
  const { seals, rows, erased, unsealed, faults, publicKey, signedAt, signedSeal } = found
  await query(
    db,
  )`UPDATE audit_verification SET seals_done = ${seals}, seals_in_all = greatest(seals_in_all, ${seals}::bigint),
    rows_read = ${rows}, erased = ${erased}, unsealed = ${unsealed}, faults = ${[...faults]}::text[], public_key = ${publicKey},
    signed_at = ${signedAt}, signed_seal = ${signedSeal}, finished_at = ${now} WHERE id = ${id}`
}

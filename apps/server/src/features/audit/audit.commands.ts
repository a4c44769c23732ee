import type { Database, Db } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { sealAudit } from './audit.sql.ts'

/** A seal keeps the hashes of its rows: some hundred kilobytes at most. */
const ROWS_A_SEAL = 10_000

/** Seals what was recorded and is complete. */
export async function sealTrail(db: Database): Promise<void> {
  await sealAudit(db, ROWS_A_SEAL)
}

/** Somebody took the trail, or a part of it, away as a file. @param details its format and filters; @param now system time */
export async function noteExport(
  db: Db,
  actorId: bigint,
  details: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  const entry = { action: 'audit.export', outcome: 'done', subject: 'audit:trail' } as const
  await recordAudit(db, { at: now, actorId, ...entry, details })
}

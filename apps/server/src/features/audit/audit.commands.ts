import type { Database } from '@aval/db'
import { sealAudit } from './audit.sql.ts'

/** A seal keeps the hashes of its rows: some hundred kilobytes at most. */
const ROWS_A_SEAL = 10_000

/** Seals what was recorded and is complete. */
export async function sealTrail(db: Database): Promise<void> {
  await sealAudit(db, ROWS_A_SEAL)
}

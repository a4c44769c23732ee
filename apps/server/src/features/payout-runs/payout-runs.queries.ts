import type { Db } from '@aval/db'
import { Refusal } from '../../core/refusal.ts'
import { type StoredRun, selectRun, selectRuns } from './payout-runs.sql.ts'

export function listRuns(
  db: Db,
  openOnly: boolean,
  limit: number,
  offset: number,
): Promise<{ rows: StoredRun[]; count: number }> {
  return selectRuns(db, openOnly, limit, offset)
}

/** @param id null for what no run's number can be. @throws Refusal when there is no such run. */
export async function readRun(db: Db, id: bigint | null): Promise<StoredRun> {
  const run = id === null ? undefined : await selectRun(db, id)
  if (run === undefined) throw new Refusal('run_not_found')
  return run
}

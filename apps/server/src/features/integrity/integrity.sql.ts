import type { Tx } from '@aval/db'
import { queryOne } from '../../core/query.sql.ts'

export interface Recorded {
  readonly id: bigint
  /** What became of the stop; `other` when differences were found and they are others than before. */
  readonly outcome: 'stopped' | 'lifted' | 'other' | 'none'
}

/** Keeps a comparison; payments are stopped by one with differences, until one without. */
export async function recordCheck(tx: Tx, differences: readonly string[], at: Date): Promise<Recorded> {
  return queryOne<Recorded>(tx)`
    SELECT recorded AS id, outcome FROM record_integrity_check(${[...differences]}::text[], ${at})`
}

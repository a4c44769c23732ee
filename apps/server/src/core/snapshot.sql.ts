import type { Database, Tx } from '@aval/db'
import { query } from './query.sql.ts'

/** Reads one moment of everything, changes nothing, and may take longer than a call may. */
export function inSnapshot<Result>(db: Database, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await query(tx)`SET LOCAL statement_timeout = 0`
      await query(tx)`SET LOCAL idle_in_transaction_session_timeout = 0`
      return read(tx)
    })
}

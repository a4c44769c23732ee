import type { Db } from '@aval/db'
import { selectTransfers } from './deposits.sql.ts'

/** Everything that moved, or looked as if it moved, to our addresses; of one verdict when it is given. */
export function listTransfers(db: Db, verdict: string | null, limit: number, offset: number) {
  return selectTransfers(db, verdict, limit, offset)
}

export type TransferRow = Awaited<ReturnType<typeof listTransfers>>['rows'][number]

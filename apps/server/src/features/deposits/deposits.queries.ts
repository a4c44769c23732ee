import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { countOf, query } from '../../core/query.sql.ts'

export interface TransferRow {
  readonly txid: string
  readonly position: number
  readonly block: bigint
  readonly block_at: Date
  readonly verdict: string
  readonly contract: string
  readonly from_address: string
  readonly to_address: string
  readonly value: string
  readonly username: string | null
}

/** Everything that moved, or looked as if it moved, to our addresses, newest first; of one verdict when it is given. */
export async function listTransfers(db: Db, verdict: string | null, limit: number, offset: number) {
  const where = verdict === null ? sql`true` : sql`t.verdict = ${verdict}`
  const rows = await query<TransferRow>(db)`
    SELECT t.*, m.username FROM incoming_transfer t LEFT JOIN member m ON m.id = t.member_id WHERE ${where}
    ORDER BY t.block DESC, t.txid, t.position LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countOf(db)`incoming_transfer t WHERE ${where}` }
}

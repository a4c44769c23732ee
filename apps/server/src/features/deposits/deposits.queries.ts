import type { Db } from '@aval/db'
import { sql } from 'kysely'

/** Everything that moved, or looked as if it moved, to our addresses, newest first; of one verdict when it is given. */
export async function listTransfers(db: Db, verdict: string | null, limit: number, offset: number) {
  const filtered = db
    .selectFrom('incoming_transfer as t')
    .$if(verdict !== null, (q) => q.where('t.verdict', '=', verdict ?? ''))
  const rows = await filtered
    .leftJoin('member as m', 'm.id', 't.member_id')
    .select([
      't.txid',
      't.position',
      't.block',
      't.block_at',
      't.verdict',
      't.contract',
      't.from_address',
      't.to_address',
      't.value',
      'm.username',
    ])
    .orderBy('t.block', 'desc')
    .orderBy('t.txid')
    .orderBy('t.position')
    .limit(limit)
    .offset(offset)
    .execute()
  const total = await filtered.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return { rows, count: total.count }
}

export type TransferRow = Awaited<ReturnType<typeof listTransfers>>['rows'][number]

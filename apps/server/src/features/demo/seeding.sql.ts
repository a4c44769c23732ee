import type { Db } from '@aval/db'
import { sql } from 'kysely'

export async function countInvestments(db: Db, memberId: bigint): Promise<number> {
  const row = await db
    .selectFrom('investment')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Work that the other processes have not finished: invoices that were paid, and commissions that are due. */
export async function countPending(db: Db, txnIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    SELECT ((SELECT count(*) FROM invoice_key k JOIN invoice i ON i.member_id = k.member_id AND i.id = k.invoice_id
        WHERE k.txn_id = ANY(${txnIds}::text[]) AND i.state <> 'paid')
      + (SELECT count(*) FROM investment WHERE id > (
          SELECT coalesce(max(last_investment), 0) FROM payout_run WHERE kind = 'direct' AND state = 'done')))::int AS pending`.execute(
    db,
  )
  return rows[0]?.pending ?? 0
}

export async function selectCapital(db: Db): Promise<bigint> {
  const { rows } = await sql<{ amount: bigint }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM posting WHERE member_id = 0 AND kind = 'company_deposit'`.execute(
    db,
  )
  return rows[0]?.amount ?? 0n
}

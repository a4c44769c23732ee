import type { Db } from '@aval/db'
import { countOf, query, queryValue } from '../../core/query.sql.ts'

/** Sets how far business time runs from the system's. */
export async function setOffset(db: Db, offsetMs: bigint): Promise<void> {
  await query(db)`INSERT INTO demo_clock (offset_ms) VALUES (${offsetMs})
    ON CONFLICT (singleton) DO UPDATE SET offset_ms = excluded.offset_ms`
}

/** Marks that a day is being advanced; false when one is being advanced already. */
export async function beginAdvance(db: Db, to: Date): Promise<boolean> {
  const rows = await query(db)`
    INSERT INTO demo_clock (offset_ms, advancing_to) VALUES (0, ${to})
    ON CONFLICT (singleton) DO UPDATE SET advancing_to = ${to} WHERE demo_clock.advancing_to IS NULL
    RETURNING 1`
  return rows.length === 1
}

export async function endAdvance(db: Db): Promise<void> {
  await db.updateTable('demo_clock').set({ advancing_to: null }).execute()
}

export async function isAdvancing(db: Db): Promise<boolean> {
  const row = await db.selectFrom('demo_clock').select('advancing_to').executeTakeFirst()
  return row !== undefined && row.advancing_to !== null
}

/** Whether both runs of a midnight came to a stop: done, held, or not needed before the first investment. */
export async function midnightRests(db: Db, day: string, before: string): Promise<boolean> {
  return queryValue<boolean>(db)`
    SELECT NOT EXISTS (SELECT FROM investment) OR 2 = (
      SELECT count(*) FROM payout_run WHERE state IN ('done', 'held')
        AND ((kind = 'passive' AND period = ${day}) OR (kind = 'binary' AND period = ${before}))) AS rests`
}

export async function countInvestments(db: Db, memberId: bigint): Promise<number> {
  return countOf(db)`investment WHERE member_id = ${memberId}`
}

/** Work that the other processes have not finished: invoices that were paid, and commissions that are due. */
export async function countPending(db: Db, txnIds: readonly string[]): Promise<number> {
  return queryValue<number>(db)`
    SELECT ((SELECT count(*) FROM invoice_key k JOIN invoice i ON i.member_id = k.member_id AND i.id = k.invoice_id
        WHERE k.txn_id = ANY(${txnIds}::text[]) AND i.state <> 'paid')
      + (SELECT count(*) FROM investment WHERE id > (
          SELECT coalesce(max(last_investment), 0) FROM payout_run WHERE kind = 'direct' AND state = 'done')))::int AS pending`
}

export async function selectCapital(db: Db): Promise<bigint> {
  return queryValue<bigint>(db)`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM (
      SELECT amount FROM posting WHERE member_id = 0 AND kind = 'company_deposit' AND journal_id >= (SELECT sealed_until())
      UNION ALL SELECT amount FROM ledger_seal_sum WHERE kind = 'company_deposit') parts`
}

import type { Db } from '@aval/db'
import { sql } from 'kysely'

/** The check reads whole tables: it may take longer than a call may. */
export async function takeTime(db: Db): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`.execute(db)
}

/** Sums over postings, per account: what went in less what went out. Custody, an asset, comes out below zero. */
export async function sumAccounts(db: Db): Promise<{ account: string; amount: bigint }[]> {
  const { rows } = await sql<{ account: string; amount: bigint }>`
    SELECT account, sum(amount)::bigint AS amount FROM (
      SELECT destination::text AS account, amount FROM posting
      UNION ALL SELECT source::text, -amount FROM posting) moves
    GROUP BY account ORDER BY account`.execute(db)
  return rows
}

/** Members whose stored balances differ from the sum of their postings; the first twenty. */
export async function membersThatDiffer(
  db: Db,
): Promise<{ member_id: bigint; account: string; stored: bigint; summed: bigint }[]> {
  const { rows } = await sql<{ member_id: bigint; account: string; stored: bigint; summed: bigint }>`
    WITH summed AS (
      SELECT member_id, account, sum(amount)::bigint AS amount FROM (
        SELECT member_id, destination::text AS account, amount FROM posting
        UNION ALL SELECT member_id, source::text, -amount FROM posting
        UNION ALL SELECT member_id, 'earned', amount FROM posting WHERE kind IN ('passive', 'direct', 'master')) moves
      WHERE account IN ('principal', 'balance', 'held', 'earned') GROUP BY member_id, account
    ), stored AS (
      SELECT member_id, account, amount FROM member_balance,
        LATERAL (VALUES ('principal', principal), ('balance', balance), ('held', held), ('earned', earned)) v (account, amount)
    )
    SELECT coalesce(a.member_id, b.member_id) AS member_id, coalesce(a.account, b.account) AS account,
      coalesce(b.amount, 0)::bigint AS stored, coalesce(a.amount, 0)::bigint AS summed
    FROM summed a FULL JOIN stored b USING (member_id, account)
    WHERE coalesce(a.amount, 0) <> coalesce(b.amount, 0) LIMIT 20`.execute(db)
  return rows
}

export async function storedHouse(db: Db): Promise<{ account: string; amount: bigint }[]> {
  return db.selectFrom('house_balance').select(['account', 'amount']).orderBy('account').execute()
}

/** What the chain brought in and was credited, against everything stored that is owed for it. */
export async function selectBacking(db: Db): Promise<{ arrived: bigint; owed: bigint }> {
  const { rows } = await sql<{ arrived: bigint; owed: bigint }>`
    SELECT (SELECT coalesce(sum(t.value), 0)::bigint FROM chain_transfer t JOIN deposit_credit c USING (txid, position)) AS arrived,
      ((SELECT coalesce(sum(principal + balance + held), 0) FROM member_balance)
        + (SELECT sum(amount) FROM house_balance)
        + (SELECT coalesce(sum(amount), 0) FROM posting WHERE destination = 'company:revenue'))::bigint AS owed`.execute(
    db,
  )
  const row = rows[0]
  if (row === undefined) throw new Error('the sums answered nothing')
  return row
}

/** How much there is of everything, and what still waits for its job. */
export async function countRows(db: Db): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<Record<string, number>>`
    SELECT (SELECT count(*)::int FROM posting) AS postings,
      (SELECT count(*)::int FROM journal) AS journals,
      (SELECT count(*)::int FROM member) AS members,
      (SELECT count(*)::int FROM chain_transfer WHERE verdict = 'credit') AS transfers,
      (SELECT count(*)::int FROM payout_run) AS runs,
      (SELECT count(*)::int FROM chain_transfer t WHERE verdict = 'credit' AND NOT EXISTS (
        SELECT FROM deposit_credit c WHERE c.txid = t.txid AND c.position = t.position)) AS uncredited,
      (SELECT count(*)::int FROM investment i WHERE NOT EXISTS (
        SELECT FROM payout_run r WHERE r.kind = 'direct' AND r.period = i.member_id || ':' || i.id)) AS uncommissioned`.execute(
    db,
  )
  return rows[0] ?? {}
}

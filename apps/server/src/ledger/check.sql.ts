import type { Db } from '@aval/db'
import { sql } from 'kysely'

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
        UNION ALL SELECT member_id, source::text, -amount FROM posting) moves
      WHERE account IN ('principal', 'balance', 'held') GROUP BY member_id, account
    ), stored AS (
      SELECT member_id, account, amount FROM member_balance,
        LATERAL (VALUES ('principal', principal), ('balance', balance), ('held', held)) v (account, amount)
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

interface Counts {
  postings: number
  journals: number
  members: number
  transfers: number
  /** Transfers to be credited that were not, and credits without a transfer. */
  uncredited: number
  unfounded: number
  /** Credits whose postings do not add up to what arrived. */
  misposted: number
  /** Finished runs whose postings differ from their sealed items. */
  unfaithful_runs: number
  /** Members whose investments do not add up to their principal. */
  uninvested: number
}

export async function countAll(db: Db): Promise<Counts> {
  const { rows } = await sql<Counts>`
    SELECT (SELECT count(*)::int FROM posting) AS postings,
      (SELECT count(*)::int FROM journal) AS journals,
      (SELECT count(*)::int FROM member) AS members,
      (SELECT count(*)::int FROM chain_transfer WHERE verdict = 'credit') AS transfers,
      (SELECT count(*)::int FROM chain_transfer t WHERE verdict = 'credit' AND NOT EXISTS (
        SELECT FROM deposit_credit c WHERE c.txid = t.txid AND c.position = t.position)) AS uncredited,
      (SELECT count(*)::int FROM deposit_credit c WHERE NOT EXISTS (
        SELECT FROM chain_transfer t WHERE t.txid = c.txid AND t.position = c.position
          AND t.verdict = 'credit' AND t.member_id = c.member_id AND t.value = c.amount)) AS unfounded,
      (SELECT count(*)::int FROM deposit_credit c WHERE c.amount <> (
        SELECT coalesce(sum(p.amount), 0) FROM posting p
        WHERE p.member_id = c.member_id AND p.journal_id = c.journal_id)) AS misposted,
      (SELECT count(*)::int FROM payout_run r WHERE r.state = 'done' AND (
        r.posted_count <> r.item_count
        OR r.item_sum <> (SELECT coalesce(sum(i.amount), 0) FROM payout_item i WHERE i.run_id = r.id)
        OR r.item_sum <> (SELECT coalesce(sum(p.amount), 0) FROM payout_item i JOIN posting p
          ON p.member_id = i.member_id AND p.journal_id = r.journal_id AND p.leg = i.leg
          WHERE i.run_id = r.id AND p.amount = i.amount AND p.kind = i.kind))) AS unfaithful_runs,
      (SELECT count(*)::int FROM member_balance b WHERE b.principal <> (
        SELECT coalesce(sum(i.amount), 0) FROM investment i WHERE i.member_id = b.member_id)) AS uninvested`.execute(
    db,
  )
  const row = rows[0]
  if (row === undefined) throw new Error('the counts answered nothing')
  return row
}

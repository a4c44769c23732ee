/**
 * What must not be, as questions to the database: each answers how often it is, and nothing else. They are written from
 * what the rows mean, not from the code that writes them, so that a mistake there is seen here.
 *
 * Every question is a few passes over whole tables; none looks up a row per row without an index.
 */
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'

interface Question {
  /** Follows the number: "3 credits …". */
  readonly sentence: string
  readonly count: RawBuilder<{ count: number }>
}

const deposits: readonly Question[] = [
  {
    sentence: 'credits have no transfer on the chain behind them, or one to somebody else',
    count: sql`SELECT count(*)::int AS count FROM deposit_credit c
      LEFT JOIN chain_transfer t ON t.txid = c.txid AND t.position = c.position AND t.verdict = 'credit'
        AND t.member_id = c.member_id AND t.value = c.amount
      LEFT JOIN deposit_address a ON a.address = t.to_address AND a.member_id = c.member_id
      WHERE a.address IS NULL`,
  },
  {
    sentence: 'credits posted something else than arrived, or than their invoice says',
    count: sql`WITH p AS (
        SELECT member_id, journal_id, sum(amount) AS total,
          coalesce(sum(amount) FILTER (WHERE kind = 'deposit_to_principal'), 0) AS principal,
          coalesce(sum(amount) FILTER (WHERE kind = 'deposit_fee'), 0) AS fee,
          coalesce(sum(amount) FILTER (WHERE kind IN ('deposit_to_balance', 'company_deposit')), 0) AS rest
        FROM posting WHERE source = 'custody:deposits' GROUP BY member_id, journal_id)
      SELECT count(*)::int AS count FROM deposit_credit c
      LEFT JOIN journal j ON j.id = c.journal_id AND j.key = 'deposit:' || c.txid || ':' || c.position
      LEFT JOIN p ON p.member_id = c.member_id AND p.journal_id = c.journal_id
      LEFT JOIN invoice i ON i.member_id = c.member_id AND i.id = c.invoice_id AND c.outcome IN ('settled', 'settled_over')
      WHERE j.id IS NULL OR p.total IS DISTINCT FROM c.amount OR p.principal <> coalesce(i.amount, 0)
        OR p.fee <> coalesce(i.fee, 0) OR p.principal + p.fee + p.rest <> p.total
        OR (c.outcome = 'company') <> (c.member_id = 0) OR (c.outcome LIKE 'settled%') <> (i.id IS NOT NULL)`,
  },
  {
    sentence: 'postings brought money in that no credited transfer stands behind',
    count: sql`SELECT count(*)::int AS count FROM posting p WHERE p.source = 'custody:deposits' AND NOT EXISTS (
      SELECT FROM deposit_credit c WHERE c.member_id = p.member_id AND c.journal_id = p.journal_id)`,
  },
  {
    sentence: 'invoices are paid without the one credit that settles them, or settled and not paid',
    count: sql`WITH c AS (SELECT member_id, invoice_id AS id, count(*) AS n, min(txid) AS txid FROM deposit_credit
        WHERE outcome IN ('settled', 'settled_over') GROUP BY member_id, invoice_id)
      SELECT count(*)::int AS count FROM invoice i LEFT JOIN c USING (member_id, id)
      WHERE (i.state = 'paid') <> (c.n IS NOT NULL) OR c.n > 1 OR i.paid_txid <> c.txid`,
  },
]

const investments: readonly Question[] = [
  {
    sentence: 'investments and changes of principal do not belong to each other',
    count: sql`WITH p AS (SELECT member_id, journal_id, sum(amount) AS amount, min(at) AS at FROM posting
        WHERE destination = 'principal' GROUP BY member_id, journal_id)
      SELECT count(*)::int AS count FROM p FULL JOIN investment i USING (member_id, journal_id)
      WHERE p.amount IS DISTINCT FROM i.amount OR p.at <> i.credited_at`,
  },
  {
    sentence: 'entries of the investment history show another value than had been invested by then',
    count: sql`SELECT count(*)::int AS count FROM (
      SELECT value_after, sum(amount) OVER (PARTITION BY member_id ORDER BY id) AS invested FROM investment) entry
      WHERE value_after <> invested`,
  },
]

const runs: readonly Question[] = [
  {
    sentence: 'runs have other items than they were sealed with',
    count: sql`WITH i AS (
        SELECT run_id, count(*) AS n, sum(amount) AS total, encode(sha256(convert_to(string_agg(concat_ws('|',
          member_id, kind, amount, basis, percentage, coalesce(level::text, '')) || E'\n', '' ORDER BY member_id, leg), 'UTF8')), 'hex') AS hash
        FROM payout_item GROUP BY run_id)
      SELECT count(*)::int AS count FROM payout_run r LEFT JOIN i ON i.run_id = r.id
      WHERE coalesce(i.n, 0) <> r.item_count OR coalesce(i.total, 0) <> r.item_sum
        OR (r.state <> 'computing' AND coalesce(i.hash, encode(sha256(''), 'hex')) IS DISTINCT FROM r.items_hash)`,
  },
  {
    sentence: 'runs posted something else than they sealed',
    count: sql`WITH posted AS (SELECT journal_id, count(*) AS n FROM posting
        WHERE kind IN ('passive', 'direct', 'master') GROUP BY journal_id),
      matched AS (SELECT r.id, count(*) AS n FROM payout_run r JOIN payout_item i ON i.run_id = r.id
        JOIN posting p ON p.member_id = i.member_id AND p.journal_id = r.journal_id AND p.leg = i.leg
          AND p.kind = i.kind AND p.amount = i.amount GROUP BY r.id)
      SELECT count(*)::int AS count FROM payout_run r LEFT JOIN posted ON posted.journal_id = r.journal_id
      LEFT JOIN matched ON matched.id = r.id
      WHERE coalesce(posted.n, 0) <> r.posted_count OR coalesce(matched.n, 0) <> r.posted_count
        OR (r.state = 'done' AND r.posted_count <> r.item_count)
        OR (r.state NOT IN ('released', 'done') AND r.journal_id IS NOT NULL)`,
  },
  {
    sentence: 'payouts were posted outside any run',
    count: sql`SELECT count(*)::int AS count FROM posting p WHERE p.kind IN ('passive', 'direct', 'master')
      AND NOT EXISTS (SELECT FROM payout_run r WHERE r.journal_id = p.journal_id)`,
  },
  {
    sentence: 'runs took another sum out of their pool than they pay',
    count: sql`WITH taken AS (SELECT j.key, p.kind::text AS kind, sum(p.amount) AS amount FROM posting p JOIN journal j ON j.id = p.journal_id
        WHERE p.kind IN ('release_profit', 'release_commission') GROUP BY j.key, p.kind),
      due AS (SELECT 'release:' || id AS key, item_sum,
        CASE kind WHEN 'passive' THEN 'release_profit' ELSE 'release_commission' END AS kind
        FROM payout_run WHERE state IN ('released', 'done') AND item_sum > 0)
      SELECT count(*)::int AS count FROM taken FULL JOIN due USING (key, kind) WHERE taken.amount IS DISTINCT FROM due.item_sum`,
  },
  {
    sentence: 'passive payments were not computed from the principal at their cutoff by their plan',
    count: sql`SELECT count(*)::int AS count FROM payout_item i JOIN payout_run r ON r.id = i.run_id AND r.kind = 'passive'
      JOIN plan_version v ON v.version = r.plan_version
      WHERE i.basis <> (SELECT coalesce(sum(n.amount), 0) FROM investment n WHERE n.member_id = i.member_id AND n.credited_at < r.cutoff_at)
        OR i.amount <> div(i.basis * (v.document->'passive'->>'percentPerPeriod')::numeric,
          100 * (v.document->'passive'->>'periodDays')::numeric)`,
  },
  {
    sentence: 'days between the first and the last passive run have none',
    count: sql`SELECT coalesce(max(period::date) - min(period::date) + 1 - count(*), 0)::int AS count
      FROM payout_run WHERE kind = 'passive'`,
  },
  {
    sentence: 'passive runs stand on a day whose books are open',
    count: sql`SELECT count(*)::int AS count FROM payout_run r, period_close c
      WHERE r.kind = 'passive' AND r.cutoff_at > c.closed_until`,
  },
]

/** The triggers and constraints that keep the promises; one that is missing or switched off is a fault by itself. */
const GUARDS = {
  triggers: [
    'posting_applies',
    'posting_is_append_only',
    'journal_is_append_only',
    'payout_item_is_append_only',
    'payout_item_before_seal',
  ],
  constraints: [
    'posting_moves_something',
    'posting_follows_the_chart',
    'posting_under_its_owner',
    'principal_not_below_zero',
    'balance_not_below_zero',
    'held_not_below_zero',
    'house_not_below_zero',
  ],
  readOnly: ['posting', 'journal', 'member_balance', 'house_balance', 'period_close', 'payout_item'],
} as const

const house: readonly Question[] = [
  {
    sentence: 'postings belong to no journal',
    count: sql`SELECT count(*)::int AS count FROM posting p WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = p.journal_id)`,
  },
  {
    sentence: 'members have no accounts, or accounts no member',
    count: sql`SELECT count(*)::int AS count FROM member m FULL JOIN member_balance b ON b.member_id = m.id
      WHERE m.id IS NULL OR b.member_id IS NULL`,
  },
  {
    sentence: 'guards of the ledger are missing, switched off, or open to the server',
    count: sql`SELECT ((SELECT count(*) FROM unnest(${sql.val([...GUARDS.triggers])}::text[]) name WHERE NOT EXISTS (
          SELECT FROM pg_trigger t WHERE t.tgname = name AND t.tgenabled IN ('O', 'A')))
      + (SELECT count(*) FROM unnest(${sql.val([...GUARDS.constraints])}::text[]) name WHERE NOT EXISTS (
          SELECT FROM pg_constraint k WHERE k.conname = name AND k.convalidated))
      + (SELECT count(*) FROM unnest(${sql.val([...GUARDS.readOnly])}::text[]) name
          WHERE has_table_privilege('aval_app', name, 'UPDATE, DELETE, TRUNCATE')))::int AS count`,
  },
]

/** One sentence for each thing that is and must not be. */
export async function findFaults(db: Db): Promise<string[]> {
  const found: string[] = []
  for (const { sentence, count } of [...deposits, ...investments, ...runs, ...house]) {
    const { rows } = await count.execute(db)
    const times = rows[0]?.count ?? 0
    if (times !== 0) found.push(`${times} ${sentence}`)
  }
  return found
}

/** What must not be of money that comes in, and of what is invested. */
import { sql } from 'kysely'
import type { Question } from './faults-question.sql.ts'

/** The kinds of posting that a transfer on the chain is behind. */
const ARRIVALS = sql.raw(`('deposit_to_principal', 'deposit_to_balance', 'deposit_fee', 'company_deposit',
  'company_deposit_hot', 'company_deposit_cold', 'refill_hot')`)

export const deposits: readonly Question[] = [
  {
    sentence: 'credits have no transfer on the chain behind them, or one to another member',
    count: sql`SELECT count(*)::int AS count FROM deposit_credit c
      LEFT JOIN incoming_transfer t ON t.txid = c.txid AND t.position = c.position AND t.verdict = 'credit'
        AND t.member_id = c.member_id AND t.value = c.amount
      LEFT JOIN deposit_address a ON t.role = 'deposit' AND a.address = t.to_address AND a.member_id = c.member_id
      LEFT JOIN custody_address w ON c.member_id = 0 AND w.address = t.to_address AND w.role = t.role
      WHERE a.address IS NULL AND w.address IS NULL`,
  },
  {
    sentence: 'credits posted something else than arrived, or than their invoice says',
    count: sql`WITH p AS (
        SELECT member_id, journal_id, sum(amount) AS total,
          coalesce(sum(amount) FILTER (WHERE kind = 'deposit_to_principal'), 0) AS principal,
          coalesce(sum(amount) FILTER (WHERE kind = 'deposit_fee'), 0) AS fee,
          coalesce(sum(amount) FILTER (WHERE kind NOT IN ('deposit_to_principal', 'deposit_fee')), 0) AS rest
        FROM posting WHERE kind IN ${ARRIVALS} GROUP BY member_id, journal_id)
      SELECT count(*)::int AS count FROM deposit_credit c
      LEFT JOIN journal j ON j.id = c.journal_id AND j.key = 'deposit:' || c.txid || ':' || c.position
      LEFT JOIN p ON p.member_id = c.member_id AND p.journal_id = c.journal_id
      LEFT JOIN invoice i ON i.member_id = c.member_id AND i.id = c.invoice_id AND c.outcome IN ('paid', 'overpaid')
      WHERE j.id IS NULL OR p.total IS DISTINCT FROM c.amount OR p.principal <> coalesce(i.amount, 0)
        OR p.fee <> coalesce(i.fee, 0) OR p.principal + p.fee + p.rest <> p.total
        OR (c.outcome IN ('company', 'refill')) <> (c.member_id = 0) OR (c.outcome IN ('paid', 'overpaid')) <> (i.id IS NOT NULL)`,
  },
  {
    sentence: 'postings brought money in that no credited transfer stands behind',
    count: sql`SELECT count(*)::int AS count FROM posting p WHERE p.kind IN ${ARRIVALS} AND NOT EXISTS (
        SELECT FROM deposit_credit c WHERE c.member_id = p.member_id AND c.journal_id = p.journal_id)
      AND NOT EXISTS (SELECT FROM journal j JOIN custody_address a ON j.key = 'opening:' || a.address WHERE j.id = p.journal_id)`,
  },
  {
    sentence: 'invoices are paid without the one credit that settles them, or settled and not paid',
    count: sql`WITH c AS (SELECT member_id, invoice_id AS id, count(*) AS n, min(txid) AS txid FROM deposit_credit
        WHERE outcome IN ('paid', 'overpaid') GROUP BY member_id, invoice_id)
      SELECT count(*)::int AS count FROM invoice i LEFT JOIN c USING (member_id, id)
      WHERE (i.state = 'paid') <> (c.n IS NOT NULL) OR c.n > 1 OR i.paid_txid <> c.txid`,
  },
]

export const investments: readonly Question[] = [
  {
    sentence: 'investments and changes of principal do not belong to each other',
    count: sql`WITH p AS (SELECT member_id, journal_id, sum(amount) AS amount, min(at) AS at FROM posting
        WHERE kind IN ('deposit_to_principal', 'reinvest') GROUP BY member_id, journal_id)
      SELECT count(*)::int AS count FROM p FULL JOIN investment i USING (member_id, journal_id)
      WHERE p.amount IS DISTINCT FROM i.amount OR p.at <> i.credited_at`,
  },
  {
    sentence: 'entries of the investment history show another value than stood invested by then',
    count: sql`SELECT count(*)::int AS count FROM (
      SELECT value_after, sum(amount) OVER (PARTITION BY member_id ORDER BY id) AS invested FROM (
        SELECT member_id, id, amount, value_after FROM investment
        UNION ALL SELECT member_id, id, -amount, NULL FROM reversal
        UNION ALL SELECT member_id, id, amount, NULL FROM principal_movement) history) entry
      WHERE value_after <> invested`,
  },
]

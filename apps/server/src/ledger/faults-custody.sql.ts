/** What must not be of custody: where the company's money was booked, what each address must hold, and what was booked of our transfers. */
import { sql } from 'kysely'
import type { Question } from './faults-question.sql.ts'

const books: readonly Question[] = [
  {
    sentence: 'openings of the company’s wallets were booked as another sum, or of another wallet',
    count: sql`SELECT count(*)::int AS count FROM custody_address a JOIN journal j ON j.key = 'opening:' || a.address
        LEFT JOIN (SELECT journal_id, sum(amount) AS amount, min(kind::text) AS kind, max(kind::text) AS last_kind
          FROM posting WHERE member_id = 0 GROUP BY journal_id) p ON p.journal_id = j.id
      WHERE coalesce(p.amount, 0) <> a.opening OR p.kind <> 'company_deposit_' || a.role OR p.last_kind <> p.kind`,
  },
  {
    sentence: 'money of the company’s was credited to another wallet than it came to',
    count: sql`SELECT count(*)::int AS count FROM deposit_credit c JOIN incoming_transfer t USING (txid, position)
        JOIN posting p ON p.member_id = c.member_id AND p.journal_id = c.journal_id
        LEFT JOIN custody_address cold ON cold.address = t.from_address AND cold.role = 'cold'
      WHERE c.member_id = 0 AND (p.kind::text <> CASE WHEN t.role = 'deposit' THEN 'company_deposit' WHEN t.role = 'cold' THEN 'company_deposit_cold'
          WHEN cold.address IS NULL THEN 'company_deposit_hot' ELSE 'refill_hot' END
        OR (c.outcome = 'refill') <> (p.kind = 'refill_hot'))`,
  },
  {
    sentence: 'explained differences and what was posted for them do not belong to each other',
    count: sql`WITH p AS (SELECT p.journal_id, p.kind::text AS kind, p.amount FROM posting p WHERE p.member_id = 0 AND p.kind IN ('custody_loss_deposits', 'custody_loss_hot',
          'custody_loss_cold', 'custody_gain_deposits', 'custody_gain_hot', 'custody_gain_cold')
        AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.journal_id = p.journal_id)),
      a AS (SELECT a.journal_id, abs(a.amount) AS amount, 'custody_' || CASE WHEN a.amount < 0 THEN 'loss_' ELSE 'gain_' END
          || CASE h.role WHEN 'deposit' THEN 'deposits' ELSE h.role END AS kind
        FROM custody_adjustment a LEFT JOIN custody_holding h ON h.address = a.address)
      SELECT count(*)::int AS count FROM p FULL JOIN a USING (journal_id, kind, amount) WHERE p.journal_id IS NULL OR a.journal_id IS NULL`,
  },
]

const payments: readonly Question[] = [
  {
    sentence: 'transfers are booked that the solid chain has not ended, or as another journal than is theirs',
    count: sql`SELECT count(*)::int AS count FROM outgoing_transfer_booking b LEFT JOIN outgoing_transfer p ON p.txid = b.txid
        LEFT JOIN withdrawal w ON p.purpose = 'withdrawal' AND w.member_id = p.member_id AND w.id = p.withdrawal_id
        LEFT JOIN journal j ON j.id = b.journal_id
      WHERE p.txid IS NULL OR p.state NOT IN ('settled', 'failed') OR p.purpose = 'trx_topup'
        OR CASE WHEN p.purpose = 'withdrawal' THEN b.journal_id IS DISTINCT FROM w.close_journal_id
          WHEN p.state = 'settled' THEN j.key IS DISTINCT FROM 'payment:' || p.txid ELSE b.journal_id IS NOT NULL END`,
  },
  {
    // What the token took on the way is the company's loss.
    sentence: 'transfers between the company’s wallets were posted otherwise than they arrived',
    count: sql`WITH p AS (SELECT journal_id, coalesce(sum(amount) FILTER (WHERE kind = 'sweep'), 0) AS swept,
          coalesce(sum(amount) FILTER (WHERE kind = 'to_cold'), 0) AS to_cold,
          coalesce(sum(amount) FILTER (WHERE kind = 'custody_loss_deposits'), 0) AS lost_deposits,
          coalesce(sum(amount) FILTER (WHERE kind = 'custody_loss_hot'), 0) AS lost_hot
        FROM posting WHERE member_id = 0 GROUP BY journal_id),
      b AS (SELECT b.journal_id, t.purpose, t.arrived, t.amount - t.arrived AS lost FROM outgoing_transfer_booking b
          JOIN outgoing_transfer t ON t.txid = b.txid AND t.purpose IN ('sweep', 'surplus') AND t.state = 'settled')
      SELECT count(*)::int AS count FROM (SELECT * FROM p WHERE swept + to_cold > 0 OR journal_id IN (SELECT journal_id FROM b)) p
        FULL JOIN b USING (journal_id)
      WHERE (p.swept, p.to_cold, p.lost_deposits, p.lost_hot) IS DISTINCT FROM CASE b.purpose
        WHEN 'sweep' THEN ROW(b.arrived::numeric, 0::numeric, b.lost::numeric, 0::numeric)
        WHEN 'surplus' THEN ROW(0::numeric, b.arrived::numeric, 0::numeric, b.lost::numeric) END`,
  },
]

const holdings: readonly Question[] = [
  {
    sentence: 'addresses are said to hold another amount than their transfers come to',
    count: sql`WITH moved AS (
        SELECT to_address AS address, value AS amount FROM incoming_transfer WHERE verdict = 'credit'
        UNION ALL SELECT t.from_address, -t.value FROM incoming_transfer t JOIN custody_address a ON a.address = t.from_address AND a.role = 'cold'
          WHERE t.verdict = 'credit' AND t.role = 'hot'
        UNION ALL SELECT address, opening FROM custody_address
        UNION ALL SELECT address, amount FROM custody_adjustment
        UNION ALL SELECT from_address, -amount FROM outgoing_transfer WHERE state = 'settled' AND purpose <> 'trx_topup'
        UNION ALL SELECT to_address, arrived FROM outgoing_transfer WHERE state = 'settled' AND purpose IN ('sweep', 'surplus')),
      summed AS (SELECT address, sum(amount) AS amount FROM moved GROUP BY address)
      SELECT count(*)::int AS count FROM custody_holding h FULL JOIN summed s USING (address)
      WHERE coalesce(h.amount, 0) <> coalesce(s.amount, 0)`,
  },
]

export const custody: readonly Question[] = [...books, ...payments, ...holdings]

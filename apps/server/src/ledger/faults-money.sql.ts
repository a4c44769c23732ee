/**
 * What must not be of money that comes in and is invested, of withdrawals (their holds, their approvals, what ended them),
 * and of custody: where the company's money was booked, and what each address must hold.
 */
import { sql } from 'kysely'
import type { Questions } from './check.sql.ts'

/** The kinds of posting that a transfer on the chain is behind. */
const ARRIVALS =
  sql.raw(`('deposit_to_principal', 'deposit_to_balance', 'deposit_fee', 'deposit_to_pending', 'company_deposit',
  'company_deposit_hot', 'company_deposit_cold', 'refill_hot')`)

export const deposits: Questions = {
  'credits have no transfer on the chain behind them, or one to another member': sql`
    SELECT count(*)::int AS count FROM deposit_credit c
    LEFT JOIN incoming_transfer t ON t.txid = c.txid AND t.position = c.position AND t.verdict = 'credit'
      AND t.member_id = c.member_id AND t.value = c.amount
    LEFT JOIN deposit_address a ON t.role = 'deposit' AND a.address = t.to_address AND a.member_id = c.member_id
    LEFT JOIN custody_address w ON c.member_id = 0 AND w.address = t.to_address AND w.role = t.role
    WHERE a.address IS NULL AND w.address IS NULL`,
  // As the signer found: it has derived beyond their numbers, and these are of no key of its own.
  'deposit addresses were never derived from the keys': sql`
    SELECT count(*)::int AS count FROM deposit_address
    WHERE key_index IS NULL AND member_id NOT BETWEEN (SELECT coalesce(max(key_index) + 1, 0) FROM deposit_address)
      AND (SELECT coalesce(max(id), 0) FROM member)`,
  // The last part is the rest of what is due; what is above it went to the balance.
  'credits posted something else than arrived, or than their invoice says': sql`WITH p AS (
      SELECT member_id, journal_id, coalesce(sum(amount) FILTER (WHERE kind IN ${ARRIVALS}), 0) AS total,
        coalesce(sum(amount) FILTER (WHERE destination = 'principal'), 0) AS principal,
        coalesce(sum(amount) FILTER (WHERE destination = 'company:revenue'), 0) AS fee,
        coalesce(sum(amount) FILTER (WHERE kind = 'deposit_to_balance'), 0) AS to_balance,
        coalesce(sum(amount) FILTER (WHERE destination = 'pending'), 0) - coalesce(sum(amount) FILTER (WHERE source = 'pending'), 0) AS to_pending
      FROM posting WHERE kind IN ${ARRIVALS} OR kind IN ('pending_to_principal', 'pending_fee') GROUP BY member_id, journal_id)
    SELECT count(*)::int AS count FROM deposit_credit c
    LEFT JOIN journal j ON j.id = c.journal_id AND j.key = 'deposit:' || c.txid || ':' || c.position
    LEFT JOIN p ON p.member_id = c.member_id AND p.journal_id = c.journal_id
    LEFT JOIN invoice i ON i.member_id = c.member_id AND i.id = c.invoice_id
    WHERE j.id IS NULL OR p.total IS DISTINCT FROM c.amount OR (c.outcome IN ('company', 'refill')) <> (c.member_id = 0)
      OR (c.outcome IN ('part', 'paid', 'overpaid', 'late')) <> (i.id IS NOT NULL) OR CASE
        WHEN c.outcome IN ('paid', 'overpaid') THEN p.principal <> i.amount OR p.fee <> i.fee OR (p.to_balance > 0) <> (c.outcome = 'overpaid')
        WHEN c.outcome = 'part' THEN p.to_pending <> c.amount
        WHEN c.member_id <> 0 THEN p.to_balance <> c.amount ELSE false END`,
  'postings brought money in that no credited transfer stands behind': sql`
    SELECT count(*)::int AS count FROM posting p WHERE p.kind IN ${ARRIVALS} AND NOT EXISTS (
      SELECT FROM deposit_credit c WHERE c.member_id = p.member_id AND c.journal_id = p.journal_id)
    AND NOT EXISTS (SELECT FROM journal j JOIN custody_address a ON j.key = 'opening:' || a.address WHERE j.id = p.journal_id)`,
  'invoices are paid without what completed them, or completed and not paid': sql`
    WITH c AS (SELECT member_id, invoice_id AS id, count(*) AS n, min(txid) AS txid FROM deposit_credit
      WHERE outcome IN ('paid', 'overpaid') GROUP BY member_id, invoice_id)
    SELECT count(*)::int AS count FROM invoice i LEFT JOIN c USING (member_id, id)
      LEFT JOIN journal j ON j.key = 'invoice:' || i.id || ':complete'
    WHERE (i.state = 'paid') <> (c.n IS NOT NULL OR j.id IS NOT NULL) OR c.n > 1 OR (c.n IS NOT NULL AND j.id IS NOT NULL)
      OR i.paid_txid IS DISTINCT FROM c.txid`,
  'invoices received another sum than was credited for them': sql`
    WITH c AS (SELECT c.member_id, c.invoice_id AS id, sum(p.amount) AS amount FROM deposit_credit c
        JOIN posting p ON p.member_id = c.member_id AND p.journal_id = c.journal_id AND p.kind IN ('deposit_to_pending', 'deposit_to_principal', 'deposit_fee')
      GROUP BY c.member_id, c.invoice_id)
    SELECT count(*)::int AS count FROM invoice i LEFT JOIN c USING (member_id, id) WHERE i.received <> coalesce(c.amount, 0)`,
  'members wait with another sum than their open invoices received': sql`
    WITH i AS (SELECT member_id, sum(received) AS amount FROM invoice WHERE state = 'open' GROUP BY member_id)
    SELECT count(*)::int AS count FROM member_pending p FULL JOIN i USING (member_id) WHERE coalesce(p.amount, 0) <> coalesce(i.amount, 0)`,
  // Completed from the balance: as principal and fee. Ended unpaid: to the balance, in full.
  'invoices were ended by other postings than their state says': sql`
    WITH p AS (SELECT p.member_id, split_part(j.key, ':', 2)::bigint AS id, min(j.key) AS key,
        coalesce(sum(p.amount) FILTER (WHERE p.kind = 'pending_to_balance'), 0) AS to_balance,
        coalesce(sum(p.amount) FILTER (WHERE p.source = 'pending'), 0) AS taken,
        coalesce(sum(p.amount) FILTER (WHERE p.destination = 'principal'), 0) AS principal
      FROM posting p JOIN journal j ON j.id = p.journal_id WHERE j.kind = 'invoice' GROUP BY 1, 2),
    i AS (SELECT * FROM invoice WHERE (state = 'paid' AND paid_txid IS NULL) OR (state IN ('expired', 'cancelled') AND received > 0))
    SELECT count(*)::int AS count FROM p FULL JOIN i USING (member_id, id)
    WHERE p.key IS DISTINCT FROM 'invoice:' || i.id || CASE i.state WHEN 'paid' THEN ':complete' ELSE ':end' END OR p.taken <> i.received
      OR (p.principal, p.to_balance) IS DISTINCT FROM (CASE i.state WHEN 'paid' THEN i.amount ELSE 0 END, CASE i.state WHEN 'paid' THEN 0 ELSE i.received END)`,
}

export const investments: Questions = {
  'investments and changes of principal do not belong to each other': sql`
    WITH p AS (SELECT member_id, journal_id, sum(amount) AS amount, min(at) AS at FROM posting
      WHERE kind IN ('deposit_to_principal', 'pending_to_principal', 'reinvest') GROUP BY member_id, journal_id)
    SELECT count(*)::int AS count FROM p FULL JOIN investment i USING (member_id, journal_id)
    WHERE p.amount IS DISTINCT FROM i.amount OR p.at <> i.credited_at`,
  'entries of the investment history show another value than stood invested by then': sql`
    SELECT count(*)::int AS count FROM (
    SELECT value_after, sum(amount) OVER (PARTITION BY member_id ORDER BY id) AS invested FROM (
      SELECT member_id, id, amount, value_after FROM investment
      UNION ALL SELECT member_id, id, -amount, NULL FROM reversal
      UNION ALL SELECT member_id, id, amount, NULL FROM principal_movement) history) entry
    WHERE value_after <> invested`,
}

const holds: Questions = {
  'members hold another sum than their open withdrawals come to': sql`
    WITH w AS (SELECT member_id, sum(amount) AS amount FROM withdrawal WHERE state IN ('requested', 'approved') GROUP BY member_id)
    SELECT count(*)::int AS count FROM member_balance b FULL JOIN w USING (member_id)
    WHERE coalesce(b.held, 0) <> coalesce(w.amount, 0)`,
  'withdrawals and what was held for them do not belong to each other': sql`
    WITH p AS (SELECT p.member_id, p.journal_id, min(j.key) AS key,
        coalesce(sum(p.amount) FILTER (WHERE p.kind = 'hold_balance'), 0) AS from_balance,
        coalesce(sum(p.amount) FILTER (WHERE p.kind = 'hold_principal'), 0) AS from_principal
      FROM posting p JOIN journal j ON j.id = p.journal_id WHERE p.kind IN ('hold_balance', 'hold_principal')
      GROUP BY p.member_id, p.journal_id)
    SELECT count(*)::int AS count FROM p FULL JOIN withdrawal w ON w.member_id = p.member_id AND w.hold_journal_id = p.journal_id
    WHERE w.id IS NULL OR p.key IS DISTINCT FROM 'withdrawal:' || w.id || ':hold'
      OR p.from_balance <> w.from_balance OR p.from_principal <> w.from_principal`,
  // Paid: what arrives and the fee. Come to nothing: to where it was taken from, in full.
  'withdrawals were ended by other postings than their state says': sql`
    WITH p AS (SELECT p.member_id, p.journal_id, min(j.key) AS key,
        coalesce(sum(p.amount) FILTER (WHERE p.kind = 'withdraw'), 0) AS paid,
        coalesce(sum(p.amount) FILTER (WHERE p.kind = 'withdraw_fee'), 0) AS fee,
        coalesce(sum(p.amount) FILTER (WHERE p.kind = 'release_balance'), 0) AS to_balance,
        coalesce(sum(p.amount) FILTER (WHERE p.kind = 'release_principal'), 0) AS to_principal
      FROM posting p JOIN journal j ON j.id = p.journal_id
      WHERE p.kind IN ('withdraw', 'withdraw_fee', 'release_balance', 'release_principal') GROUP BY p.member_id, p.journal_id)
    SELECT count(*)::int AS count FROM p FULL JOIN (SELECT *, state = 'completed' AS is_paid FROM withdrawal WHERE closed_at IS NOT NULL) w
      ON w.member_id = p.member_id AND w.close_journal_id = p.journal_id
    WHERE w.id IS NULL OR p.key IS DISTINCT FROM 'withdrawal:' || w.id || CASE WHEN is_paid THEN ':settle' ELSE ':release' END
      OR (p.paid, p.fee, p.to_balance, p.to_principal) IS DISTINCT FROM
        (CASE WHEN is_paid THEN w.amount - w.fee ELSE 0 END, CASE WHEN is_paid THEN w.fee ELSE 0 END,
          CASE WHEN is_paid THEN 0 ELSE w.from_balance END, CASE WHEN is_paid THEN 0 ELSE w.from_principal END)`,
}

/** Made again after a restore, from what the chain shows: who approved it, and by which plan, is lost. */
const IS_ADOPTED = sql.raw(`EXISTS (SELECT FROM adopted_transfer x JOIN outgoing_transfer p USING (txid)
  WHERE p.purpose = 'withdrawal' AND p.member_id = w.member_id AND p.withdrawal_id = w.id)`)

const principal: Questions = {
  'principal that left for withdrawals, or came back, is another in the history than was posted': sql`
    WITH p AS (SELECT p.member_id, split_part(j.key, ':', 2) AS withdrawal, p.at,
        CASE p.kind WHEN 'hold_principal' THEN -p.amount ELSE p.amount END AS amount
      FROM posting p JOIN journal j ON j.id = p.journal_id WHERE p.kind IN ('hold_principal', 'release_principal')),
    m AS (SELECT member_id, withdrawal_id::text AS withdrawal, at, amount FROM principal_movement)
    SELECT count(*)::int AS count FROM p FULL JOIN m USING (member_id, withdrawal, at, amount)
    WHERE p.member_id IS NULL OR m.member_id IS NULL`,
  'movements of principal came off investments, or went back to them, in another sum': sql`
    WITH p AS (SELECT member_id, movement_id AS id, sum(amount) AS amount, min(amount) < 0 AND max(amount) > 0 AS turned
      FROM principal_movement_part GROUP BY member_id, movement_id)
    SELECT count(*)::int AS count FROM principal_movement m FULL JOIN p USING (member_id, id) WHERE m.amount IS DISTINCT FROM p.amount OR p.turned`,
  'members’ investments have another sum left than their principal is': sql`
    WITH l AS (SELECT member_id, sum(amount) AS amount, min(amount) AS least FROM investment_left GROUP BY member_id)
    SELECT count(*)::int AS count FROM member_balance b FULL JOIN l USING (member_id)
    WHERE coalesce(b.principal, 0) <> coalesce(l.amount, 0) OR l.least < 0`,
  'investments unlock on another day than their plan says, or have more left than they were': sql`
    SELECT count(*)::int AS count FROM investment i JOIN plan_version v ON v.version = i.plan_version
      LEFT JOIN investment_left l ON l.member_id = i.member_id AND l.investment_id = i.id
      CROSS JOIN LATERAL (SELECT i.credited_at + make_interval(hours => 24 * (v.document->'investment'->>'lockDays')::int) AS ends) term
    WHERE i.unlocks_at > term.ends OR (i.unlocks_at < term.ends) <> i.unlocks_early OR l.amount > i.amount`,
  'principal was withdrawn before its term was over': sql`
    SELECT count(*)::int AS count FROM principal_movement_part p JOIN investment i ON i.member_id = p.member_id AND i.id = p.investment_id
      JOIN principal_movement m ON m.member_id = p.member_id AND m.id = p.movement_id
      JOIN withdrawal w ON w.member_id = m.member_id AND w.id = m.withdrawal_id
    WHERE p.amount < 0 AND w.requested_at < i.unlocks_at AND NOT ${IS_ADOPTED}`,
}

/** What a plan says of withdrawals, in micro-USDT; a plan from before there were any says what a new one does. */
const TERMS = sql.raw(`
  SELECT version, document->>'timeZone' AS zone,
    coalesce((document->'withdrawals'->>'minimum')::numeric, 20) * 1000000 AS minimum,
    coalesce((document->'withdrawals'->>'fee')::numeric, 1) * 1000000 AS fee,
    coalesce((document->'withdrawals'->>'dailyLimit')::numeric, 5000) * 1000000 AS daily,
    coalesce(document->'withdrawals'->'approvals', '[{"from": "0", "operators": 1}, {"from": "1000", "operators": 2}]') AS approvals
  FROM plan_version`)

const deciding: Questions = {
  'withdrawals have other terms than their plan says': sql`
    SELECT count(*)::int AS count FROM withdrawal w LEFT JOIN (${TERMS}) t ON t.version = w.plan_version
      LEFT JOIN LATERAL (SELECT (e->>'operators')::int AS operators FROM jsonb_array_elements(t.approvals) e
        WHERE (e->>'from')::numeric * 1000000 <= w.amount ORDER BY (e->>'from')::numeric DESC LIMIT 1) a ON true
    WHERE (w.fee IS DISTINCT FROM t.fee OR w.amount < t.minimum
      OR w.approvals_needed IS DISTINCT FROM greatest(a.operators, CASE WHEN w.risks <> '[]' THEN 1 ELSE 0 END)) AND NOT ${IS_ADOPTED}`,
  'members were let withdraw more in a day than their plan allows': sql`SELECT count(*)::int AS count FROM (
    SELECT FROM withdrawal w JOIN (${TERMS}) t ON t.version = w.plan_version
    WHERE w.state IN ('requested', 'approved', 'completed')
    GROUP BY w.member_id, w.plan_version, (w.requested_at AT TIME ZONE t.zone)::date, t.daily HAVING sum(w.amount) > t.daily) days`,
  'withdrawals went on without enough different operators, or by their own member’s word': sql`
    SELECT count(*)::int AS count FROM withdrawal w LEFT JOIN LATERAL (
      SELECT count(DISTINCT operator_id) AS n, coalesce(bool_or(operator_id = member_id), false) AS own FROM withdrawal_approval a
      WHERE a.member_id = w.member_id AND a.withdrawal_id = w.id) a ON true
    WHERE a.own OR (w.state IN ('approved', 'completed', 'failed') AND w.approved_at IS NULL)
      OR (w.approved_at IS NOT NULL AND a.n < w.approvals_needed AND NOT ${IS_ADOPTED})
      OR (w.state IN ('requested', 'cancelled') AND w.approved_at IS NOT NULL)`,
}

const transfers: Questions = {
  'transfers pay another wallet or amount than their withdrawal’s, or one that was never approved': sql`
    SELECT count(*)::int AS count FROM outgoing_transfer p
      LEFT JOIN withdrawal w ON w.member_id = p.member_id AND w.id = p.withdrawal_id
    WHERE p.purpose = 'withdrawal' AND (w.approved_at IS NULL OR p.to_address <> w.wallet_address OR p.amount <> w.amount - w.fee)`,
  'withdrawals have more than one transfer that can still arrive or has': sql`
    SELECT count(*)::int AS count FROM (SELECT FROM outgoing_transfer WHERE purpose = 'withdrawal'
    AND state IN ('prepared', 'signed', 'settled') GROUP BY member_id, withdrawal_id HAVING count(*) > 1) several`,
  // What the chain has settled and nobody has booked is work, and its withdrawal still approved.
  'withdrawals are in another state than the transfer that ended them': sql`
    WITH t AS (SELECT member_id, withdrawal_id AS id, count(*) FILTER (WHERE state = 'settled') AS settled,
        min(txid) FILTER (WHERE state = 'settled') AS txid, count(*) FILTER (WHERE state IN ('prepared', 'signed')) AS live,
        count(*) FILTER (WHERE state = 'failed') AS failed
      FROM outgoing_transfer WHERE purpose = 'withdrawal' GROUP BY member_id, withdrawal_id)
    SELECT count(*)::int AS count FROM withdrawal w LEFT JOIN t USING (member_id, id)
    WHERE CASE w.state
      WHEN 'completed' THEN t.settled IS DISTINCT FROM 1 OR w.txid IS DISTINCT FROM t.txid OR t.failed > 0 OR t.live > 0
      WHEN 'failed' THEN coalesce(t.failed, 0) = 0 OR t.settled > 0 OR t.live > 0
      WHEN 'approved' THEN t.settled > 0 AND t.failed > 0
      ELSE t.settled > 0 OR t.live > 0 OR t.failed > 0 END`,
}

export const withdrawals: Questions = { ...holds, ...principal, ...deciding, ...transfers }

const books: Questions = {
  'openings of the company’s wallets were booked as another sum, or of another wallet': sql`
    SELECT count(*)::int AS count FROM custody_address a JOIN journal j ON j.key = 'opening:' || a.address
      LEFT JOIN (SELECT journal_id, sum(amount) AS amount, min(kind::text) AS kind, max(kind::text) AS last_kind
        FROM posting WHERE member_id = 0 GROUP BY journal_id) p ON p.journal_id = j.id
    WHERE coalesce(p.amount, 0) <> a.opening OR p.kind <> 'company_deposit_' || a.role OR p.last_kind <> p.kind`,
  'money of the company’s was credited to another wallet than it came to': sql`
    SELECT count(*)::int AS count FROM deposit_credit c JOIN incoming_transfer t USING (txid, position)
      JOIN posting p ON p.member_id = c.member_id AND p.journal_id = c.journal_id
      LEFT JOIN custody_address cold ON cold.address = t.from_address AND cold.role = 'cold'
    WHERE c.member_id = 0 AND (p.kind::text <> CASE WHEN t.role = 'deposit' THEN 'company_deposit' WHEN t.role = 'cold' THEN 'company_deposit_cold'
        WHEN cold.address IS NULL THEN 'company_deposit_hot' ELSE 'refill_hot' END
      OR (c.outcome = 'refill') <> (p.kind = 'refill_hot'))`,
  'explained differences and what was posted for them do not belong to each other': sql`
    WITH p AS (SELECT p.journal_id, p.kind::text AS kind, p.amount FROM posting p WHERE p.member_id = 0 AND p.kind IN ('custody_loss_deposits', 'custody_loss_hot',
        'custody_loss_cold', 'custody_gain_deposits', 'custody_gain_hot', 'custody_gain_cold')
      AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.journal_id = p.journal_id)),
    a AS (SELECT a.journal_id, abs(a.amount) AS amount, 'custody_' || CASE WHEN a.amount < 0 THEN 'loss_' ELSE 'gain_' END
        || CASE h.role WHEN 'deposit' THEN 'deposits' ELSE h.role END AS kind
      FROM custody_adjustment a LEFT JOIN custody_holding h ON h.address = a.address)
    SELECT count(*)::int AS count FROM p FULL JOIN a USING (journal_id, kind, amount) WHERE p.journal_id IS NULL OR a.journal_id IS NULL`,
}

const payments: Questions = {
  'transfers are booked that the solid chain has not ended, or as another journal than is theirs': sql`
    SELECT count(*)::int AS count FROM outgoing_transfer_booking b LEFT JOIN outgoing_transfer p ON p.txid = b.txid
      LEFT JOIN withdrawal w ON p.purpose = 'withdrawal' AND w.member_id = p.member_id AND w.id = p.withdrawal_id
      LEFT JOIN journal j ON j.id = b.journal_id
    WHERE p.txid IS NULL OR p.state NOT IN ('settled', 'failed') OR p.purpose = 'trx_topup'
      OR CASE WHEN p.purpose = 'withdrawal' THEN b.journal_id IS DISTINCT FROM w.close_journal_id
        WHEN p.state = 'settled' THEN j.key IS DISTINCT FROM 'payment:' || p.txid ELSE b.journal_id IS NOT NULL END`,
  // What the token took on the way is the company's loss.
  'transfers between the company’s wallets were posted otherwise than they arrived': sql`
    WITH p AS (SELECT journal_id, coalesce(sum(amount) FILTER (WHERE kind = 'sweep'), 0) AS swept,
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
}

const holdings: Questions = {
  'addresses are said to hold another amount than their transfers come to': sql`WITH moved AS (
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
}

export const custody: Questions = { ...books, ...payments, ...holdings }

/** What must not be of withdrawals: their holds, what ended them, who approved them, and the principal they took. */
import { sql } from 'kysely'
import type { Question } from './faults-question.sql.ts'

const holds: readonly Question[] = [
  {
    sentence: 'members hold another sum than their open withdrawals come to',
    count: sql`WITH w AS (SELECT member_id, sum(amount) AS amount FROM withdrawal WHERE state IN ('requested', 'approved') GROUP BY member_id)
      SELECT count(*)::int AS count FROM member_balance b FULL JOIN w USING (member_id)
      WHERE coalesce(b.held, 0) <> coalesce(w.amount, 0)`,
  },
  {
    sentence: 'withdrawals and what was held for them do not belong to each other',
    count: sql`WITH p AS (SELECT p.member_id, p.journal_id, min(j.key) AS key,
          coalesce(sum(p.amount) FILTER (WHERE p.kind = 'hold_balance'), 0) AS from_balance,
          coalesce(sum(p.amount) FILTER (WHERE p.kind = 'hold_principal'), 0) AS from_principal
        FROM posting p JOIN journal j ON j.id = p.journal_id WHERE p.kind IN ('hold_balance', 'hold_principal')
        GROUP BY p.member_id, p.journal_id)
      SELECT count(*)::int AS count FROM p FULL JOIN withdrawal w ON w.member_id = p.member_id AND w.hold_journal_id = p.journal_id
      WHERE w.id IS NULL OR p.key IS DISTINCT FROM 'withdrawal:' || w.id || ':hold'
        OR p.from_balance <> w.from_balance OR p.from_principal <> w.from_principal`,
  },
  {
    // Paid: what arrives and the fee. Come to nothing: to where it was taken from, in full.
    sentence: 'withdrawals were ended by other postings than their state says',
    count: sql`WITH p AS (SELECT p.member_id, p.journal_id, min(j.key) AS key,
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
  },
]

const principal: readonly Question[] = [
  {
    sentence: 'principal that left for withdrawals, or came back, is another in the history than was posted',
    count: sql`WITH p AS (SELECT p.member_id, split_part(j.key, ':', 2) AS withdrawal, p.at,
          CASE p.kind WHEN 'hold_principal' THEN -p.amount ELSE p.amount END AS amount
        FROM posting p JOIN journal j ON j.id = p.journal_id WHERE p.kind IN ('hold_principal', 'release_principal')),
      m AS (SELECT member_id, withdrawal_id::text AS withdrawal, at, amount FROM principal_movement)
      SELECT count(*)::int AS count FROM p FULL JOIN m USING (member_id, withdrawal, at, amount)
      WHERE p.member_id IS NULL OR m.member_id IS NULL`,
  },
  {
    sentence: 'principal was withdrawn before its term was over',
    count: sql`SELECT count(*)::int AS count FROM principal_movement m
        JOIN withdrawal w ON w.member_id = m.member_id AND w.id = m.withdrawal_id
        JOIN plan_version v ON v.version = w.plan_version
      WHERE m.amount < 0 AND w.requested_at < (SELECT max(n.credited_at) FROM investment n WHERE n.member_id = m.member_id AND n.id < m.id)
        + make_interval(secs => (v.document->'investment'->>'lockDays')::int * 86400)`,
  },
]

/** What a plan says of withdrawals, in micro-USDT; a plan from before there were any says what a new one does. */
const TERMS = sql.raw(`
  SELECT version, document->>'timeZone' AS zone,
    coalesce((document->'withdrawals'->>'minimum')::numeric, 20) * 1000000 AS minimum,
    coalesce((document->'withdrawals'->>'fee')::numeric, 1) * 1000000 AS fee,
    coalesce((document->'withdrawals'->>'dailyLimit')::numeric, 5000) * 1000000 AS daily,
    coalesce(document->'withdrawals'->'approvals', '[{"from": "0", "operators": 1}, {"from": "1000", "operators": 2}]') AS approvals
  FROM plan_version`)

const deciding: readonly Question[] = [
  {
    sentence: 'withdrawals have other terms than their plan says',
    count: sql`SELECT count(*)::int AS count FROM withdrawal w LEFT JOIN (${TERMS}) t ON t.version = w.plan_version
        LEFT JOIN LATERAL (SELECT (e->>'operators')::int AS operators FROM jsonb_array_elements(t.approvals) e
          WHERE (e->>'from')::numeric * 1000000 <= w.amount ORDER BY (e->>'from')::numeric DESC LIMIT 1) a ON true
      WHERE w.fee IS DISTINCT FROM t.fee OR w.amount < t.minimum
        OR w.approvals_needed IS DISTINCT FROM greatest(a.operators, CASE WHEN w.risks <> '[]' THEN 1 ELSE 0 END)`,
  },
  {
    sentence: 'members were let withdraw more in a day than their plan allows',
    count: sql`SELECT count(*)::int AS count FROM (
      SELECT FROM withdrawal w JOIN (${TERMS}) t ON t.version = w.plan_version
      WHERE w.state IN ('requested', 'approved', 'completed')
      GROUP BY w.member_id, w.plan_version, (w.requested_at AT TIME ZONE t.zone)::date, t.daily HAVING sum(w.amount) > t.daily) days`,
  },
  {
    sentence: 'withdrawals went on without enough different operators, or by their own member’s word',
    count: sql`SELECT count(*)::int AS count FROM withdrawal w LEFT JOIN LATERAL (
        SELECT count(DISTINCT operator_id) AS n, coalesce(bool_or(operator_id = member_id), false) AS own FROM withdrawal_approval a
        WHERE a.member_id = w.member_id AND a.withdrawal_id = w.id) a ON true
      WHERE a.own OR (w.state IN ('approved', 'completed', 'failed') AND w.approved_at IS NULL)
        OR (w.approved_at IS NOT NULL AND a.n < w.approvals_needed)
        OR (w.state IN ('requested', 'cancelled') AND w.approved_at IS NOT NULL)`,
  },
]

const transfers: readonly Question[] = [
  {
    sentence:
      'transfers pay another wallet or amount than their withdrawal’s, or one that was never approved',
    count: sql`SELECT count(*)::int AS count FROM outgoing_transfer p
        LEFT JOIN withdrawal w ON w.member_id = p.member_id AND w.id = p.withdrawal_id
      WHERE p.purpose = 'withdrawal' AND (w.approved_at IS NULL OR p.to_address <> w.wallet_address OR p.amount <> w.amount - w.fee)`,
  },
  {
    sentence: 'withdrawals have more than one transfer that can still arrive or has',
    count: sql`SELECT count(*)::int AS count FROM (SELECT FROM outgoing_transfer WHERE purpose = 'withdrawal'
      AND state IN ('prepared', 'signed', 'settled') GROUP BY member_id, withdrawal_id HAVING count(*) > 1) several`,
  },
  {
    // What the chain has settled and nobody has booked is work, and its withdrawal still approved.
    sentence: 'withdrawals are in another state than the transfer that ended them',
    count: sql`WITH t AS (SELECT member_id, withdrawal_id AS id, count(*) FILTER (WHERE state = 'settled') AS settled,
          min(txid) FILTER (WHERE state = 'settled') AS txid, count(*) FILTER (WHERE state IN ('prepared', 'signed')) AS live,
          count(*) FILTER (WHERE state = 'failed') AS failed
        FROM outgoing_transfer WHERE purpose = 'withdrawal' GROUP BY member_id, withdrawal_id)
      SELECT count(*)::int AS count FROM withdrawal w LEFT JOIN t USING (member_id, id)
      WHERE CASE w.state
        WHEN 'completed' THEN t.settled IS DISTINCT FROM 1 OR w.txid IS DISTINCT FROM t.txid OR t.failed > 0 OR t.live > 0
        WHEN 'failed' THEN coalesce(t.failed, 0) = 0 OR t.settled > 0 OR t.live > 0
        WHEN 'approved' THEN t.settled > 0 AND t.failed > 0
        ELSE t.settled > 0 OR t.live > 0 OR t.failed > 0 END`,
  },
]

export const withdrawals: readonly Question[] = [...holds, ...principal, ...deciding, ...transfers]

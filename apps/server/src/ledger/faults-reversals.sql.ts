/** What must not be of reversals: exactly what was paid is taken back, from whom it was paid to, once. */
import { sql } from 'kysely'
import { PASSIVE_RUN, type Question } from './faults-question.sql.ts'

/** What a day's terms pay on a principal, up to the cap if there is one, and what of it was really paid. */
const paidOn = (principal: string) =>
  sql.raw(`div(least(div((${principal}) * num, den),
    CASE WHEN cap IS NOT NULL THEN greatest(div((${principal}) * cap, 1) - earned, 0) END) * paid, computed)`)

const taking: readonly Question[] = [
  {
    sentence: 'reversals and principal that went back do not belong to each other, or to an investment',
    count: sql`WITH p AS (SELECT member_id, journal_id, sum(amount) AS amount, min(at) AS at FROM posting
        WHERE kind = 'reverse_investment' GROUP BY member_id, journal_id)
      SELECT count(*)::int AS count FROM p FULL JOIN reversal v USING (member_id, journal_id)
        LEFT JOIN investment n ON n.member_id = v.member_id AND n.id = v.investment_id
      WHERE p.amount IS DISTINCT FROM v.amount OR p.at <> v.at OR n.amount IS DISTINCT FROM v.amount
        OR n.credited_at > v.at OR n.id >= v.id`,
  },
  {
    sentence: 'investments were reversed more than once',
    count: sql`SELECT count(*)::int AS count FROM (SELECT FROM reversal GROUP BY investment_id HAVING count(*) > 1) twice`,
  },
  {
    sentence: 'commissions of reversed investments were not taken back to the micro-USDT',
    count: sql`WITH paid AS (SELECT v.id AS reversal_id, i.member_id, i.run_id, i.leg AS item_leg, coalesce(s.amount, i.amount) AS amount
        FROM reversal v JOIN payout_item i ON i.investment_id = v.investment_id
          JOIN payout_run r ON r.id = i.run_id AND r.state <> 'cancelled'
          LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg),
      taken AS (SELECT * FROM reversal_part WHERE pool = 'commission')
      SELECT count(*)::int AS count FROM (SELECT * FROM paid WHERE amount > 0) paid
        FULL JOIN taken USING (reversal_id, member_id, run_id, item_leg)
      WHERE paid.amount IS DISTINCT FROM taken.amount`,
  },
  {
    // Of each day: what it paid on the basis still standing, less what it pays without the investment.
    sentence: 'passive profit of reversed investments was not taken back to the micro-USDT',
    count: sql`WITH day AS (SELECT v.id AS reversal_id, v.member_id, v.amount, r.num, r.den, r.cap, p.amounts[here.i] AS computed,
          coalesce(s.amounts[here.i], p.amounts[here.i]) AS paid, coalesce(p.earned[here.i], 0) AS earned,
          p.bases[here.i] - coalesce((SELECT sum(w.amount) FROM reversal w JOIN investment o ON o.member_id = w.member_id AND o.id = w.investment_id
            WHERE w.member_id = v.member_id AND w.id < v.id AND o.credited_at < r.cutoff_at AND w.at >= r.cutoff_at), 0) AS standing
        FROM reversal v JOIN investment n ON n.member_id = v.member_id AND n.id = v.investment_id
          JOIN (${PASSIVE_RUN}) r ON r.state <> 'cancelled' AND r.cutoff_at > n.credited_at AND r.cutoff_at <= v.at
          JOIN payout_page p ON p.run_id = r.id AND p.block = v.member_id / 1024
          LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block,
          LATERAL (SELECT array_position(p.members, v.member_id) AS i) here WHERE here.i IS NOT NULL),
      due AS (SELECT reversal_id, member_id, sum(${paidOn('greatest(standing, 0)')} - ${paidOn('greatest(standing - amount, 0)')}) AS amount
        FROM day GROUP BY reversal_id, member_id),
      taken AS (SELECT reversal_id, member_id, sum(amount) AS amount FROM reversal_part WHERE pool = 'profit' GROUP BY reversal_id, member_id)
      SELECT count(*)::int AS count FROM due FULL JOIN taken USING (reversal_id, member_id)
      WHERE coalesce(due.amount, 0) <> coalesce(taken.amount, 0)`,
  },
]

const postings: readonly Question[] = [
  {
    sentence: 'parts of reversals and what was posted for them do not belong to each other',
    count: sql`WITH p AS (SELECT j.key, p.member_id, min(p.at) AS at,
          coalesce(sum(p.amount) FILTER (WHERE p.kind IN ('clawback_profit', 'clawback_commission')), 0) AS taken,
          coalesce(sum(p.amount) FILTER (WHERE p.kind IN ('owed_profit', 'owed_commission')), 0) AS owed,
          min(split_part(p.kind::text, '_', 2)) AS pool, max(split_part(p.kind::text, '_', 2)) AS last_pool
        FROM posting p JOIN journal j ON j.id = p.journal_id
        WHERE p.kind IN ('clawback_profit', 'clawback_commission', 'owed_profit', 'owed_commission') GROUP BY j.key, p.member_id),
      t AS (SELECT 'reverse:' || v.investment_id || ':' || t.leg AS key, t.* FROM reversal_part t LEFT JOIN reversal v ON v.id = t.reversal_id)
      SELECT count(*)::int AS count FROM p FULL JOIN t USING (key, member_id)
      WHERE p.taken IS DISTINCT FROM t.from_balance OR p.owed IS DISTINCT FROM t.amount - t.from_balance
        OR p.pool <> t.pool OR p.last_pool <> t.pool OR p.at <> t.at`,
  },
  {
    sentence: 'recoveries settled another sum than they took',
    count: sql`SELECT count(*)::int AS count FROM (SELECT FROM posting
      WHERE kind IN ('recover_profit', 'repay_profit', 'recover_commission', 'repay_commission')
      GROUP BY member_id, journal_id, kind IN ('recover_profit', 'repay_profit')
      HAVING sum(CASE WHEN kind IN ('recover_profit', 'recover_commission') THEN amount ELSE -amount END) <> 0) uneven`,
  },
]

export const reversals: readonly Question[] = [...taking, ...postings]

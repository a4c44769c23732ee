/** What must not be of direct and master commissions: whom an investment pays is recomputed from the sponsor tree. */
import { sql } from 'kysely'
import { type Question, STANDING_BY_NUMBER } from './faults-question.sql.ts'

/** What runs paid and did not pay for investments, a row a step up the chain. */
const STEP = sql.raw(`
  SELECT run_id, member_id, kind::text AS kind, level, amount, basis, percentage, investment_id, from_member_id, true AS paid
  FROM payout_item WHERE kind IN ('direct', 'master')
  UNION ALL
  SELECT run_id, member_id, kind::text, level, amount, NULL, NULL, investment_id, from_member_id, false
  FROM payout_missed WHERE kind IN ('direct', 'master')`)

const DIRECT_RUN = sql.raw(`
  SELECT r.*, plan.levels, jsonb_array_length(plan.levels) AS flat, plan.master, plan.compression
  FROM payout_run r JOIN plan_version v ON v.version = r.plan_version, LATERAL (SELECT v.document->'direct'->'levels' AS levels,
    (v.document->'direct'->>'masterPercent')::numeric AS master, coalesce((v.document->'direct'->>'compression')::boolean, false) AS compression) plan
  WHERE r.kind = 'direct'`)

/** Percent of a level, counted from 1, and what the sponsor there has on top of it. */
const PERCENT = sql.raw(
  `(levels->>(level - 1))::numeric + CASE level WHEN 1 THEN s.extra_percent::numeric ELSE 0 END`,
)

export const commissions: readonly Question[] = [
  {
    sentence: 'investments are covered by no run although later ones are, or by more than one',
    count: sql`WITH live AS (SELECT first_investment, last_investment FROM payout_run WHERE kind = 'direct' AND state <> 'cancelled')
      SELECT count(*)::int AS count FROM (SELECT id, turn, sum(opens) OVER (ORDER BY id, turn ROWS UNBOUNDED PRECEDING) AS covering FROM (
          SELECT id, 1 AS turn, 0 AS opens FROM investment WHERE id <= (SELECT max(last_investment) FROM live)
          UNION ALL SELECT first_investment, 0, 1 FROM live
          UNION ALL SELECT last_investment, 2, -1 FROM live) sides) covered
      WHERE turn = 1 AND covering <> 1`,
  },
  {
    sentence: 'commissions were not computed from their investment by their plan',
    count: sql`SELECT count(*)::int AS count FROM (${STEP}) c LEFT JOIN (${DIRECT_RUN}) r ON r.id = c.run_id
        LEFT JOIN investment n ON n.member_id = c.from_member_id AND n.id = c.investment_id
          AND n.id BETWEEN r.first_investment AND r.last_investment AND n.plan_version = r.plan_version
        LEFT JOIN sponsorship s ON s.member_id = c.member_id,
        LATERAL (SELECT CASE WHEN c.kind = 'direct' AND c.level > 0 THEN ${PERCENT} WHEN c.level > r.flat THEN r.master END AS percent) due
      WHERE n.id IS NULL OR due.percent IS NULL OR c.amount <> div(n.amount * due.percent, 100)
        OR c.basis <> n.amount OR (c.percentage::numeric <> due.percent AND r.input_hash IS NOT NULL)`,
  },
  {
    // Runs from before did not write down as of when they looked at who is active.
    sentence:
      'steps up the sponsor chain were paid to another member, left out, or judged active otherwise than they were',
    count: sql`WITH RECURSIVE chain (run_id, as_of, levels, flat, investment_id, invested, member_id, level) AS (
        SELECT r.id, r.as_of, r.levels, r.flat, n.id, n.amount, s.sponsor_id, 1 FROM (${DIRECT_RUN}) r
          JOIN investment n ON n.id BETWEEN r.first_investment AND r.last_investment
          JOIN sponsorship s ON s.member_id = n.member_id AND s.sponsor_id IS NOT NULL
        WHERE r.state <> 'computing' AND r.input_hash IS NOT NULL AND NOT r.compression
        UNION ALL
        SELECT c.run_id, c.as_of, c.levels, c.flat, c.investment_id, c.invested, s.sponsor_id, c.level + 1
        FROM chain c JOIN sponsorship s ON s.member_id = c.member_id AND s.sponsor_id IS NOT NULL WHERE c.level < c.flat),
      due AS (SELECT c.run_id, c.investment_id, c.level, c.member_id, coalesce(t.principal, 0) > 0 AS active
        FROM chain c JOIN sponsorship s ON s.member_id = c.member_id
          LEFT JOIN (${STANDING_BY_NUMBER}) t ON t.member_id = c.member_id AND t.since <= c.as_of AND t.until > c.as_of
        WHERE div(c.invested * (${PERCENT}), 100) > 0),
      stored AS (SELECT c.* FROM (${STEP}) c JOIN (${DIRECT_RUN}) r ON r.id = c.run_id AND r.state <> 'computing'
          AND r.input_hash IS NOT NULL AND NOT r.compression WHERE c.kind = 'direct')
      SELECT count(*)::int AS count FROM due FULL JOIN stored USING (run_id, investment_id, level)
      WHERE due.member_id IS DISTINCT FROM stored.member_id OR due.active IS DISTINCT FROM stored.paid`,
  },
  {
    sentence: 'master commissions were computed without a master link, or at another distance',
    count: sql`SELECT count(*)::int AS count FROM (${STEP}) c JOIN (${DIRECT_RUN}) r ON r.id = c.run_id
        JOIN sponsorship up ON up.member_id = c.member_id JOIN sponsorship own ON own.member_id = c.from_member_id
      WHERE c.kind = 'master' AND (NOT EXISTS (SELECT FROM master_code m WHERE m.sponsor_id = c.member_id AND m.id < r.as_of)
        OR (NOT r.compression AND c.level <> own.depth - up.depth))`,
  },
  {
    sentence: 'master codes and master links do not agree',
    count: sql`SELECT count(*)::int AS count FROM master_code m FULL JOIN sponsorship s ON s.member_id = m.member_id
      WHERE (m.member_id IS NOT NULL AND m.sponsor_id IS DISTINCT FROM s.sponsor_id)
        OR (m.member_id IS NOT NULL) <> coalesce(s.is_master AND s.sponsor_id IS NOT NULL, false)`,
  },
  {
    sentence: 'members stand at another distance from the root than their sponsor says',
    count: sql`SELECT count(*)::int AS count FROM sponsorship s LEFT JOIN sponsorship up ON up.member_id = s.sponsor_id
      WHERE s.depth <> coalesce(up.depth + 1, 0) OR (s.sponsor_id IS NOT NULL AND up.member_id IS NULL)`,
  },
]

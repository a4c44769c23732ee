/** What must not be of passive profit: each day is recomputed from the history of what was invested and taken back. */
import { sql } from 'kysely'
import { PASSIVE_RUN, type Question, STANDING } from './faults-question.sql.ts'

export const passive: readonly Question[] = [
  {
    sentence: 'passive runs follow another rate than their plan, a declaration or a day without profit says',
    count: sql`SELECT count(*)::int AS count FROM (${PASSIVE_RUN}) r JOIN plan_version v ON v.version = r.plan_version
        LEFT JOIN declared_rate d ON d.id = r.declared_id,
        LATERAL (SELECT v.document->'passive' AS passive) plan
      WHERE d.day <> r.period OR (r.declared_id IS NULL) <> (d.id IS NULL)
        OR CASE WHEN (passive->>'weekdaysOnly')::boolean AND extract(isodow FROM r.period::date) > 5 THEN r.num <> 0
          WHEN d.id IS NOT NULL THEN r.num * 100 <> r.den * d.percentage::numeric
          ELSE r.num * 100 * (passive->>'periodDays')::numeric <> r.den * (passive->>'percentPerPeriod')::numeric END`,
  },
  {
    sentence: 'passive payments were not computed from the principal at their cutoff by their plan',
    count: sql`WITH standing AS (${STANDING}),
      item AS (SELECT r.cutoff_at, r.num, r.den, r.cap, i.* FROM (${PASSIVE_RUN}) r JOIN payout_page p ON p.run_id = r.id,
        unnest(p.members, p.bases, p.amounts, p.earned) AS i (member_id, basis, amount, earned))
      SELECT count(*)::int AS count FROM item i
        LEFT JOIN standing s ON s.member_id = i.member_id AND s.since < i.cutoff_at AND s.until >= i.cutoff_at
      WHERE s.principal IS DISTINCT FROM i.basis OR (i.cap IS NULL) <> (i.earned IS NULL)
        OR i.amount <> least(div(i.basis * i.num, i.den), div(i.basis * i.cap, 1) - i.earned)`,
  },
  {
    // How many have principal at a run's cutoff that earns a micro-USDT is counted by where their stretches begin and end,
    // so that nobody is looked up day by day; the few with next to nothing are.
    sentence: 'passive runs leave out a member who had principal, or pay one who had none',
    count: sql`WITH run AS (SELECT id, cutoff_at, item_count, ceil(den / nullif(num, 0)) AS least FROM (${PASSIVE_RUN}) r
        WHERE state <> 'computing' AND (cap IS NULL OR num = 0)),
      days AS (SELECT array_agg(cutoff_at ORDER BY cutoff_at) AS cutoffs, max(least) AS most FROM run),
      standing AS MATERIALIZED (SELECT * FROM (${STANDING}) s WHERE principal > 0),
      edge AS (SELECT at, sum(one) AS net FROM standing s, days d, LATERAL (VALUES
          (width_bucket(s.since, d.cutoffs) + 1, 1), (width_bucket(s.until, d.cutoffs) + 1, -1)) e (at, one)
        WHERE s.principal >= d.most GROUP BY at),
      few AS (SELECT r.id, count(*) AS n FROM run r, days d, standing s
        WHERE s.principal < d.most AND s.principal >= r.least AND s.since < r.cutoff_at AND s.until >= r.cutoff_at GROUP BY r.id)
      SELECT count(*)::int AS count FROM run r CROSS JOIN days d LEFT JOIN few ON few.id = r.id
      WHERE r.item_count <> CASE WHEN r.least IS NULL THEN 0 ELSE coalesce(few.n, 0)
        + coalesce((SELECT sum(net) FROM edge WHERE at <= width_bucket(r.cutoff_at, d.cutoffs)), 0) END`,
  },
  {
    sentence: 'members who had not reached their cap were left out of a day’s passive profit',
    count: sql`WITH run AS (SELECT * FROM (${PASSIVE_RUN}) r WHERE state <> 'computing' AND cap IS NOT NULL AND num > 0),
      item AS (SELECT p.run_id, i.member_id FROM payout_page p, unnest(p.members) AS i (member_id) WHERE p.earned IS NOT NULL)
      SELECT count(*)::int AS count FROM run r
        JOIN (${STANDING}) s ON s.since < r.cutoff_at AND s.until >= r.cutoff_at AND s.principal * r.num >= r.den
        LEFT JOIN item i ON i.run_id = r.id AND i.member_id = s.member_id
      WHERE i.member_id IS NULL AND div(s.principal * r.cap, 1) >
        coalesce((SELECT sum(p.amount) FROM posting p JOIN payout_run e ON e.journal_id = p.journal_id AND e.cutoff_at < r.cutoff_at
          WHERE p.member_id = s.member_id AND p.kind = 'passive'), 0)
        - coalesce((SELECT sum(t.amount) FROM reversal_part t
          WHERE t.member_id = s.member_id AND t.pool = 'profit' AND t.at < r.cutoff_at), 0)`,
  },
  {
    sentence: 'passive payments under a cap count another profit before them than there was',
    count: sql`WITH item AS (SELECT i.member_id, r.cutoff_at AS at, i.earned FROM payout_run r JOIN payout_page p ON p.run_id = r.id,
          unnest(p.members, p.earned) AS i (member_id, earned) WHERE p.earned IS NOT NULL),
      moved AS (SELECT member_id, at, 0 AS turn, earned, 0 AS amount FROM item
        UNION ALL SELECT p.member_id, r.cutoff_at, 1, NULL, p.amount FROM posting p JOIN payout_run r ON r.journal_id = p.journal_id
          WHERE p.kind = 'passive' AND EXISTS (SELECT FROM item)
        UNION ALL SELECT member_id, at, 1, NULL, -amount FROM reversal_part WHERE pool = 'profit')
      SELECT count(*)::int AS count FROM (SELECT earned, sum(amount) OVER (PARTITION BY member_id ORDER BY at, turn) AS before FROM moved) earlier
      WHERE earned <> before`,
  },
]

/** What must not be of runs of any kind: their seal, their figures, their release, what they post. */
import { sql } from 'kysely'
import { PAYOUTS, type Question } from './faults-question.sql.ts'

const sealed: readonly Question[] = [
  {
    sentence: 'runs have other items than they were sealed with',
    count: sql`SELECT count(*)::int AS count FROM payout_run
      WHERE items_hash IS DISTINCT FROM CASE WHEN state <> 'computing' THEN seal_payout_run(id) END`,
  },
  {
    sentence: 'pages of passive items are not what they say they are',
    count: sql`SELECT count(*)::int AS count FROM payout_page p CROSS JOIN LATERAL (
        SELECT count(*) AS n, sum(amount) AS total, min(member_id) / 1024 AS lowest, max(member_id) / 1024 AS highest,
          bool_and(coalesce(amount > 0 AND basis > 0, false)) AS something, array_agg(DISTINCT member_id ORDER BY member_id) AS members
        FROM unnest(p.members, p.bases, p.amounts) AS i (member_id, basis, amount)) i
      WHERE i.n <> p.item_count OR i.total <> p.item_sum OR i.members <> p.members OR NOT i.something
        OR i.lowest <> p.block OR i.highest <> p.block OR cardinality(p.earned) <> p.item_count
        OR p.hash <> encode(sha256(convert_to(
          p.members::text || p.bases::text || p.amounts::text || coalesce(p.earned::text, ''), 'UTF8')), 'hex')`,
  },
  {
    sentence: 'runs say another number, sum or largest payment than their items come to',
    count: sql`WITH i AS (SELECT run_id, sum(n) AS n, sum(total) AS total, max(total) AS largest FROM (
          SELECT run_id, count(*) AS n, sum(amount) AS total FROM payout_item GROUP BY run_id, member_id) members GROUP BY run_id),
        p AS (SELECT run_id, sum(item_count) AS n, sum(item_sum) AS total, max((SELECT max(a) FROM unnest(amounts) a)) AS largest
          FROM payout_page GROUP BY run_id),
        m AS (SELECT run_id, sum(amount) AS total FROM payout_missed GROUP BY run_id)
      SELECT count(*)::int AS count FROM payout_run r LEFT JOIN i ON i.run_id = r.id LEFT JOIN p ON p.run_id = r.id
        LEFT JOIN m ON m.run_id = r.id
      WHERE CASE r.kind WHEN 'passive' THEN i.n ELSE p.n END IS NOT NULL OR (r.state <> 'computing' AND (
        coalesce(i.n, p.n, 0) <> r.item_count OR coalesce(i.total, p.total, 0) <> r.item_sum
        OR coalesce(i.largest, p.largest, 0) <> r.item_largest OR coalesce(m.total, 0) <> r.not_paid))`,
  },
]

const SHARE = sql.raw(`
  SELECT i.run_id, i.amount, s.amount AS share FROM payout_share s LEFT JOIN payout_item i USING (member_id, run_id, leg)
  UNION ALL
  SELECT s.run_id, u.amount, u.share FROM payout_page_share s LEFT JOIN payout_page p USING (run_id, block),
    unnest(p.amounts, s.amounts) AS u (amount, share)`)

const prorated: readonly Question[] = [
  {
    sentence: 'runs are to pay another sum than they sealed, or than they were prorated to',
    count: sql`WITH s AS (SELECT run_id, count(*) AS n, sum(share) AS total FROM (${SHARE}) shares GROUP BY run_id)
      SELECT count(*)::int AS count FROM payout_run r LEFT JOIN s ON s.run_id = r.id
      WHERE r.state <> 'computing' AND (r.prorated <> (s.n IS NOT NULL) OR CASE WHEN r.prorated
        THEN r.payable >= r.item_sum OR s.total <> r.payable OR s.n <> r.item_count ELSE r.payable <> r.item_sum END)`,
  },
  {
    // Largest remainder: each its exact part, truncated, and one micro more for the largest of what was cut off.
    sentence: 'prorated runs share out otherwise than by largest remainder',
    count: sql`WITH part AS (
        SELECT s.run_id, s.share - div(s.amount::numeric * r.payable, r.item_sum) AS more, mod(s.amount::numeric * r.payable, r.item_sum) AS cut
        FROM (${SHARE}) s JOIN payout_run r ON r.id = s.run_id AND r.item_sum > 0)
      SELECT count(*)::int AS count FROM (SELECT run_id FROM part GROUP BY run_id
        HAVING bool_or(coalesce(more NOT IN (0, 1), true)) OR max(cut) FILTER (WHERE more = 0) > min(cut) FILTER (WHERE more = 1)) otherwise`,
  },
]

const posted: readonly Question[] = [
  {
    // What a run has reached is posted, to the micro-USDT and under its date; what it has not reached is not.
    sentence: 'runs posted something else than they sealed',
    count: sql`WITH due AS (
        SELECT r.id, r.journal_id, r.at, i.member_id, i.leg, i.kind::text AS kind, coalesce(s.amount, i.amount) AS amount,
          r.state = 'done' OR (r.state = 'posting' AND EXISTS (SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted
            AND i.member_id BETWEEN c.first_member_id AND c.last_member_id)) AS reached
        FROM payout_run r JOIN payout_item i ON i.run_id = r.id
          LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
        UNION ALL
        SELECT r.id, r.journal_id, r.at, i.member_id, 0, 'passive', i.amount, p.reached
        FROM payout_run r JOIN LATERAL (SELECT p.*, r.state = 'done' OR (r.state = 'posting' AND EXISTS (
              SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted AND p.block BETWEEN c.first_member_id / 1024 AND c.last_member_id / 1024)) AS reached
            FROM payout_page p WHERE p.run_id = r.id) p ON true
          LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block,
          unnest(p.members, coalesce(s.amounts, p.amounts)) AS i (member_id, amount)),
      done AS (SELECT d.id, count(*) FILTER (WHERE d.reached) AS items,
          count(*) FILTER (WHERE d.reached AND d.amount > 0) AS owing,
          count(*) FILTER (WHERE d.reached AND p.kind::text = d.kind AND p.amount = d.amount AND p.at = d.at) AS paid
        FROM due d LEFT JOIN posting p ON p.member_id = d.member_id AND p.journal_id = d.journal_id AND p.leg = d.leg
        GROUP BY d.id),
      posted AS (SELECT journal_id, count(*) AS n FROM posting WHERE kind IN ${PAYOUTS} GROUP BY journal_id),
      batch AS (SELECT run_id, coalesce(sum(item_count) FILTER (WHERE posted), 0) AS n FROM payout_batch GROUP BY run_id)
      SELECT count(*)::int AS count FROM payout_run r LEFT JOIN done ON done.id = r.id LEFT JOIN batch ON batch.run_id = r.id
        LEFT JOIN posted ON posted.journal_id = r.journal_id LEFT JOIN journal j ON j.id = r.journal_id
      WHERE coalesce(done.items, 0) <> r.posted_count OR batch.n <> r.posted_count OR coalesce(done.owing, 0) <> coalesce(done.paid, 0)
        OR coalesce(done.paid, 0) <> coalesce(posted.n, 0) OR (r.state = 'done' AND r.posted_count <> r.item_count)
        OR (r.state NOT IN ('posting', 'done') AND r.posted_count <> 0)
        OR (r.state IN ('released', 'posting', 'done')) <> (j.id IS NOT NULL) OR (r.journal_id IS NULL) <> (j.id IS NULL)
        OR j.key <> 'run:' || r.id`,
  },
  {
    sentence: 'payouts were posted outside any run',
    count: sql`SELECT count(*)::int AS count FROM posting p WHERE p.kind IN ${PAYOUTS}
      AND NOT EXISTS (SELECT FROM payout_run r WHERE r.journal_id = p.journal_id)`,
  },
  {
    sentence: 'runs took another sum out of their pool than they pay',
    count: sql`WITH taken AS (SELECT j.key, p.kind::text AS kind, sum(p.amount) AS amount FROM posting p JOIN journal j ON j.id = p.journal_id
        WHERE p.kind IN ('release_profit', 'release_commission') GROUP BY j.key, p.kind),
      due AS (SELECT 'release:' || id AS key, payable,
        CASE kind WHEN 'passive' THEN 'release_profit' ELSE 'release_commission' END AS kind
        FROM payout_run WHERE state IN ('released', 'posting', 'done') AND payable > 0)
      SELECT count(*)::int AS count FROM taken FULL JOIN due USING (key, kind) WHERE taken.amount IS DISTINCT FROM due.payable`,
  },
  {
    sentence: 'runs were released in spite of objections that nobody overruled',
    count: sql`SELECT count(*)::int AS count FROM payout_run
      WHERE state IN ('released', 'posting', 'done') AND objections <> '[]' AND overruled_by IS NULL`,
  },
]

const days: readonly Question[] = [
  {
    sentence: 'days between the first and the last have no run, of profit or of binary',
    count: sql`SELECT coalesce(sum(missing), 0)::int AS count FROM (
      SELECT max(period::date) - min(period::date) + 1 - count(*) AS missing FROM payout_run
      WHERE kind IN ('passive', 'binary') AND state <> 'cancelled' GROUP BY kind) kinds`,
  },
  {
    // Profit of the day that begins and the match of the day that ends; what was before the first match had none.
    sentence: 'midnights have one of their two runs only, or two that close at different moments',
    count: sql`WITH p AS (SELECT period::date AS day, cutoff_at FROM payout_run WHERE kind = 'passive' AND state <> 'cancelled'),
        b AS (SELECT period::date + 1 AS day, cutoff_at FROM payout_run WHERE kind = 'binary' AND state <> 'cancelled')
      SELECT count(*)::int AS count FROM p FULL JOIN b USING (day)
      WHERE p.cutoff_at IS DISTINCT FROM b.cutoff_at AND day >= (SELECT min(day) FROM b)`,
  },
  {
    sentence: 'runs stand on a day whose books are open',
    count: sql`SELECT count(*)::int AS count FROM payout_run r, period_close c
      WHERE r.kind IN ('passive', 'binary') AND r.cutoff_at > c.closed_until`,
  },
]

export const runs: readonly Question[] = [...sealed, ...prorated, ...posted, ...days]

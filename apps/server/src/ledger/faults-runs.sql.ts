/**
 * What must not be of runs: their seal, their figures, their release, what they post; how each kind was computed, from the
 * history of what was invested and from the sponsor tree; and what reversals took back of it.
 *
 * `payout_run`, its items and its pages are those that no seal of the ledger covers, or all (`check.ts`). What a question has to know of
 * every run it takes from `public`, and what sealed runs paid from `earned_before`.
 */
import { sql } from 'kysely'
import { dayOf, type Questions } from './check.sql.ts'

/** The kinds of posting that pay a member. */
const PAYOUTS = sql.raw(`('passive', 'direct', 'master', 'binary')`)

/**
 * Principal of all members over time, from what was invested, taken back, withdrawn and returned: a row for each stretch after `since`, up to and
 * with `until`, so that a day's cutoff lies in one of them.
 */
const STANDING = sql.raw(`
  SELECT member_id, at AS since, lead(at, 1, 'infinity') OVER w AS until, sum(amount) OVER w AS principal
  FROM (SELECT member_id, at, sum(amount) AS amount FROM (
      SELECT member_id, credited_at AS at, amount FROM investment
      UNION ALL SELECT member_id, at, -amount FROM reversal
      UNION ALL SELECT member_id, at, amount FROM principal_movement) moved GROUP BY member_id, at) changes
  WINDOW w AS (PARTITION BY member_id ORDER BY at)`)

/** The same over the numbers of history. */
const STANDING_BY_NUMBER = sql.raw(`
  SELECT member_id, id AS since, lead(id, 1, 9223372036854775807) OVER w AS until, sum(amount) OVER w AS principal
  FROM (SELECT member_id, id, amount FROM investment UNION ALL SELECT member_id, id, -amount FROM reversal
    UNION ALL SELECT member_id, id, amount FROM principal_movement) changes
  WINDOW w AS (PARTITION BY member_id ORDER BY id)`)

/** What is computed by a plan leaves such a run out. */
const ofNoPlan: Questions = {
  'runs of no plan': sql`
    SELECT count(*)::int AS count FROM public.payout_run r WHERE NOT EXISTS (SELECT FROM plan_version v WHERE v.version = r.plan_version)`,
}

/** A passive run with its terms as numbers; `cap` is null where the plan has none. */
const passiveRun = (runs: string) =>
  sql.raw(`
  SELECT r.*, split_part(r.rate, '/', 1)::numeric AS num, split_part(r.rate, '/', 2)::numeric AS den,
    (v.document->'passive'->>'capMultiple')::numeric AS cap
  FROM ${runs} r JOIN plan_version v ON v.version = r.plan_version WHERE r.kind = 'passive' AND r.rate IS NOT NULL`)
const PASSIVE_RUN = passiveRun('payout_run')
const EVERY_PASSIVE_RUN = passiveRun('public.payout_run')

/** What days have, as arrays in their order: a place in one is found without a join, which older servers do by looking at all days each time. */
const DAYS_IN_ORDER = sql.raw(
  ['id', 'cutoff_at', 'period', 'num', 'den', 'cap']
    .map((name) => `array_agg(${name} ORDER BY cutoff_at, period) AS ${name}`)
    .join(', '),
)

/**
 * Beside what is asked of members `at` the cutoff of a `period`: the passive profit that they had earned before it. Two days may begin at
 * one moment, where a plan moves the time zone across the date line: their periods then say which came first.
 */
const EARNED_BEFORE = sql.raw(`
  SELECT asked, sum(amount) OVER (PARTITION BY member_id ORDER BY at, period, turn) AS before FROM (
    SELECT member_id, at, period, 0 AS turn, asked, 0 AS amount FROM asked
    UNION ALL SELECT p.member_id, r.cutoff_at, r.period, 1, NULL, p.amount FROM posting p JOIN payout_run r ON r.journal_id = p.journal_id
      WHERE p.kind = 'passive' AND EXISTS (SELECT FROM asked)
    UNION ALL SELECT member_id, '-infinity', '', 0, NULL, passive FROM earned_before
    UNION ALL SELECT member_id, at, '~', 1, NULL, -amount FROM reversal_part WHERE pool = 'profit') moved`)

const sealed: Questions = {
  'runs have other items than they were sealed with': sql`SELECT count(*)::int AS count FROM payout_run
    WHERE items_hash IS DISTINCT FROM CASE WHEN state <> 'computing' THEN seal_payout_run(id) END`,
  'pages of passive items are not what they say they are': sql`
    SELECT count(*)::int AS count FROM payout_page p CROSS JOIN LATERAL (
      SELECT count(*) AS n, sum(amount) AS total, min(member_id) / 1024 AS lowest, max(member_id) / 1024 AS highest,
        bool_and(coalesce(amount > 0 AND basis > 0, false)) AS something, array_agg(DISTINCT member_id ORDER BY member_id) AS members
      FROM unnest(p.members, p.bases, p.amounts) AS i (member_id, basis, amount)) i
    WHERE i.n <> p.item_count OR i.total <> p.item_sum OR i.members <> p.members OR NOT i.something
      OR i.lowest <> p.block OR i.highest <> p.block OR cardinality(p.earned) <> p.item_count
      OR p.hash <> encode(sha256(convert_to(
        p.members::text || p.bases::text || p.amounts::text || coalesce(p.earned::text, ''), 'UTF8')), 'hex')`,
  'runs say another number, sum or largest payment than their items come to': sql`
    WITH i AS (SELECT run_id, sum(n) AS n, sum(total) AS total, max(total) AS largest FROM (
        SELECT run_id, count(*) AS n, sum(amount) AS total FROM payout_item GROUP BY run_id, member_id) members GROUP BY run_id),
      p AS (SELECT run_id, sum(item_count) AS n, sum(item_sum) AS total, max((SELECT max(a) FROM unnest(amounts) a)) AS largest
        FROM payout_page GROUP BY run_id),
      m AS (SELECT run_id, sum(amount) AS total FROM payout_missed GROUP BY run_id)
    SELECT count(*)::int AS count FROM payout_run r LEFT JOIN i ON i.run_id = r.id LEFT JOIN p ON p.run_id = r.id
      LEFT JOIN m ON m.run_id = r.id
    WHERE CASE r.kind WHEN 'passive' THEN i.n ELSE p.n END IS NOT NULL OR (r.state <> 'computing' AND (
      coalesce(i.n, p.n, 0) <> r.item_count OR coalesce(i.total, p.total, 0) <> r.item_sum
      OR coalesce(i.largest, p.largest, 0) <> r.item_largest OR coalesce(m.total, 0) <> r.not_paid))`,
}

const SHARE = sql.raw(`
  SELECT i.run_id, i.amount, s.amount AS share FROM payout_share s LEFT JOIN payout_item i USING (member_id, run_id, leg)
  UNION ALL
  SELECT s.run_id, u.amount, u.share FROM payout_page_share s LEFT JOIN payout_page p USING (run_id, block),
    unnest(p.amounts, s.amounts) AS u (amount, share)`)

const prorated: Questions = {
  'runs are to pay another sum than they sealed, or than they were prorated to': sql`
    WITH s AS (SELECT run_id, count(*) AS n, sum(share) AS total FROM (${SHARE}) shares GROUP BY run_id)
    SELECT count(*)::int AS count FROM payout_run r LEFT JOIN s ON s.run_id = r.id
    WHERE r.state <> 'computing' AND (r.prorated <> (s.n IS NOT NULL) OR CASE WHEN r.prorated
      THEN r.payable >= r.item_sum OR s.total <> r.payable OR s.n <> r.item_count ELSE r.payable <> r.item_sum END)`,
  // Largest remainder: each its exact part, truncated, and one micro more for the largest of what was cut off.
  'prorated runs share out otherwise than by largest remainder': sql`WITH part AS (
      SELECT s.run_id, s.share - div(s.amount::numeric * r.payable, r.item_sum) AS more, mod(s.amount::numeric * r.payable, r.item_sum) AS cut
      FROM (${SHARE}) s JOIN payout_run r ON r.id = s.run_id AND r.item_sum > 0)
    SELECT count(*)::int AS count FROM (SELECT run_id FROM part GROUP BY run_id
      HAVING bool_or(coalesce(more NOT IN (0, 1), true)) OR max(cut) FILTER (WHERE more = 0) > min(cut) FILTER (WHERE more = 1)) otherwise`,
}

const posted: Questions = {
  // What a run has reached is posted, to the micro-USDT and under its date; what it has not reached is not.
  'runs posted something else than they sealed': sql`WITH due AS (
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
  'payouts were posted outside any run': sql`SELECT count(*)::int AS count FROM posting p WHERE p.kind IN ${PAYOUTS}
    AND NOT EXISTS (SELECT FROM payout_run r WHERE r.journal_id = p.journal_id)`,
  'runs took another sum out of their pool than they pay': sql`
    WITH taken AS (SELECT j.key, p.kind::text AS kind, sum(p.amount) AS amount FROM posting p JOIN journal j ON j.id = p.journal_id
      WHERE p.kind IN ('release_profit', 'release_commission') GROUP BY j.key, p.kind),
    due AS (SELECT 'release:' || id AS key, payable,
      CASE kind WHEN 'passive' THEN 'release_profit' ELSE 'release_commission' END AS kind
      FROM public.payout_run WHERE state IN ('released', 'posting', 'done') AND payable > 0)
    SELECT count(*)::int AS count FROM taken FULL JOIN due USING (key, kind) WHERE taken.amount IS DISTINCT FROM due.payable`,
  'runs were released in spite of objections that nobody overruled': sql`
    SELECT count(*)::int AS count FROM payout_run
    WHERE state IN ('released', 'posting', 'done') AND objections <> '[]' AND overruled_by IS NULL`,
}

const days: Questions = {
  'days between the first and the last have no run, of profit or of binary': sql`
    SELECT coalesce(sum(missing), 0)::int AS count FROM (
    SELECT max(day) - min(day) + 1 - count(day) AS missing FROM (SELECT kind, ${dayOf('r')} AS day FROM public.payout_run r
      WHERE kind IN ('passive', 'binary') AND state <> 'cancelled') days GROUP BY kind) kinds`,
  // Profit of the day that begins and the match of the day that ends; what was before the first match had none.
  'midnights have one of their two runs only, or two that close at different moments': sql`
    WITH p AS (SELECT ${dayOf('r')} AS day, cutoff_at FROM public.payout_run r WHERE kind = 'passive' AND state <> 'cancelled'),
      b AS (SELECT ${dayOf('r')} + 1 AS day, cutoff_at FROM public.payout_run r WHERE kind = 'binary' AND state <> 'cancelled')
    SELECT count(*)::int AS count FROM p FULL JOIN b USING (day)
    WHERE p.cutoff_at IS DISTINCT FROM b.cutoff_at AND day >= (SELECT min(day) FROM b)`,
  'runs stand on a day whose books are open': sql`SELECT count(*)::int AS count FROM public.payout_run r, period_close c
    WHERE r.kind IN ('passive', 'binary') AND r.cutoff_at > c.closed_until`,
}

export const runs: Questions = { ...ofNoPlan, ...sealed, ...prorated, ...posted, ...days }

// Passive profit: each day is recomputed from the history of what was invested and taken back.

export const passive: Questions = {
  'passive runs follow another rate than their plan, a declaration or a day without profit says': sql`
    SELECT count(*)::int AS count FROM (${PASSIVE_RUN}) r JOIN plan_version v ON v.version = r.plan_version
      LEFT JOIN declared_rate d ON d.id = r.declared_id,
      LATERAL (SELECT v.document->'passive' AS passive) plan
    WHERE d.day <> r.period OR (r.declared_id IS NULL) <> (d.id IS NULL)
      OR CASE WHEN (passive->>'weekdaysOnly')::boolean AND extract(isodow FROM ${dayOf('r')}) > 5 THEN r.num <> 0
        WHEN d.id IS NOT NULL THEN r.num * 100 <> r.den * d.percentage::numeric
        ELSE r.num * 100 * (passive->>'periodDays')::numeric <> r.den * (passive->>'percentPerPeriod')::numeric END`,
  'passive payments were not computed from the principal at their cutoff by their plan': sql`
    WITH standing AS (${STANDING}),
    item AS (SELECT r.cutoff_at, r.num, r.den, r.cap, i.* FROM (${PASSIVE_RUN}) r JOIN payout_page p ON p.run_id = r.id,
      unnest(p.members, p.bases, p.amounts, p.earned) AS i (member_id, basis, amount, earned))
    SELECT count(*)::int AS count FROM item i
      LEFT JOIN standing s ON s.member_id = i.member_id AND s.since < i.cutoff_at AND s.until >= i.cutoff_at
    WHERE s.principal IS DISTINCT FROM i.basis OR (i.cap IS NULL) <> (i.earned IS NULL)
      OR i.amount <> least(div(i.basis * i.num, i.den), div(i.basis * i.cap, 1) - i.earned)`,
  // How many have principal at a run's cutoff that earns a micro-USDT is counted by where their stretches begin and end,
  // so that nobody is looked up day by day; the few with next to nothing are.
  'passive runs leave out a member who had principal, or pay one who had none': sql`
    WITH run AS (SELECT id, cutoff_at, item_count, ceil(den / nullif(num, 0)) AS least FROM (${PASSIVE_RUN}) r
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
  // The days that each stretch of principal covers are counted off, and what was earned before each is added up once along them: to look
  // it up day by day took 83 s for 501 days of 169 members.
  'members who had not reached their cap were left out of a day’s passive profit': sql`
    WITH days AS (SELECT ${DAYS_IN_ORDER} FROM (${PASSIVE_RUN}) r
      WHERE state <> 'computing' AND cap IS NOT NULL AND num > 0),
    met AS (SELECT s.member_id, d.id[k.place] AS run_id, d.cutoff_at[k.place] AS at, d.period[k.place] AS period, div(s.principal * d.cap[k.place], 1) AS asked
      FROM days d CROSS JOIN (${STANDING}) s
        CROSS JOIN LATERAL generate_series(width_bucket(s.since, d.cutoff_at) + 1, width_bucket(s.until, d.cutoff_at)) AS k (place)
      WHERE s.principal * d.num[k.place] >= d.den[k.place]
      UNION ALL SELECT i.member_id, p.run_id, NULL, NULL, NULL FROM payout_page p, unnest(p.members) AS i (member_id) WHERE p.earned IS NOT NULL),
    asked AS (SELECT member_id, max(at) AS at, max(period) AS period, max(asked) AS asked FROM met GROUP BY member_id, run_id
      HAVING bool_and(asked IS NOT NULL))
    SELECT count(*)::int AS count FROM (${EARNED_BEFORE}) earlier WHERE asked > coalesce(before, 0)`,
  'passive payments under a cap count another profit before them than there was': sql`
    WITH asked AS (SELECT i.member_id, r.cutoff_at AS at, r.period, i.earned AS asked FROM payout_run r JOIN payout_page p ON p.run_id = r.id,
        unnest(p.members, p.earned) AS i (member_id, earned) WHERE p.earned IS NOT NULL)
    SELECT count(*)::int AS count FROM (${EARNED_BEFORE}) earlier WHERE asked <> before`,
}

// Direct and master commissions: whom an investment pays is recomputed from the sponsor tree.

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

/** Percent of a level, counted from 1, and what the sponsor there, `c.member_id`, had on top of it as of the run. */
const PERCENT =
  sql.raw(`(levels->>(level - 1))::numeric + CASE level WHEN 1 THEN coalesce((SELECT e.percent::numeric
  FROM extra_percent e WHERE e.sponsor_id = c.member_id AND e.id < as_of ORDER BY e.id DESC LIMIT 1), 0) ELSE 0 END`)

export const commissions: Questions = {
  'investments are covered by no run although later ones are, or by more than one': sql`
    WITH live AS (SELECT first_investment, last_investment FROM public.payout_run WHERE kind = 'direct' AND state <> 'cancelled')
    SELECT count(*)::int AS count FROM (SELECT id, turn, sum(opens) OVER (ORDER BY id, turn ROWS UNBOUNDED PRECEDING) AS covering FROM (
        SELECT id, 1 AS turn, 0 AS opens FROM investment WHERE id <= (SELECT max(last_investment) FROM live)
        UNION ALL SELECT first_investment, 0, 1 FROM live
        UNION ALL SELECT last_investment, 2, -1 FROM live) sides) covered
    WHERE turn = 1 AND covering <> 1`,
  'commissions were not computed from their investment by their plan': sql`
    SELECT count(*)::int AS count FROM (${STEP}) c LEFT JOIN (${DIRECT_RUN}) r ON r.id = c.run_id
      LEFT JOIN investment n ON n.member_id = c.from_member_id AND n.id = c.investment_id
        AND n.id BETWEEN r.first_investment AND r.last_investment AND n.plan_version = r.plan_version,
      LATERAL (SELECT CASE WHEN c.kind = 'direct' AND c.level > 0 THEN ${PERCENT} WHEN c.level > r.flat THEN r.master END AS percent) due
    WHERE n.id IS NULL OR due.percent IS NULL OR c.amount <> div(n.amount * due.percent, 100)
      OR c.basis <> n.amount OR (c.percentage::numeric <> due.percent AND r.input_hash IS NOT NULL)`,
  // Runs from before did not write down as of when they looked at who is active.
  'steps up the sponsor chain were paid to another member, left out, or judged active otherwise than they were': sql`
    WITH RECURSIVE chain (run_id, as_of, levels, flat, investment_id, invested, member_id, level) AS (
      SELECT r.id, r.as_of, r.levels, r.flat, n.id, n.amount, s.sponsor_id, 1 FROM (${DIRECT_RUN}) r
        JOIN investment n ON n.id BETWEEN r.first_investment AND r.last_investment
        JOIN sponsorship s ON s.member_id = n.member_id AND s.sponsor_id IS NOT NULL
      WHERE r.state <> 'computing' AND r.input_hash IS NOT NULL AND NOT r.compression
      UNION ALL
      SELECT c.run_id, c.as_of, c.levels, c.flat, c.investment_id, c.invested, s.sponsor_id, c.level + 1
      FROM chain c JOIN sponsorship s ON s.member_id = c.member_id AND s.sponsor_id IS NOT NULL WHERE c.level < c.flat),
    due AS (SELECT c.run_id, c.investment_id, c.level, c.member_id, coalesce(t.principal, 0) > 0 AS active
      FROM chain c LEFT JOIN (${STANDING_BY_NUMBER}) t ON t.member_id = c.member_id AND t.since <= c.as_of AND t.until > c.as_of
      WHERE div(c.invested * (${PERCENT}), 100) > 0),
    stored AS (SELECT c.* FROM (${STEP}) c JOIN (${DIRECT_RUN}) r ON r.id = c.run_id AND r.state <> 'computing'
        AND r.input_hash IS NOT NULL AND NOT r.compression WHERE c.kind = 'direct')
    SELECT count(*)::int AS count FROM due FULL JOIN stored USING (run_id, investment_id, level)
    WHERE due.member_id IS DISTINCT FROM stored.member_id OR due.active IS DISTINCT FROM stored.paid`,
  'master commissions were computed without a master link, or at another distance': sql`
    SELECT count(*)::int AS count FROM (${STEP}) c JOIN (${DIRECT_RUN}) r ON r.id = c.run_id
      JOIN sponsorship up ON up.member_id = c.member_id JOIN sponsorship own ON own.member_id = c.from_member_id
    WHERE c.kind = 'master' AND (NOT EXISTS (SELECT FROM master_code m WHERE m.sponsor_id = c.member_id AND m.id < r.as_of)
      OR (NOT r.compression AND c.level <> own.depth - up.depth))`,
  'master codes and master links do not agree': sql`
    SELECT count(*)::int AS count FROM master_code m FULL JOIN sponsorship s ON s.member_id = m.member_id
    WHERE (m.member_id IS NOT NULL AND m.sponsor_id IS DISTINCT FROM s.sponsor_id)
      OR (m.member_id IS NOT NULL) <> coalesce(s.is_master AND s.sponsor_id IS NOT NULL, false)`,
  'members stand at another distance from the root than their sponsor says': sql`
    SELECT count(*)::int AS count FROM sponsorship s LEFT JOIN sponsorship up ON up.member_id = s.sponsor_id
    WHERE s.depth <> coalesce(up.depth + 1, 0) OR (s.sponsor_id IS NOT NULL AND up.member_id IS NULL)`,
}

// Reversals: exactly what was paid is taken back, from whom it was paid to, once.

/** What a day's terms pay on a principal, up to the cap if there is one, and what of it was really paid. */
const paidOn = (principal: string) =>
  sql.raw(`div(least(div((${principal}) * num, den),
    CASE WHEN cap IS NOT NULL THEN greatest(div((${principal}) * cap, 1) - earned, 0) END) * paid, computed)`)

const taking: Questions = {
  'reversals and principal that went back do not belong to each other, or to an investment': sql`
    WITH p AS (SELECT member_id, journal_id, sum(amount) AS amount, min(at) AS at FROM posting
      WHERE kind = 'reverse_investment' GROUP BY member_id, journal_id)
    SELECT count(*)::int AS count FROM p FULL JOIN reversal v USING (member_id, journal_id)
      LEFT JOIN investment n ON n.member_id = v.member_id AND n.id = v.investment_id
    WHERE p.amount IS DISTINCT FROM v.amount OR p.at <> v.at OR n.amount IS DISTINCT FROM v.amount
      OR n.credited_at > v.at OR n.id >= v.id`,
  'investments were reversed more than once': sql`
    SELECT count(*)::int AS count FROM (SELECT FROM reversal GROUP BY investment_id HAVING count(*) > 1) twice`,
  'commissions of reversed investments were not taken back to the micro-USDT': sql`
    WITH paid AS (SELECT v.id AS reversal_id, i.member_id, i.run_id, i.leg AS item_leg, coalesce(s.amount, i.amount) AS amount
      FROM reversal v JOIN public.payout_item i ON i.investment_id = v.investment_id
        JOIN public.payout_run r ON r.id = i.run_id AND r.state <> 'cancelled'
        LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg),
    taken AS (SELECT * FROM reversal_part WHERE pool = 'commission')
    SELECT count(*)::int AS count FROM (SELECT * FROM paid WHERE amount > 0) paid
      FULL JOIN taken USING (reversal_id, member_id, run_id, item_leg)
    WHERE paid.amount IS DISTINCT FROM taken.amount`,
  // Of each day: what it paid on the basis still standing, less what it pays without the investment.
  'passive profit of reversed investments was not taken back to the micro-USDT': sql`
    WITH day AS (SELECT v.id AS reversal_id, v.member_id, v.amount, r.num, r.den, r.cap, p.amounts[here.i] AS computed,
        coalesce(s.amounts[here.i], p.amounts[here.i]) AS paid, coalesce(p.earned[here.i], 0) AS earned,
        p.bases[here.i] - coalesce((SELECT sum(w.amount) FROM reversal w JOIN investment o ON o.member_id = w.member_id AND o.id = w.investment_id
          WHERE w.member_id = v.member_id AND w.id < v.id AND o.credited_at < r.cutoff_at AND w.at >= r.cutoff_at), 0) AS standing
      FROM reversal v JOIN investment n ON n.member_id = v.member_id AND n.id = v.investment_id
        JOIN (${EVERY_PASSIVE_RUN}) r ON r.state <> 'cancelled' AND r.cutoff_at > n.credited_at AND r.cutoff_at <= v.at
        JOIN public.payout_page p ON p.run_id = r.id AND p.block = v.member_id / 1024
        LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block,
        LATERAL (SELECT array_position(p.members, v.member_id) AS i) here WHERE here.i IS NOT NULL),
    due AS (SELECT reversal_id, member_id, sum(${paidOn('greatest(standing, 0)')} - ${paidOn('greatest(standing - amount, 0)')}) AS amount
      FROM day GROUP BY reversal_id, member_id),
    taken AS (SELECT reversal_id, member_id, sum(amount) AS amount FROM reversal_part WHERE pool = 'profit' GROUP BY reversal_id, member_id)
    SELECT count(*)::int AS count FROM due FULL JOIN taken USING (reversal_id, member_id)
    WHERE coalesce(due.amount, 0) <> coalesce(taken.amount, 0)`,
}

const postings: Questions = {
  'parts of reversals and what was posted for them do not belong to each other': sql`
    WITH p AS (SELECT j.key, p.member_id, min(p.at) AS at,
        coalesce(sum(p.amount) FILTER (WHERE p.kind IN ('clawback_profit', 'clawback_commission')), 0) AS taken,
        coalesce(sum(p.amount) FILTER (WHERE p.kind IN ('owed_profit', 'owed_commission')), 0) AS owed,
        min(split_part(p.kind::text, '_', 2)) AS pool, max(split_part(p.kind::text, '_', 2)) AS last_pool
      FROM posting p JOIN journal j ON j.id = p.journal_id
      WHERE p.kind IN ('clawback_profit', 'clawback_commission', 'owed_profit', 'owed_commission') GROUP BY j.key, p.member_id),
    t AS (SELECT 'reverse:' || v.investment_id || ':' || t.leg AS key, t.* FROM reversal_part t LEFT JOIN reversal v ON v.id = t.reversal_id)
    SELECT count(*)::int AS count FROM p FULL JOIN t USING (key, member_id)
    WHERE p.taken IS DISTINCT FROM t.from_balance OR p.owed IS DISTINCT FROM t.amount - t.from_balance
      OR p.pool <> t.pool OR p.last_pool <> t.pool OR p.at <> t.at`,
  'recoveries settled another sum than they took': sql`SELECT count(*)::int AS count FROM (SELECT FROM posting
    WHERE kind IN ('recover_profit', 'repay_profit', 'recover_commission', 'repay_commission')
    GROUP BY member_id, journal_id, kind IN ('recover_profit', 'repay_profit')
    HAVING sum(CASE WHEN kind IN ('recover_profit', 'recover_commission') THEN amount ELSE -amount END) <> 0) uneven`,
}

/** A member's commissions of first levels all come from below, each from under one referral. */
const referrals: Questions = {
  'members earned another sum by their referrals than they were paid and kept': sql`
    WITH item AS (SELECT i.member_id, i.run_id, i.leg, coalesce(s.amount, i.amount) AS amount FROM payout_item i
        JOIN payout_batch b ON b.run_id = i.run_id AND b.posted AND i.member_id BETWEEN b.first_member_id AND b.last_member_id
        LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
      WHERE i.kind IN ('direct', 'master')),
    kept AS (SELECT member_id, sum(amount) AS amount FROM (
        SELECT member_id, amount FROM item
        UNION ALL SELECT member_id, commission FROM earned_before
        UNION ALL SELECT t.member_id, -t.amount FROM reversal_part t LEFT JOIN payout_run r ON r.id = t.run_id
          LEFT JOIN item i ON i.member_id = t.member_id AND i.run_id = t.run_id AND i.leg = t.item_leg
        WHERE t.pool = 'commission' AND (i.member_id IS NOT NULL OR r.id IS NULL)) all_
      GROUP BY member_id),
    told AS (SELECT member_id, sum(amount) AS amount FROM referral_earned GROUP BY member_id)
    SELECT count(*)::int AS count FROM kept FULL JOIN told USING (member_id) WHERE coalesce(kept.amount, 0) <> coalesce(told.amount, 0)`,
  'sums were earned by who is no referral': sql`SELECT count(*)::int AS count FROM referral_earned e
    LEFT JOIN sponsorship s ON s.member_id = e.referral_id AND s.sponsor_id = e.member_id WHERE s.member_id IS NULL OR e.amount < 0`,
}

export const reversals: Questions = { ...taking, ...postings, ...referrals }

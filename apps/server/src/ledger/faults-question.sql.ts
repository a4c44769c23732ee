/** Questions about what must not be, and what several of them read. */
import { type RawBuilder, sql } from 'kysely'

/** A question answers how often something is that must not be, and nothing else. */
export interface Question {
  /** Follows the number: "3 credits …". */
  readonly sentence: string
  readonly count: RawBuilder<{ count: number }>
}

/** The kinds of posting that pay a member. */
export const PAYOUTS = sql.raw(`('passive', 'direct', 'master', 'binary')`)

/**
 * Principal of all members over time, from what was invested, taken back, withdrawn and returned: a row for each stretch after `since`, up to and
 * with `until`, so that a day's cutoff lies in one of them.
 */
export const STANDING = sql.raw(`
  SELECT member_id, at AS since, lead(at, 1, 'infinity') OVER w AS until, sum(amount) OVER w AS principal
  FROM (SELECT member_id, at, sum(amount) AS amount FROM (
      SELECT member_id, credited_at AS at, amount FROM investment
      UNION ALL SELECT member_id, at, -amount FROM reversal
      UNION ALL SELECT member_id, at, amount FROM principal_movement) moved GROUP BY member_id, at) changes
  WINDOW w AS (PARTITION BY member_id ORDER BY at)`)

/** The same over the numbers of history. */
export const STANDING_BY_NUMBER = sql.raw(`
  SELECT member_id, id AS since, lead(id, 1, 9223372036854775807) OVER w AS until, sum(amount) OVER w AS principal
  FROM (SELECT member_id, id, amount FROM investment UNION ALL SELECT member_id, id, -amount FROM reversal
    UNION ALL SELECT member_id, id, amount FROM principal_movement) changes
  WINDOW w AS (PARTITION BY member_id ORDER BY id)`)

/** A passive run with its terms as numbers; `cap` is null where the plan has none. */
export const PASSIVE_RUN = sql.raw(`
  SELECT r.*, split_part(r.rate, '/', 1)::numeric AS num, split_part(r.rate, '/', 2)::numeric AS den,
    (v.document->'passive'->>'capMultiple')::numeric AS cap
  FROM payout_run r JOIN plan_version v ON v.version = r.plan_version WHERE r.kind = 'passive' AND r.rate IS NOT NULL`)

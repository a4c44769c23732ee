/** A member's payments as they are stored, newest first. `state` is the run's; `posted` says whether this one is. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'

export interface StoredRun {
  readonly run_id: bigint
  readonly period: string
  readonly at: Date
  readonly cutoff_at: Date
  readonly run_state: string
  /** An operator has to look at it. */
  readonly in_review: boolean
  readonly prorated: boolean
  readonly posted: boolean
  readonly plan_version: number
  readonly input_hash: string | null
  readonly items_hash: string | null
}

export interface StoredCommission extends StoredRun {
  readonly kind: 'direct' | 'master' | 'binary'
  readonly leg: number
  /** As sealed, and as paid: less after a pro rata release. */
  readonly computed: bigint
  readonly amount: bigint
  readonly basis: bigint
  readonly percentage: string
  readonly level: number | null
  readonly left_points: bigint | null
  readonly right_points: bigint | null
  readonly flushed: bigint
  readonly from_username: string | null
  readonly from_email: string | null
  readonly invested_at: Date | null
}

export interface StoredPassive extends StoredRun {
  readonly computed: bigint
  readonly amount: bigint
  readonly basis: bigint
  readonly earned: bigint | null
  /** Percent of principal, exact: "10/3000" as a share. */
  readonly rate: string
  /** The rate declared for the day, as percent of principal; null where the plan's own was paid. */
  readonly declared: string | null
}

const RUN =
  sql.raw(`r.id AS run_id, r.period, r.at, r.cutoff_at, r.state AS run_state, r.prorated, r.plan_version, r.input_hash, r.items_hash,
  r.objections <> '[]' AND r.overruled_at IS NULL AS in_review`)
/** What a member sees: sealed, whatever became of it then. */
const SEEN = sql.raw("r.state NOT IN ('computing', 'cancelled')")

const commissions = (memberId: bigint) => sql`
  SELECT ${RUN}, i.kind::text AS kind, i.leg, i.amount AS computed, coalesce(s.amount, i.amount) AS amount, i.basis, i.percentage,
    i.level, i.left_points, i.right_points, i.flushed, m.username AS from_username, m.email AS from_email, n.credited_at AS invested_at,
    r.state = 'done' OR (r.state = 'posting' AND EXISTS (SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted
      AND i.member_id BETWEEN c.first_member_id AND c.last_member_id)) AS posted
  FROM payout_item i JOIN payout_run r ON r.id = i.run_id
    LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    LEFT JOIN member m ON m.id = i.from_member_id
    LEFT JOIN investment n ON n.member_id = i.from_member_id AND n.id = i.investment_id
  WHERE i.member_id = ${memberId} AND ${SEEN}`

const KINDS = { direct: ['direct', 'master'], binary: ['binary'] } as const

export async function selectCommissions(
  db: Db,
  memberId: bigint,
  list: keyof typeof KINDS,
  limit: number,
  offset: number,
): Promise<{ rows: StoredCommission[]; count: number }> {
  const kinds = sql`${[...KINDS[list]]}::posting_kind[]`
  const { rows } = await sql<StoredCommission>`${commissions(memberId)} AND i.kind = ANY(${kinds})
    ORDER BY i.run_id DESC, i.leg DESC LIMIT ${limit} OFFSET ${offset}`.execute(db)
  const total = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM payout_item WHERE member_id = ${memberId} AND kind = ANY(${kinds})
      AND run_id NOT IN (SELECT id FROM payout_run WHERE state IN ('computing', 'cancelled'))`.execute(db)
  return { rows, count: total.rows[0]?.count ?? 0 }
}

export async function selectCommission(
  db: Db,
  memberId: bigint,
  runId: bigint,
  leg: number,
): Promise<StoredCommission | undefined> {
  const { rows } =
    await sql<StoredCommission>`${commissions(memberId)} AND i.run_id = ${runId} AND i.leg = ${leg}`.execute(
      db,
    )
  return rows[0]
}

/** Passive items stand in pages by blocks of ids; a member's place in the page is found in it. */
const passives = (memberId: bigint) => sql`
  SELECT ${RUN}, r.rate, (SELECT percentage FROM declared_rate WHERE id = r.declared_id) AS declared, p.amounts[place.i] AS computed, coalesce(s.amounts[place.i], p.amounts[place.i]) AS amount,
    p.bases[place.i] AS basis, p.earned[place.i] AS earned,
    r.state = 'done' OR (r.state = 'posting' AND EXISTS (SELECT FROM payout_batch c WHERE c.run_id = r.id AND c.posted
      AND ${memberId}::bigint BETWEEN c.first_member_id AND c.last_member_id)) AS posted
  FROM payout_run r JOIN payout_page p ON p.run_id = r.id AND p.block = ${memberId}::bigint / 1024
    CROSS JOIN LATERAL (SELECT array_position(p.members, ${memberId}::bigint) AS i) place
    LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
  WHERE r.kind = 'passive' AND ${SEEN} AND place.i IS NOT NULL`

export async function selectPassives(
  db: Db,
  memberId: bigint,
  limit: number,
  offset: number,
): Promise<{ rows: StoredPassive[]; count: number }> {
  const { rows } =
    await sql<StoredPassive>`${passives(memberId)} ORDER BY r.period DESC LIMIT ${limit} OFFSET ${offset}`.execute(
      db,
    )
  // What was posted is counted as it is posted; only the few runs under way are looked into.
  const total = await sql<{ count: number }>`
    SELECT b.passive_days + (SELECT count(*)::int FROM (${passives(memberId)} AND r.state <> 'done') open WHERE NOT open.posted) AS count
    FROM member_balance b WHERE b.member_id = ${memberId}`.execute(db)
  return { rows, count: total.rows[0]?.count ?? 0 }
}

export async function selectPassive(
  db: Db,
  memberId: bigint,
  runId: bigint,
): Promise<StoredPassive | undefined> {
  const { rows } = await sql<StoredPassive>`${passives(memberId)} AND r.id = ${runId}`.execute(db)
  return rows[0]
}

export interface StoredMissed {
  readonly run_id: bigint
  readonly leg: number
  readonly at: Date
  readonly period: string
  readonly kind: 'passive' | 'direct' | 'master' | 'binary'
  readonly reason: string
  readonly amount: bigint
  readonly level: number | null
  readonly from_username: string | null
  readonly basis: bigint | null
}

const missed = (memberId: bigint) => sql`
  SELECT r.id AS run_id, m.leg, r.at, r.period, m.kind::text AS kind, m.reason, m.amount, m.level, f.username AS from_username, n.amount AS basis
  FROM payout_missed m JOIN payout_run r ON r.id = m.run_id
    LEFT JOIN member f ON f.id = m.from_member_id
    LEFT JOIN investment n ON n.member_id = m.from_member_id AND n.id = m.investment_id
  WHERE m.member_id = ${memberId} AND ${SEEN}
  UNION ALL
  SELECT r.id, i.leg, r.at, r.period, i.kind::text, 'pro_rata', i.amount - s.amount, i.level, f.username, i.basis
  FROM payout_share s JOIN payout_run r ON r.id = s.run_id
    JOIN payout_item i ON i.member_id = s.member_id AND i.run_id = s.run_id AND i.leg = s.leg
    LEFT JOIN member f ON f.id = i.from_member_id
  WHERE s.member_id = ${memberId} AND s.amount < i.amount AND ${SEEN}
  UNION ALL
  SELECT run_id, 0, at, period, 'passive', 'pro_rata', computed - amount, NULL, NULL, basis
  FROM (${passives(memberId)} AND r.prorated) shared WHERE amount < computed`

/** What a member was not paid, newest first. */
export async function selectNotPaid(
  db: Db,
  memberId: bigint,
  limit: number,
  offset: number,
): Promise<{ rows: StoredMissed[]; count: number }> {
  const { rows } = await sql<StoredMissed>`SELECT * FROM (${missed(memberId)}) not_paid
    ORDER BY at DESC, run_id DESC, reason, leg DESC LIMIT ${limit} OFFSET ${offset}`.execute(db)
  const total = await sql<{
    count: number
  }>`SELECT count(*)::int AS count FROM (${missed(memberId)}) not_paid`.execute(db)
  return { rows, count: total.rows[0]?.count ?? 0 }
}

export interface MonthPaid {
  readonly month: number
  readonly kind: string
  readonly amount: bigint
}

/** What was paid to a member in each month of a year, by kind. */
export async function selectMonths(
  db: Db,
  memberId: bigint,
  from: Date,
  until: Date,
  timeZone: string,
): Promise<MonthPaid[]> {
  const { rows } = await sql<MonthPaid>`
    SELECT extract(month FROM at AT TIME ZONE ${timeZone}::text)::int AS month, kind::text AS kind, sum(amount)::bigint AS amount
    FROM posting WHERE member_id = ${memberId} AND at >= ${from} AND at < ${until}
      AND kind IN ('passive', 'direct', 'master', 'binary') GROUP BY 1, 2`.execute(db)
  return rows
}

/** The rates of the passive runs that paid a member within a year, with the day of each. */
export async function selectRates(
  db: Db,
  memberId: bigint,
  from: string,
  until: string,
): Promise<{ period: string; rate: string }[]> {
  const { rows } = await sql<{ period: string; rate: string }>`
    SELECT r.period, r.rate FROM payout_run r JOIN posting p ON p.member_id = ${memberId} AND p.journal_id = r.journal_id
    WHERE r.kind = 'passive' AND r.period >= ${from} AND r.period < ${until} ORDER BY r.period`.execute(db)
  return rows
}

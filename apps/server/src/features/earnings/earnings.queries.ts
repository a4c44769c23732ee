/** A member's payments, newest first, from the runs that made them. Every row can say why it is what it is. */
import type { NotPaid } from '@aval/contract'
import type { Db } from '@aval/db'
import { applyRatio, formatAmount, micro, percent, ratioToPercentText } from '@aval/money'
import { type DayTerms, isDay, type Plan, termsOfDay } from '@aval/plan'
import { sql } from 'kysely'
import { isPosted } from '../../core/earned.sql.ts'
import { countOf, query, queryColumn, queryFirst } from '../../core/query.sql.ts'
import { planOfVersion } from '../plan-versions/plan-versions.queries.ts'
import { reversalsOf } from './taken-back.queries.ts'
import { type OwnReversal, type TakenBack, takenBackOf } from './taken-back.rules.ts'

interface StoredRun {
  readonly run_id: bigint
  readonly period: string
  readonly at: Date
  readonly run_state: string
  /** An operator has to look at it. */
  readonly in_review: boolean
  /** What its pool was short of when the run was last looked at. */
  readonly missing: bigint
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
  /** The payee introduced that member: with compression a first level may be a referral's referral. */
  readonly from_referral: boolean
  readonly invested_at: Date | null
  /** When it was taken back, because the investment was reversed. */
  readonly reversed_at: Date | null
  /** What was taken back of it then. */
  readonly taken_back: bigint
}

export interface StoredPassive extends StoredRun {
  readonly cutoff_at: Date
  readonly computed: bigint
  readonly amount: bigint
  readonly basis: bigint
  readonly earned: bigint | null
  /** The rate declared for the day, as percent of principal; null where the plan's own was paid. */
  readonly declared: string | null
  /** Why it was declared, in the operator's words. */
  readonly declared_because: string | null
}

export interface CommissionRow extends StoredCommission {
  readonly plan: Plan
  /** The computation with its figures, a step each: `1000.00 × 5 % = 50.00`. */
  readonly arithmetic: readonly string[]
}

export interface PassiveRow extends StoredPassive {
  readonly plan: Plan
  readonly terms: DayTerms
  readonly arithmetic: readonly string[]
  /** What was taken back of it, because an investment it was paid on was reversed. */
  readonly taken: readonly TakenBack[]
}

/** The last step of a payment that was released pro rata. */
const shared = (row: { prorated: boolean; amount: bigint; computed: bigint }): string[] =>
  row.prorated ? [`${formatAmount(row.computed)} → ${formatAmount(row.amount)}`] : []

function commissionSteps(row: StoredCommission, plan: Plan): string[] {
  if (row.kind !== 'binary')
    return [
      `${formatAmount(row.basis)} × ${row.percentage} % = ${formatAmount(row.computed)}`,
      ...shared(row),
    ]
  const earned = applyRatio(micro(row.basis), percent(plan.binary.percent))
  const points = `min(${formatAmount(row.left_points ?? 0n)}, ${formatAmount(row.right_points ?? 0n)}) = ${formatAmount(row.basis)}`
  const capped =
    row.flushed > 0n
      ? [`${formatAmount(earned)} − ${formatAmount(row.flushed)} = ${formatAmount(row.computed)}`]
      : []
  return [
    points,
    `${formatAmount(row.basis)} × ${row.percentage} % = ${formatAmount(earned)}`,
    ...capped,
    ...shared(row),
  ]
}

function passiveSteps(row: StoredPassive, plan: Plan, terms: DayTerms): string[] {
  const { percentPerPeriod, periodDays } = plan.passive
  const full = applyRatio(micro(row.basis), terms.rate)
  const rate =
    terms.source === 'plan'
      ? `${percentPerPeriod} % ÷ ${periodDays}`
      : `${ratioToPercentText(terms.rate, 6)} %`
  const steps = [`${formatAmount(row.basis)} × ${rate} = ${formatAmount(full)}`]
  if (terms.capMultiple !== null && full > row.computed) {
    const limit = applyRatio(micro(row.basis), terms.capMultiple)
    steps.push(`${formatAmount(limit)} − ${formatAmount(row.earned ?? 0n)} = ${formatAmount(row.computed)}`)
  }
  return [...steps, ...shared(row)]
}

const RUN =
  sql.raw(`r.id AS run_id, r.period, r.at, r.state AS run_state, r.prorated, r.plan_version, r.input_hash, r.items_hash,
  r.objections <> '[]' AND r.overruled_at IS NULL AS in_review, r.missing`)
/** What a member sees: sealed, whatever became of it then. */
const SEEN = sql.raw("r.state NOT IN ('computing', 'cancelled')")

export const commissions = (memberId: bigint) => sql`
  SELECT ${RUN}, i.kind::text AS kind, i.leg, i.amount AS computed, coalesce(s.amount, i.amount) AS amount, i.basis, i.percentage,
    i.level, i.left_points, i.right_points, i.flushed, m.username AS from_username, m.email AS from_email,
    coalesce(f.sponsor_id = i.member_id, false) AS from_referral, n.credited_at AS invested_at, b.at AS reversed_at, coalesce(b.amount, 0) AS taken_back,
    ${isPosted(memberId)} AS posted
  FROM payout_item i JOIN payout_run r ON r.id = i.run_id
    LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    LEFT JOIN member m ON m.id = i.from_member_id LEFT JOIN sponsorship f ON f.member_id = i.from_member_id
    LEFT JOIN investment n ON n.member_id = i.from_member_id AND n.id = i.investment_id
    LEFT JOIN reversal_part b ON b.member_id = i.member_id AND b.run_id = i.run_id AND b.item_leg = i.leg
  WHERE i.member_id = ${memberId} AND ${SEEN}`

/** Passive items stand in pages by blocks of ids; a member's place in the page is found in it. */
export const passives = (memberId: bigint) => sql`
  SELECT ${RUN}, r.cutoff_at, (SELECT percentage FROM declared_rate WHERE id = r.declared_id) AS declared,
    (SELECT reason FROM declared_rate WHERE id = r.declared_id) AS declared_because, p.amounts[place.i] AS computed, coalesce(s.amounts[place.i], p.amounts[place.i]) AS amount,
    p.bases[place.i] AS basis, p.earned[place.i] AS earned,
    ${isPosted(memberId)} AS posted
  FROM payout_run r JOIN payout_page p ON p.run_id = r.id AND p.block = ${memberId}::bigint / 1024
    CROSS JOIN LATERAL (SELECT array_position(p.members, ${memberId}::bigint) AS i) place
    LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
  WHERE r.kind = 'passive' AND ${SEEN} AND place.i IS NOT NULL`

export async function explainCommission(db: Db, row: StoredCommission): Promise<CommissionRow> {
  const { plan } = await planOfVersion(db, row.plan_version)
  return { ...row, plan, arithmetic: commissionSteps(row, plan) }
}

export async function explainPassive(
  db: Db,
  row: StoredPassive,
  reversals: readonly OwnReversal[],
): Promise<PassiveRow> {
  const { plan } = await planOfVersion(db, row.plan_version)
  if (!isDay(row.period)) throw new Error(`run ${row.run_id} has no day for a period`)
  const terms = termsOfDay(plan, row.period, row.declared)
  const { basis, earned, amount } = row
  const day = { terms, basis: micro(basis), earnedBefore: micro(earned ?? 0n), paid: micro(amount) }
  const taken = takenBackOf(day, row.cutoff_at, reversals)
  return { ...row, plan, terms, taken, arithmetic: passiveSteps(row, plan, terms) }
}

const KINDS = { direct: ['direct', 'master'], binary: ['binary'] } as const

/** A page of commissions, newest first, each with its arithmetic under the plan it was computed by. */
export async function commissionsOf(
  db: Db,
  memberId: bigint,
  list: keyof typeof KINDS,
  limit: number,
  offset: number,
): Promise<{ rows: CommissionRow[]; count: number }> {
  const kinds = sql`${[...KINDS[list]]}::posting_kind[]`
  const newest = sql`ORDER BY coalesce(n.credited_at, r.at) DESC, i.run_id DESC, i.leg DESC`
  // The page is found first, by what stands in three tables; the rest is read of its rows alone.
  const rows = await query<StoredCommission>(
    db,
  )`${commissions(memberId)} AND (i.run_id, i.leg) IN (SELECT i.run_id, i.leg
      FROM payout_item i JOIN payout_run r ON r.id = i.run_id
        LEFT JOIN investment n ON n.member_id = i.from_member_id AND n.id = i.investment_id
      WHERE i.member_id = ${memberId} AND i.kind = ANY(${kinds}) AND ${SEEN} ${newest} LIMIT ${limit} OFFSET ${offset}) ${newest}`
  const count = await countOf(db)`payout_item WHERE member_id = ${memberId} AND kind = ANY(${kinds})
    AND run_id NOT IN (SELECT id FROM payout_run WHERE state IN ('computing', 'cancelled'))`
  const explained: CommissionRow[] = []
  for (const row of rows) explained.push(await explainCommission(db, row))
  return { rows: explained, count }
}

/** A page of days of passive profit, newest first. */
export async function passivesOf(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<StoredPassive>(db)`${passives(memberId)}
    ORDER BY r.period DESC LIMIT ${limit} OFFSET ${offset}`
  // What was posted is counted as it is posted; only the few runs under way are read.
  const [count = 0] = await queryColumn<number>(db)`
    SELECT b.passive_days + (SELECT count(*)::int FROM (${passives(memberId)} AND r.state <> 'done') open WHERE NOT open.posted) AS count
    FROM member_balance b WHERE b.member_id = ${memberId}`
  const explained: PassiveRow[] = []
  const reversals = await reversalsOf(db, memberId)
  for (const row of rows) explained.push(await explainPassive(db, row, reversals))
  return { rows: explained, count }
}

/** One payment of the member; null when there is none, or it is another member's. */
export async function paymentOf(
  db: Db,
  memberId: bigint,
  { runId, leg }: { runId: bigint; leg: number },
): Promise<CommissionRow | PassiveRow | null> {
  const item = await queryFirst<StoredCommission>(db)`${commissions(memberId)}
    AND i.run_id = ${runId} AND i.leg = ${leg}`
  if (item !== undefined) return explainCommission(db, item)
  if (leg !== 0) return null
  const day = await queryFirst<StoredPassive>(db)`${passives(memberId)} AND r.id = ${runId}`
  return day === undefined ? null : explainPassive(db, day, await reversalsOf(db, memberId))
}

export interface StoredMissed {
  readonly run_id: bigint
  readonly leg: number
  readonly at: Date
  readonly period: string
  readonly kind: NotPaid['kind']
  readonly reason: NotPaid['reason']
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
export async function notPaidTo(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<StoredMissed>(db)`SELECT * FROM (${missed(memberId)}) not_paid
    ORDER BY at DESC, run_id DESC, reason, leg DESC LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countOf(db)`(${missed(memberId)}) not_paid` }
}

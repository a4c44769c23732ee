/** Reading what was paid to a member. Every row can say why it is what it is. */
import type { Db } from '@aval/db'
import {
  applyRatio,
  formatMicro,
  type Micro,
  micro,
  percent,
  type Ratio,
  ratio,
  ratioToPercentText,
} from '@aval/money'
import { addDays, type Day, type DayTerms, dayStart, isDay, type Plan, termsOfDay } from '@aval/plan'
import { planAt, planOfVersion } from '../plan-versions/plan-versions.queries.ts'
import {
  type MonthPaid,
  type StoredCommission,
  type StoredMissed,
  type StoredPassive,
  selectCommission,
  selectCommissions,
  selectMonths,
  selectNotPaid,
  selectPassive,
  selectPassives,
  selectRates,
} from './earnings.sql.ts'

export type { StoredMissed } from './earnings.sql.ts'

export interface CommissionRow extends StoredCommission {
  readonly plan: Plan
  /** The computation with its figures, a step each: `1000.00 × 5 % = 50.00`. */
  readonly arithmetic: readonly string[]
}

export interface PassiveRow extends StoredPassive {
  readonly plan: Plan
  readonly terms: DayTerms
  readonly arithmetic: readonly string[]
}

const text = (amount: bigint): string => formatMicro(micro(amount))

/** The last step of a payment that was released pro rata. */
const shared = (row: { prorated: boolean; amount: bigint; computed: bigint }): string[] =>
  row.prorated ? [`${text(row.computed)} → ${text(row.amount)}`] : []

function commissionSteps(row: StoredCommission, plan: Plan): string[] {
  if (row.kind !== 'binary')
    return [`${text(row.basis)} × ${row.percentage} % = ${text(row.computed)}`, ...shared(row)]
  const earned = applyRatio(micro(row.basis), percent(plan.binary.percent))
  const points = `min(${text(row.left_points ?? 0n)}, ${text(row.right_points ?? 0n)}) = ${text(row.basis)}`
  const capped = row.flushed > 0n ? [`${text(earned)} − ${text(row.flushed)} = ${text(row.computed)}`] : []
  return [points, `${text(row.basis)} × ${row.percentage} % = ${text(earned)}`, ...capped, ...shared(row)]
}

function passiveSteps(row: StoredPassive, plan: Plan, terms: DayTerms): string[] {
  const { percentPerPeriod, periodDays } = plan.passive
  const full = applyRatio(micro(row.basis), terms.rate)
  const rate =
    terms.source === 'plan'
      ? `${percentPerPeriod} % ÷ ${periodDays}`
      : `${ratioToPercentText(terms.rate, 6)} %`
  const steps = [`${text(row.basis)} × ${rate} = ${text(full)}`]
  if (terms.capMultiple !== null && full > row.computed) {
    const limit = applyRatio(micro(row.basis), terms.capMultiple)
    steps.push(`${text(limit)} − ${text(row.earned ?? 0n)} = ${text(row.computed)}`)
  }
  return [...steps, ...shared(row)]
}

async function explainCommission(db: Db, row: StoredCommission): Promise<CommissionRow> {
  const { plan } = await planOfVersion(db, row.plan_version)
  return { ...row, plan, arithmetic: commissionSteps(row, plan) }
}

async function explainPassive(db: Db, row: StoredPassive): Promise<PassiveRow> {
  const { plan } = await planOfVersion(db, row.plan_version)
  if (!isDay(row.period)) throw new Error(`run ${row.run_id} has no day for a period`)
  const terms = termsOfDay(plan, row.period, row.declared)
  return { ...row, plan, terms, arithmetic: passiveSteps(row, plan, terms) }
}

/** A page of commissions, newest first, each with its arithmetic under the plan it was computed by. */
export async function commissionsOf(
  db: Db,
  memberId: bigint,
  list: 'direct' | 'binary',
  limit: number,
  offset: number,
): Promise<{ rows: CommissionRow[]; count: number }> {
  const { rows, count } = await selectCommissions(db, memberId, list, limit, offset)
  const explained: CommissionRow[] = []
  for (const row of rows) explained.push(await explainCommission(db, row))
  return { rows: explained, count }
}

export async function passivesOf(
  db: Db,
  memberId: bigint,
  limit: number,
  offset: number,
): Promise<{ rows: PassiveRow[]; count: number }> {
  const { rows, count } = await selectPassives(db, memberId, limit, offset)
  const explained: PassiveRow[] = []
  for (const row of rows) explained.push(await explainPassive(db, row))
  return { rows: explained, count }
}

/** One payment of the member; null when there is none, or it is somebody else's. */
export async function paymentOf(
  db: Db,
  memberId: bigint,
  place: { runId: bigint; leg: number },
): Promise<CommissionRow | PassiveRow | null> {
  const commission = await selectCommission(db, memberId, place.runId, place.leg)
  if (commission !== undefined) return explainCommission(db, commission)
  const passive = place.leg === 0 ? await selectPassive(db, memberId, place.runId) : undefined
  return passive === undefined ? null : explainPassive(db, passive)
}

export function notPaidTo(
  db: Db,
  memberId: bigint,
  limit: number,
  offset: number,
): Promise<{ rows: StoredMissed[]; count: number }> {
  return selectNotPaid(db, memberId, limit, offset)
}

/** The time zone in which days are named now. */
export async function timeZoneAt(db: Db, now: Date): Promise<string> {
  return (await planAt(db, now)).plan.timeZone
}

export interface Month {
  readonly month: number
  /** The daily rates of the month, added up exactly. */
  readonly rate: Ratio
  readonly passive: Micro
  readonly direct: Micro
  readonly binary: Micro
}

const NOTHING: Ratio = ratio(0n, 1n)

function addText(sum: Ratio, stored: string): Ratio {
  const [numerator = '0', denominator = '1'] = stored.split('/')
  const divisor = BigInt(denominator)
  if (divisor === sum.denominator) return ratio(sum.numerator + BigInt(numerator), divisor)
  return ratio(sum.numerator * divisor + BigInt(numerator) * sum.denominator, sum.denominator * divisor)
}

/** What a member was paid in each month of a year, in the plan's time zone. */
export async function monthsOf(db: Db, memberId: bigint, year: number, now: Date): Promise<Month[]> {
  const timeZone = await timeZoneAt(db, now)
  const first = `${year}-01-01` as Day
  const after = addDays(`${year}-12-31` as Day, 1)
  const [paid, rates] = await Promise.all([
    selectMonths(db, memberId, dayStart(first, timeZone), dayStart(after, timeZone), timeZone),
    selectRates(db, memberId, first, after),
  ])
  const sum = (month: number, ...kinds: string[]): Micro =>
    micro(
      paid
        .filter((row: MonthPaid) => row.month === month && kinds.includes(row.kind))
        .reduce((total, { amount }) => total + amount, 0n),
    )
  return Array.from({ length: 12 }, (_, index) => index + 1).map((month) => ({
    month,
    rate: rates
      .filter(({ period }) => period.slice(5, 7) === String(month).padStart(2, '0'))
      .reduce((total, { rate }) => addText(total, rate), NOTHING),
    passive: sum(month, 'passive'),
    direct: sum(month, 'direct', 'master'),
    binary: sum(month, 'binary'),
  }))
}

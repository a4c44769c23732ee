import type {
  BinaryPayment,
  BinaryPoints,
  BinaryStanding,
  DirectPayment,
  Locale,
  MonthEarnings,
  NotPaid,
  PassivePayment,
  Payment,
  PaymentState,
  PaymentTotals,
  PaymentWhy,
} from '@aval/contract'
import {
  applyRatio,
  formatAmount,
  formatMicro,
  type Micro,
  micro,
  percent,
  ratioToPercentText,
} from '@aval/money'
import { dayStart, extraOf, isDay, type Plan } from '@aval/plan'
import { paymentId } from '../../core/ids.ts'
import {
  type MessageKey,
  say,
  sayAmount,
  sayDay,
  sayDecimal,
  sayPercent,
  sayPoints,
} from '../../core/messages.ts'
import { asSentence } from '../../core/sentence.rules.ts'
import { shownEmail } from '../../core/shown-email.rules.ts'
import type { CommissionRow, PassiveRow, StoredMissed } from './earnings.queries.ts'
import type { Month } from './months.queries.ts'
import type { PaymentRow, Totals } from './payments.queries.ts'
import type { Legs, PointsRow } from './points.queries.ts'
import { sumTakenBack } from './taken-back.rules.ts'

/** The day that a run's period names; a direct run has none, and is dated. */
function sayPeriod(locale: Locale, row: { period: string; at: Date }, timeZone: string): string {
  return sayDay(locale, isDay(row.period) ? dayStart(row.period, timeZone) : row.at, timeZone)
}

/** Where a payment stands, from its run. */
export function stateOf(row: {
  readonly run_state: string
  readonly posted: boolean
  readonly in_review: boolean
  readonly missing: bigint
}): PaymentState {
  if (row.posted) return 'paid'
  if (row.run_state !== 'held') return 'posting'
  if (row.in_review) return 'in_review'
  // Held for neither: its pool has been filled by now.
  return row.missing > 0n ? 'awaiting_funding' : 'posting'
}

const paidOrPending = ({ posted }: { readonly posted: boolean }) => (posted ? 'paid' : 'pending')

function withShare(
  locale: Locale,
  sentence: string,
  row: { prorated: boolean; amount: bigint; computed: bigint },
): string {
  if (!row.prorated) return sentence
  return `${sentence} ${say(locale, 'why_prorated', { paid: micro(row.amount), amount: micro(row.computed) })}`
}

/** What the payee got on top of the plan's first level, in percentage points; `0` for nothing. */
const extraIn = (row: CommissionRow): string =>
  row.kind === 'direct' && row.level === 1 ? extraOf(row.plan, row.percentage) : '0'

/** The sentence of a commission: what percentage, of what, when, under which plan. */
function commissionSentence(row: CommissionRow, locale: Locale, timeZone: string): string {
  const version = row.plan_version
  if (row.kind !== 'binary') {
    const sentence = say(locale, row.kind === 'master' ? 'why_master' : 'why_direct', {
      percentage: sayDecimal(locale, row.percentage),
      basis: micro(row.basis),
      day: sayDay(locale, row.invested_at ?? row.at, timeZone),
      name: row.from_username ?? '',
      level: row.level ?? 0,
      version,
    })
    const extra = extraIn(row)
    const named =
      extra === '0'
        ? sentence
        : `${sentence} ${say(locale, 'why_extra', { extra: sayDecimal(locale, extra), count: Number(extra) })}`
    const shared = withShare(locale, named, row)
    if (row.reversed_at === null) return shared
    return `${shared} ${say(locale, 'why_reversed', { day: sayDay(locale, row.reversed_at, timeZone) })}`
  }
  const sentence = say(locale, row.flushed > 0n ? 'why_binary_capped' : 'why_binary', {
    percentage: sayDecimal(locale, row.percentage),
    matched: sayPoints(locale, micro(row.basis)),
    day: sayPeriod(locale, row, timeZone),
    earned: applyRatio(micro(row.basis), percent(row.plan.binary.percent)),
    amount: micro(row.computed),
    version,
  })
  return withShare(locale, sentence, row)
}

/** Whether the limit of passive profit cut this day. */
const isCapped = (row: PassiveRow): boolean =>
  row.terms.capMultiple !== null && applyRatio(micro(row.basis), row.terms.rate) > row.computed

function passiveSentence(row: PassiveRow, locale: Locale, timeZone: string): string {
  const sentence = say(locale, isCapped(row) ? 'why_passive_capped' : 'why_passive', {
    percentage: sayDecimal(locale, ratioToPercentText(row.terms.rate)),
    basis: micro(row.basis),
    day: sayPeriod(locale, row, timeZone),
    multiple: sayDecimal(locale, row.plan.passive.capMultiple ?? ''),
    version: row.plan_version,
  })
  const taken = row.taken.map(({ amount, reversal }) =>
    say(locale, 'why_taken_back', {
      amount,
      day: sayDay(locale, reversal.at, timeZone),
      invested: micro(reversal.invested),
      invested_on: sayDay(locale, reversal.invested_at, timeZone),
      profit: micro(reversal.profit),
    }),
  )
  return [withShare(locale, sentence, row), ...taken].join(' ')
}

const explained = (row: CommissionRow | PassiveRow, sentence: string, percentage: string) => ({
  sentence,
  plan_version: row.plan_version,
  basis: formatAmount(row.basis),
  percentage,
  arithmetic: row.arithmetic.join('; '),
})

/** A row of GET payments/direct-payments/. */
export function presentDirect(row: CommissionRow, locale: Locale, timeZone: string): DirectPayment {
  return {
    id: paymentId(row.run_id, row.leg),
    date: (row.invested_at ?? row.at).toISOString(),
    kind: row.kind === 'master' ? 'master' : 'direct',
    user_username: row.from_username ?? '',
    user_email: shownEmail(row.from_email ?? '', row.from_referral),
    investment_amount: formatAmount(row.basis),
    level: row.level ?? 0,
    amount: formatAmount(row.amount),
    state: stateOf(row),
    status: row.reversed_at === null ? paidOrPending(row) : 'reversed',
    why: explained(row, commissionSentence(row, locale, timeZone), row.percentage),
  }
}

/** A row of GET payments/pasive-payments/. */
export function presentPassive(row: PassiveRow, locale: Locale, timeZone: string): PassivePayment {
  const taken = sumTakenBack(row.taken)
  return {
    id: paymentId(row.run_id, 0),
    date: row.at.toISOString(),
    current_investment_amount: formatAmount(row.basis),
    amount: formatAmount(row.amount),
    state: stateOf(row),
    status: taken === 0n ? paidOrPending(row) : taken < row.amount ? 'partly_reversed' : 'reversed',
    taken_back: formatAmount(taken),
    why: explained(row, passiveSentence(row, locale, timeZone), ratioToPercentText(row.terms.rate)),
  }
}

/** A row of GET payments/binary-payments/. */
export function presentBinary(row: CommissionRow, locale: Locale, timeZone: string): BinaryPayment {
  const [left, right] = [row.left_points ?? 0n, row.right_points ?? 0n]
  return {
    id: paymentId(row.run_id, row.leg),
    date: row.at.toISOString(),
    left_points: formatAmount(left),
    right_points: formatAmount(right),
    matched_points: formatAmount(row.basis),
    percentage: row.percentage,
    amount: formatAmount(row.amount),
    flushed: formatAmount(row.flushed),
    carry_left: formatAmount(left - row.basis),
    carry_right: formatAmount(right - row.basis),
    state: stateOf(row),
    status: paidOrPending(row),
    why: explained(row, commissionSentence(row, locale, timeZone), row.percentage),
  }
}

/** A row of GET payments/all/. */
export function presentPayment(row: PaymentRow, locale: Locale, timeZone: string): Payment {
  const common = { date: row.at.toISOString(), basis: formatAmount(row.basis) }
  const nobody = { user_username: null, user_email: null, level: null }
  if ('taken' in row) {
    const { id, amount, state, status, taken_back, why } = presentPassive(row, locale, timeZone)
    return { ...common, ...nobody, kind: 'passive', id, amount, state, status, taken_back, why }
  }
  const taken_back = formatAmount(row.taken_back)
  if (row.kind === 'binary') {
    const { id, amount, state, status, why } = presentBinary(row, locale, timeZone)
    return { ...common, ...nobody, kind: 'binary', id, amount, state, status, taken_back, why }
  }
  const { investment_amount: _, ...direct } = presentDirect(row, locale, timeZone)
  return { ...direct, ...common, taken_back }
}

/** GET payments/totals/. */
export const presentTotals = ({ count, amount, waiting, takenBack }: Totals): PaymentTotals => ({
  count,
  amount: formatAmount(amount),
  waiting: formatAmount(waiting),
  taken_back: formatAmount(takenBack),
  received: formatAmount(amount - waiting - takenBack),
})

/** A row of GET payments/binary-points-payments/. */
export function presentPoints(row: PointsRow): BinaryPoints {
  return {
    id: Number(row.id),
    date: row.credited_at.toISOString(),
    user_username: row.username,
    user_email: shownEmail(row.email, row.is_referral),
    leg: row.leg,
    points: formatAmount(row.amount),
    investment_amount: formatAmount(row.amount),
    state: row.reversed ? 'reversed' : row.counted ? 'counted' : 'open',
  }
}

/** A row of GET payments/not-paid/. */
export function presentNotPaid(row: StoredMissed, locale: Locale, timeZone: string): NotPaid {
  const { reason } = row
  const key =
    reason === 'inactive' && row.kind === 'binary' ? 'missed_binary_inactive' : (`missed_${reason}` as const)
  return {
    id: `${row.run_id}-${reason}-${row.leg}`,
    date: row.at.toISOString(),
    kind: row.kind,
    reason,
    amount: formatAmount(row.amount),
    level: row.level,
    user_username: row.from_username,
    sentence: say(locale, key, {
      name: row.from_username ?? '',
      basis: micro(row.basis ?? 0n),
      level: row.level ?? 0,
      amount: micro(row.amount),
      day: sayPeriod(locale, row, timeZone),
    }),
  }
}

/** A month of GET payments/earnings/{year}/. */
export function presentMonth({ month, rate, passive, direct, binary }: Month): MonthEarnings {
  const sum: Micro = micro(passive + direct + binary)
  return {
    month,
    summed_percentage: ratioToPercentText(rate),
    amount: formatAmount(sum),
    passive: formatAmount(passive),
    direct: formatAmount(direct),
    binary: formatAmount(binary),
  }
}

/** GET payments/binary-standing/ */
export function presentLegs(legs: Legs, plan: Plan): BinaryStanding {
  return {
    as_of: legs.as_of,
    left_points: formatAmount(legs.left),
    right_points: formatAmount(legs.right),
    qualified: legs.lacking.length === 0,
    lacking: [...legs.lacking],
    percentage: plan.binary.percent,
    daily_cap: formatMicro(plan.binary.dailyCap),
  }
}

type Input = [name: string, value: string]
type Explained = Pick<PaymentWhy, 'kind' | 'sentence' | 'rule'> & {
  readonly inputs: readonly Input[]
  readonly leg: number
}

const LABEL = (name: string): MessageKey => `input_${name}` as MessageKey

function directInputs(row: CommissionRow, locale: Locale, timeZone: string): Input[] {
  const extra = extraIn(row)
  return [
    ['investor', row.from_username ?? ''],
    ['invested', sayAmount(locale, micro(row.basis))],
    ['invested_on', sayDay(locale, row.invested_at ?? row.at, timeZone)],
    ['level', String(row.level ?? 0)],
    ['percentage', sayPercent(locale, row.percentage)],
    ...(extra === '0' ? [] : [['extra', sayPercent(locale, extra)] as Input]),
  ]
}

function binaryInputs(row: CommissionRow, locale: Locale): Input[] {
  const [left, right] = [row.left_points ?? 0n, row.right_points ?? 0n]
  const points = (amount: bigint) => sayPoints(locale, micro(amount))
  return [
    ['left', points(left)],
    ['right', points(right)],
    ['matched', points(row.basis)],
    ['percentage', sayPercent(locale, row.percentage)],
    ['cap', sayAmount(locale, row.plan.binary.dailyCap)],
    ...(row.flushed > 0n ? [['flushed', sayAmount(locale, micro(row.flushed))] as Input] : []),
    ['carry_left', points(left - row.basis)],
    ['carry_right', points(right - row.basis)],
  ]
}

function commissionRule(row: CommissionRow, locale: Locale): string {
  const { direct, binary } = row.plan
  if (row.kind === 'binary')
    return say(locale, 'rule_binary', { percent: sayDecimal(locale, binary.percent), cap: binary.dailyCap })
  if (row.kind === 'master')
    return say(locale, 'rule_master', {
      percent: sayDecimal(locale, direct.masterPercent),
      levels: direct.levels.length,
    })
  return say(locale, 'rule_direct', {
    levels: direct.levels.map((level, index) => `${index + 1}: ${sayPercent(locale, level)}`).join(', '),
  })
}

function explainCommission(row: CommissionRow, locale: Locale, timeZone: string): Explained {
  return {
    kind: row.kind,
    leg: row.leg,
    sentence: commissionSentence(row, locale, timeZone),
    rule: commissionRule(row, locale),
    inputs: row.kind === 'binary' ? binaryInputs(row, locale) : directInputs(row, locale, timeZone),
  }
}

function explainPassive(row: PassiveRow, locale: Locale, timeZone: string): Explained {
  const { percentPerPeriod, periodDays } = row.plan.passive
  const rate = ratioToPercentText(row.terms.rate, 6)
  const cap = row.terms.capMultiple
  return {
    kind: 'passive',
    leg: 0,
    sentence: passiveSentence(row, locale, timeZone),
    rule:
      row.terms.source === 'plan'
        ? say(locale, 'rule_passive', {
            percent: sayDecimal(locale, percentPerPeriod),
            days: periodDays,
            count: periodDays,
          })
        : [
            say(locale, 'rule_passive_declared', { rate: sayDecimal(locale, rate) }),
            ...(row.declared_because === null
              ? []
              : [say(locale, 'rule_passive_because', { why: asSentence(row.declared_because) })]),
          ].join(' '),
    inputs: [
      ['principal', sayAmount(locale, micro(row.basis))],
      ['rate', sayPercent(locale, rate)],
      ...(cap !== null && isCapped(row)
        ? ([
            ['earned_before', sayAmount(locale, micro(row.earned ?? 0n))],
            ['limit', sayAmount(locale, applyRatio(micro(row.basis), cap))],
          ] as Input[])
        : []),
      ...(row.taken.length === 0
        ? []
        : [['taken_back', sayAmount(locale, sumTakenBack(row.taken))] as Input]),
    ],
  }
}

export function presentWhy(row: CommissionRow | PassiveRow, locale: Locale, timeZone: string): PaymentWhy {
  const explanation =
    'terms' in row ? explainPassive(row, locale, timeZone) : explainCommission(row, locale, timeZone)
  const shared: readonly Input[] = row.prorated
    ? [
        ['computed', sayAmount(locale, micro(row.computed))],
        ['paid', sayAmount(locale, micro(row.amount))],
      ]
    : []
  return {
    id: paymentId(row.run_id, explanation.leg),
    kind: explanation.kind,
    date: row.at.toISOString(),
    amount: formatAmount(row.amount),
    state: stateOf(row),
    sentence: explanation.sentence,
    plan_version: row.plan_version,
    rule: explanation.rule,
    inputs: [...explanation.inputs, ...shared].map(([name, value]) => ({
      name,
      label: say(locale, LABEL(name)),
      value,
    })),
    // Plain decimals in either language: who reads them writes them in their own way.
    arithmetic: [...row.arithmetic],
    run: {
      id: Number(row.run_id),
      period: row.period,
      input_hash: row.input_hash ?? '',
      items_hash: row.items_hash ?? '',
    },
  }
}

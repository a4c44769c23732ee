import type {
  BinaryPayment,
  BinaryPoints,
  BinaryStanding,
  DirectPayment,
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
  type Reader,
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
function sayPeriod(reader: Reader, row: { period: string; at: Date }, timeZone: string): string {
  return sayDay(reader, isDay(row.period) ? dayStart(row.period, timeZone) : row.at, timeZone)
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
  reader: Reader,
  sentence: string,
  row: { prorated: boolean; amount: bigint; computed: bigint },
): string {
  if (!row.prorated) return sentence
  return `${sentence} ${say(reader, 'why_prorated', { paid: micro(row.amount), amount: micro(row.computed) })}`
}

/** What the payee got on top of the plan's first level, in percentage points; `0` for nothing. */
const extraIn = (row: CommissionRow): string =>
  row.kind === 'direct' && row.level === 1 ? extraOf(row.plan, row.percentage) : '0'

/** The sentence of a commission: what percentage, of what, when, under which plan. */
function commissionSentence(row: CommissionRow, reader: Reader, timeZone: string): string {
  const version = row.plan_version
  if (row.kind !== 'binary') {
    const sentence = say(reader, row.kind === 'master' ? 'why_master' : 'why_direct', {
      percentage: sayDecimal(reader, row.percentage),
      basis: micro(row.basis),
      day: sayDay(reader, row.invested_at ?? row.at, timeZone),
      name: row.from_username ?? '',
      level: row.level ?? 0,
      version,
    })
    const extra = extraIn(row)
    const named =
      extra === '0'
        ? sentence
        : `${sentence} ${say(reader, 'why_extra', { extra: sayDecimal(reader, extra), count: Number(extra) })}`
    const shared = withShare(reader, named, row)
    if (row.reversed_at === null) return shared
    return `${shared} ${say(reader, 'why_reversed', { day: sayDay(reader, row.reversed_at, timeZone) })}`
  }
  const sentence = say(reader, row.flushed > 0n ? 'why_binary_capped' : 'why_binary', {
    percentage: sayDecimal(reader, row.percentage),
    matched: sayPoints(reader, micro(row.basis)),
    day: sayPeriod(reader, row, timeZone),
    earned: applyRatio(micro(row.basis), percent(row.plan.binary.percent)),
    amount: micro(row.computed),
    version,
  })
  return withShare(reader, sentence, row)
}

/** Whether the limit of passive profit cut this day. */
const isCapped = (row: PassiveRow): boolean =>
  row.terms.capMultiple !== null && applyRatio(micro(row.basis), row.terms.rate) > row.computed

function passiveSentence(row: PassiveRow, reader: Reader, timeZone: string): string {
  const sentence = say(reader, isCapped(row) ? 'why_passive_capped' : 'why_passive', {
    percentage: sayDecimal(reader, ratioToPercentText(row.terms.rate)),
    basis: micro(row.basis),
    day: sayPeriod(reader, row, timeZone),
    multiple: sayDecimal(reader, row.plan.passive.capMultiple ?? ''),
    version: row.plan_version,
  })
  const taken = row.taken.map(({ amount, reversal }) =>
    say(reader, 'why_taken_back', {
      amount,
      day: sayDay(reader, reversal.at, timeZone),
      invested: micro(reversal.invested),
      invested_on: sayDay(reader, reversal.invested_at, timeZone),
      profit: micro(reversal.profit),
    }),
  )
  return [withShare(reader, sentence, row), ...taken].join(' ')
}

const explained = (row: CommissionRow | PassiveRow, sentence: string, percentage: string) => ({
  sentence,
  plan_version: row.plan_version,
  basis: formatAmount(row.basis),
  percentage,
  arithmetic: row.arithmetic.join('; '),
})

/** A row of GET payments/direct-payments/. */
export function presentDirect(row: CommissionRow, reader: Reader, timeZone: string): DirectPayment {
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
    why: explained(row, commissionSentence(row, reader, timeZone), row.percentage),
  }
}

/** A row of GET payments/pasive-payments/. */
export function presentPassive(row: PassiveRow, reader: Reader, timeZone: string): PassivePayment {
  const taken = sumTakenBack(row.taken)
  return {
    id: paymentId(row.run_id, 0),
    date: row.at.toISOString(),
    current_investment_amount: formatAmount(row.basis),
    amount: formatAmount(row.amount),
    state: stateOf(row),
    status: taken === 0n ? paidOrPending(row) : taken < row.amount ? 'partly_reversed' : 'reversed',
    taken_back: formatAmount(taken),
    why: explained(row, passiveSentence(row, reader, timeZone), ratioToPercentText(row.terms.rate)),
  }
}

/** A row of GET payments/binary-payments/. */
export function presentBinary(row: CommissionRow, reader: Reader, timeZone: string): BinaryPayment {
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
    why: explained(row, commissionSentence(row, reader, timeZone), row.percentage),
  }
}

/** A row of GET payments/all/. */
export function presentPayment(row: PaymentRow, reader: Reader, timeZone: string): Payment {
  const common = { date: row.at.toISOString(), basis: formatAmount(row.basis) }
  const nobody = { user_username: null, user_email: null, level: null }
  if ('taken' in row) {
    const { id, amount, state, status, taken_back, why } = presentPassive(row, reader, timeZone)
    return { ...common, ...nobody, kind: 'passive', id, amount, state, status, taken_back, why }
  }
  const taken_back = formatAmount(row.taken_back)
  if (row.kind === 'binary') {
    const { id, amount, state, status, why } = presentBinary(row, reader, timeZone)
    return { ...common, ...nobody, kind: 'binary', id, amount, state, status, taken_back, why }
  }
  const { investment_amount: _, ...direct } = presentDirect(row, reader, timeZone)
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
export function presentNotPaid(row: StoredMissed, reader: Reader, timeZone: string): NotPaid {
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
    sentence: say(reader, key, {
      name: row.from_username ?? '',
      basis: micro(row.basis ?? 0n),
      level: row.level ?? 0,
      amount: micro(row.amount),
      day: sayPeriod(reader, row, timeZone),
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

function directInputs(row: CommissionRow, reader: Reader, timeZone: string): Input[] {
  const extra = extraIn(row)
  return [
    ['investor', row.from_username ?? ''],
    ['invested', sayAmount(reader, micro(row.basis))],
    ['invested_on', sayDay(reader, row.invested_at ?? row.at, timeZone)],
    ['level', String(row.level ?? 0)],
    ['percentage', sayPercent(reader, row.percentage)],
    ...(extra === '0' ? [] : [['extra', sayPercent(reader, extra)] as Input]),
  ]
}

function binaryInputs(row: CommissionRow, reader: Reader): Input[] {
  const [left, right] = [row.left_points ?? 0n, row.right_points ?? 0n]
  const points = (amount: bigint) => sayPoints(reader, micro(amount))
  return [
    ['left', points(left)],
    ['right', points(right)],
    ['matched', points(row.basis)],
    ['percentage', sayPercent(reader, row.percentage)],
    ['cap', sayAmount(reader, row.plan.binary.dailyCap)],
    ...(row.flushed > 0n ? [['flushed', sayAmount(reader, micro(row.flushed))] as Input] : []),
    ['carry_left', points(left - row.basis)],
    ['carry_right', points(right - row.basis)],
  ]
}

function commissionRule(row: CommissionRow, reader: Reader): string {
  const { direct, binary } = row.plan
  if (row.kind === 'binary')
    return say(reader, 'rule_binary', { percent: sayDecimal(reader, binary.percent), cap: binary.dailyCap })
  if (row.kind === 'master')
    return say(reader, 'rule_master', {
      percent: sayDecimal(reader, direct.masterPercent),
      levels: direct.levels.length,
    })
  return say(reader, 'rule_direct', {
    levels: direct.levels.map((level, index) => `${index + 1}: ${sayPercent(reader, level)}`).join(', '),
  })
}

function explainCommission(row: CommissionRow, reader: Reader, timeZone: string): Explained {
  return {
    kind: row.kind,
    leg: row.leg,
    sentence: commissionSentence(row, reader, timeZone),
    rule: commissionRule(row, reader),
    inputs: row.kind === 'binary' ? binaryInputs(row, reader) : directInputs(row, reader, timeZone),
  }
}

function explainPassive(row: PassiveRow, reader: Reader, timeZone: string): Explained {
  const { percentPerPeriod, periodDays } = row.plan.passive
  const rate = ratioToPercentText(row.terms.rate, 6)
  const cap = row.terms.capMultiple
  return {
    kind: 'passive',
    leg: 0,
    sentence: passiveSentence(row, reader, timeZone),
    rule:
      row.terms.source === 'plan'
        ? say(reader, 'rule_passive', {
            percent: sayDecimal(reader, percentPerPeriod),
            days: periodDays,
            count: periodDays,
          })
        : [
            say(reader, 'rule_passive_declared', { rate: sayDecimal(reader, rate) }),
            ...(row.declared_because === null
              ? []
              : [say(reader, 'rule_passive_because', { why: asSentence(row.declared_because) })]),
          ].join(' '),
    inputs: [
      ['principal', sayAmount(reader, micro(row.basis))],
      ['rate', sayPercent(reader, rate)],
      ...(cap !== null && isCapped(row)
        ? ([
            ['earned_before', sayAmount(reader, micro(row.earned ?? 0n))],
            ['limit', sayAmount(reader, applyRatio(micro(row.basis), cap))],
          ] as Input[])
        : []),
      ...(row.taken.length === 0
        ? []
        : [['taken_back', sayAmount(reader, sumTakenBack(row.taken))] as Input]),
    ],
  }
}

export function presentWhy(row: CommissionRow | PassiveRow, reader: Reader, timeZone: string): PaymentWhy {
  const explanation =
    'terms' in row ? explainPassive(row, reader, timeZone) : explainCommission(row, reader, timeZone)
  const shared: readonly Input[] = row.prorated
    ? [
        ['computed', sayAmount(reader, micro(row.computed))],
        ['paid', sayAmount(reader, micro(row.amount))],
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
      label: say(reader, LABEL(name)),
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

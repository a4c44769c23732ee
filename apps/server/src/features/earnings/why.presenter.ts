/** GET payments/why/{id}/: everything behind one payment, in the language of the reader. */
import type { Locale, PaymentWhy } from '@aval/contract'
import { applyRatio, formatMicro, micro, ratioToPercentText } from '@aval/money'
import { paymentId } from '../../core/ids.ts'
import { type MessageKey, say, sayAmount, sayPoints } from '../../core/messages.ts'
import { sayDay } from '../../core/say-day.ts'
import { commissionSentence, isCapped, passiveSentence } from './earnings.presenter.ts'
import type { CommissionRow, PassiveRow } from './earnings.queries.ts'
import { stateOf } from './earnings.rules.ts'

type Input = [name: string, value: string]
type Told = Pick<PaymentWhy, 'kind' | 'sentence' | 'rule'> & {
  readonly inputs: readonly Input[]
  readonly leg: number
}

const LABEL = (name: string): MessageKey => `input_${name}` as MessageKey

function directInputs(row: CommissionRow, locale: Locale, timeZone: string): Input[] {
  return [
    ['investor', row.from_username ?? ''],
    ['invested', sayAmount(locale, micro(row.basis))],
    ['invested_on', sayDay(locale, row.invested_at ?? row.at, timeZone)],
    ['level', String(row.level ?? 0)],
    ['percentage', `${row.percentage}%`],
  ]
}

function binaryInputs(row: CommissionRow, locale: Locale): Input[] {
  const [left, right] = [row.left_points ?? 0n, row.right_points ?? 0n]
  const points = (amount: bigint) => sayPoints(locale, micro(amount))
  return [
    ['left', points(left)],
    ['right', points(right)],
    ['matched', points(row.basis)],
    ['percentage', `${row.percentage}%`],
    ['cap', sayAmount(locale, row.plan.binary.dailyCap)],
    ...(row.flushed > 0n ? [['flushed', sayAmount(locale, micro(row.flushed))] as Input] : []),
    ['carry_left', points(left - row.basis)],
    ['carry_right', points(right - row.basis)],
  ]
}

function commissionRule(row: CommissionRow, locale: Locale): string {
  const { direct, binary } = row.plan
  if (row.kind === 'binary')
    return say(locale, 'rule_binary', { percent: binary.percent, cap: binary.dailyCap })
  if (row.kind === 'master')
    return say(locale, 'rule_master', { percent: direct.masterPercent, levels: direct.levels.length })
  return say(locale, 'rule_direct', {
    levels: direct.levels.map((level, index) => `${index + 1}: ${level}%`).join(', '),
  })
}

function tellCommission(row: CommissionRow, locale: Locale, timeZone: string): Told {
  return {
    kind: row.kind,
    leg: row.leg,
    sentence: commissionSentence(row, locale, timeZone),
    rule: commissionRule(row, locale),
    inputs: row.kind === 'binary' ? binaryInputs(row, locale) : directInputs(row, locale, timeZone),
  }
}

function tellPassive(row: PassiveRow, locale: Locale, timeZone: string): Told {
  const { percentPerPeriod, periodDays } = row.plan.passive
  const rate = ratioToPercentText(row.terms.rate, 6)
  const cap = row.terms.capMultiple
  return {
    kind: 'passive',
    leg: 0,
    sentence: passiveSentence(row, locale, timeZone),
    rule:
      row.terms.source === 'plan'
        ? say(locale, 'rule_passive', { percent: percentPerPeriod, days: periodDays })
        : say(locale, 'rule_passive_declared', { rate }),
    inputs: [
      ['principal', sayAmount(locale, micro(row.basis))],
      ['rate', `${rate}%`],
      ...(cap !== null && isCapped(row)
        ? ([
            ['earned_before', sayAmount(locale, micro(row.earned ?? 0n))],
            ['limit', sayAmount(locale, applyRatio(micro(row.basis), cap))],
          ] as Input[])
        : []),
    ],
  }
}

export function presentWhy(row: CommissionRow | PassiveRow, locale: Locale, timeZone: string): PaymentWhy {
  const told = 'terms' in row ? tellPassive(row, locale, timeZone) : tellCommission(row, locale, timeZone)
  const shared: readonly Input[] = row.prorated
    ? [
        ['computed', sayAmount(locale, micro(row.computed))],
        ['paid', sayAmount(locale, micro(row.amount))],
      ]
    : []
  return {
    id: paymentId(row.run_id, told.leg),
    kind: told.kind,
    date: row.at.toISOString(),
    amount: formatMicro(micro(row.amount)),
    state: stateOf(row),
    sentence: told.sentence,
    plan_version: row.plan_version,
    rule: told.rule,
    inputs: [...told.inputs, ...shared].map(([name, value]) => ({
      name,
      label: say(locale, LABEL(name)),
      value,
    })),
    arithmetic: [...row.arithmetic],
    run: {
      id: Number(row.run_id),
      period: row.period,
      input_hash: row.input_hash ?? '',
      items_hash: row.items_hash ?? '',
    },
  }
}

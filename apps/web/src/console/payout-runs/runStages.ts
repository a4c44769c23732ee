import type { PayoutRun } from '@aval/contract'
import { micro, parseMicro, ratio, ratioToPercentText } from '@aval/money'
import type { TFunction } from 'i18next'
import type { Formats } from '../../ui/format.ts'

type Held = Pick<PayoutRun, 'state' | 'reasons' | 'released_by'>
type Decidable = Held & Pick<PayoutRun, 'decision'>

const UNDER_WAY: readonly PayoutRun['state'][] = ['computing', 'sealed', 'released', 'posting']

/** Checks that no decision overrules. */
const UNCERTAIN: readonly PayoutRun['reasons'][number]['check'][] = [
  'computed_otherwise',
  'not_computed_twice',
  'not_computable',
]

/** Stages that report their progress; a released run is posted next. */
const COUNTED: readonly PayoutRun['state'][] = ['computing', 'released', 'posting']

/** Whether the run moves on by itself, so that it pays to look again. */
export function isUnderWay({ state }: Pick<PayoutRun, 'state'>): boolean {
  return UNDER_WAY.includes(state)
}

/** What the checks say besides money, unless an operator has overruled them already. */
export function objectionsTo({ reasons, released_by }: Held) {
  return released_by === null ? reasons.filter(({ check }) => check !== 'pool_short') : []
}

export const isShort = ({ reasons }: Held): boolean => reasons.some(({ check }) => check === 'pool_short')

/** What a run's state is called: a held one waits for money, or for an operator's decision. */
export function stageOf(run: Held): PayoutRun['state'] | 'awaiting' {
  const onlyMoney = isShort(run) && objectionsTo(run).length === 0
  return run.state === 'held' && onlyMoney ? 'awaiting' : run.state
}

export type RunDecision = 'release' | 'prorate' | 'cancel'

/**
 * What an operator may decide about a run: nothing, unless it is held. Its checks come first: only once nothing but money
 * keeps it can it be paid pro rata. What is proposed already waits for approval elsewhere.
 */
export function decisionsFor(run: Decidable): RunDecision[] {
  if (run.state !== 'held') return []
  if (run.decision !== null) return ['cancel']
  const objections = objectionsTo(run)
  const isUncertain = objections.some(({ check }) => UNCERTAIN.includes(check))
  const isObjected = objections.length > 0
  // Nobody releases what was not computed twice to the same.
  if (isUncertain) return ['cancel']
  if (isObjected) return ['release', 'cancel']
  return isShort(run) ? ['prorate', 'cancel'] : ['cancel']
}

interface Progress {
  done: number
  total: number
  /** From 0 to 1. */
  share: number
  /** Null while it is not known. */
  perSecond: number | null
  left: { unit: 'seconds' | 'minutes' | 'hours'; count: number } | null
}

/** How far a stage that counts has come; null in the stages between, and before anything is known. */
export function progressOf({ state, progress }: Pick<PayoutRun, 'state' | 'progress'>): Progress | null {
  const { total, per_second } = progress
  if (!COUNTED.includes(state) || total <= 0) return null
  const done = Math.min(Math.max(progress.done, 0), total)
  const perSecond = per_second > 0 ? per_second : null
  const seconds = perSecond === null || done === total ? null : Math.ceil((total - done) / perSecond)
  return { done, total, share: done / total, perSecond, left: seconds === null ? null : leftOf(seconds) }
}

function leftOf(seconds: number): NonNullable<Progress['left']> {
  if (seconds < 90) return { unit: 'seconds', count: seconds }
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90
    ? { unit: 'minutes', count: minutes }
    : { unit: 'hours', count: Math.ceil(minutes / 60) }
}

/** What a pro rata release would pay of a run; null where the figures cannot say. */
export function prorataOf(run: Pick<PayoutRun, 'payable' | 'missing'>) {
  const total = parseMicro(run.payable)
  const missing = parseMicro(run.missing)
  if (total === null || missing === null || total === 0n || missing > total) return null
  const paid = micro(total - missing)
  /** Percent of its amount that each payment gets, truncated to two decimals. */
  const percent = ratioToPercentText(ratio(paid, total), 2)
  // The rest is not paid, now or later.
  return { paid, total, rest: missing, percent }
}

/** "208-211", the numbers of a direct run's investments; null where the period is a day. */
export function investmentsOf(period: string): { first: string; last: string } | null {
  const match = /^(\d+)(?:-(\d+))?$/.exec(period)
  const first = match?.[1]
  return first === undefined ? null : { first, last: match?.[2] ?? first }
}

/** "412,000 of 1,000,000 · 85,000/s · about 7 s left" */
export function progressWords(
  { done, total, perSecond, left }: Progress,
  t: TFunction<'console/payout-runs'>,
  formats: Pick<Formats, 'count'>,
): string {
  const words = [t('progress.of', { done: formats.count(done), total: formats.count(total) })]
  if (perSecond !== null) words.push(t('progress.rate', { rate: formats.count(perSecond) }))
  if (left !== null) words.push(t(`progress.${left.unit}`, { time: formats.count(left.count) }))
  return words.join(' · ')
}

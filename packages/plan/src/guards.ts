import { applyRatio, type Micro, percent, type Ratio, ratio, ratioToPercentText } from '@aval/money'
import { exceedsPlan } from './passive.ts'
import type { Plan } from './plan.ts'

/** What a sealed run comes to, and what it is held against. */
export interface SealedRun {
  readonly sum: Micro
  /** The most that any one member gets. */
  readonly largest: Micro
  /** Of a passive run: what the day pays. */
  readonly rate: Ratio | null
  readonly comparison: Comparison | null
}

/** A run beside what was paid before; null where nothing was, or nothing compares. */
export interface Comparison {
  /** Of a daily run: its sum under the plan's own rate. Of a direct run: its sum. */
  readonly now: Micro
  /** Of a daily run: the same of the run before it. Of a direct run: its sum at the rate of the runs before it. */
  readonly before: Micro
  /** Of a direct run alone, which is compared by its rate: what was invested in it. */
  readonly invested?: Micro
}

export type Objection =
  | { readonly check: 'rate_above_plan'; readonly rate: string }
  | { readonly check: 'change_too_large'; readonly now: Micro; readonly before: Micro }
  /** In percent of what was invested. */
  | { readonly check: 'direct_rate_changed'; readonly now: string; readonly before: string }
  | { readonly check: 'member_above_cap'; readonly largest: Micro; readonly limit: Micro }
  | { readonly check: 'run_above_cap'; readonly limit: Micro }

/**
 * Whether a run is too far off what was paid before; a fall to nothing is. Where both are below the plan's floor nothing is
 * said: a single investment, or a single match, makes all the difference there, and every second run would be held.
 */
function changedTooMuch(plan: Plan, { now, before }: Comparison): boolean {
  const { changeFrom, changePercent } = plan.guards
  if (now < changeFrom && before < changeFrom) return false
  const difference = now > before ? now - before : before - now
  return difference > applyRatio(before, percent(changePercent))
}

function changeOf({ now, before, invested }: Comparison): Objection {
  if (invested === undefined) return { check: 'change_too_large', now, before }
  const rateOf = (paid: Micro) => ratioToPercentText(ratio(paid, invested), 2)
  return { check: 'direct_rate_changed', now: rateOf(now), before: rateOf(before) }
}

/**
 * Why a run must not be released without an operator's word; empty when nothing speaks against it. Whether its pool covers
 * it is the ledger's to say.
 */
export function objections(plan: Plan, run: SealedRun): Objection[] {
  const found: Objection[] = []
  const { memberMost, runMost } = plan.guards
  if (run.rate !== null && exceedsPlan(plan, run.rate))
    found.push({ check: 'rate_above_plan', rate: ratioToPercentText(run.rate, 6) })
  if (run.comparison !== null && changedTooMuch(plan, run.comparison)) found.push(changeOf(run.comparison))
  if (run.largest > memberMost)
    found.push({ check: 'member_above_cap', largest: run.largest, limit: memberMost })
  if (run.sum > runMost) found.push({ check: 'run_above_cap', limit: runMost })
  return found
}

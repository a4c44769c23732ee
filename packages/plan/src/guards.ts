import { applyRatio, type Micro, percent, type Ratio, ratioToPercentText } from '@aval/money'
import { exceedsPlan } from './passive.ts'
import type { Plan } from './plan.ts'

/** What a sealed run comes to, and what it is held against. */
export interface SealedRun {
  readonly sum: Micro
  /** The most that any one member gets. */
  readonly largest: Micro
  /** Of a passive run: what the day pays. */
  readonly rate: Ratio | null
  /** What this run and the one before it of the same kind come to under the plan's own rate; null where nothing compares. */
  readonly comparison: { readonly now: Micro; readonly before: Micro } | null
}

export type Objection =
  | { readonly check: 'rate_above_plan'; readonly rate: string }
  | { readonly check: 'change_too_large'; readonly now: Micro; readonly before: Micro }
  | { readonly check: 'member_above_cap'; readonly largest: Micro; readonly limit: Micro }
  | { readonly check: 'run_above_cap'; readonly limit: Micro }

function changedTooMuch(plan: Plan, sum: Micro, before: Micro): boolean {
  const { changeFrom, changePercent } = plan.guards
  if (sum < changeFrom && before < changeFrom) return false
  const difference = sum > before ? sum - before : before - sum
  return difference > applyRatio(before, percent(changePercent))
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
  if (run.comparison !== null && changedTooMuch(plan, run.comparison.now, run.comparison.before))
    found.push({ check: 'change_too_large', ...run.comparison })
  if (run.largest > memberMost)
    found.push({ check: 'member_above_cap', largest: run.largest, limit: memberMost })
  if (run.sum > runMost) found.push({ check: 'run_above_cap', limit: runMost })
  return found
}

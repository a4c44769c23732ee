import type { Db, Tx } from '@aval/db'
import { companyDayAt, DEFAULT_PLAN, isDay, isPlanContradiction, parsePlan } from '@aval/plan'
import { z } from 'zod'
import { Refusal, type RefusalReason } from '../../core/refusal.ts'
import { propose } from '../decisions/decisions.commands.ts'
import { plansOf } from './plan-versions.queries.ts'
import { insertFirstPlan } from './plan-versions.sql.ts'

/** The default plan as version 1, in force since ever, where there is no plan. Later ones are decisions that operators sign. */
export function ensureFirstPlan(db: Db): Promise<void> {
  parsePlan(DEFAULT_PLAN)
  return insertFirstPlan(db, JSON.stringify(DEFAULT_PLAN))
}

/** More than that tells nobody anything. */
const MOST_REASONS = 20
const LONGEST_NAME = 80

/** What an issue says, field by field; its message is the name of a contradiction, or the shape is wrong. */
function reasonsOf(issue: z.core.$ZodIssue): RefusalReason[] {
  const names = issue.path.map(String)
  const at = (path: readonly string[]) => path.join('.').slice(0, LONGEST_NAME)
  if (issue.code === 'custom' && isPlanContradiction(issue.message))
    return [{ path: at(['document', ...names]), key: `plan_${issue.message}`, params: {} }]
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, MOST_REASONS) : null
  const fields = unknown === null ? [names] : unknown.map((name) => [...names, name])
  return fields.map((field) => ({
    path: at(['document', ...field]),
    key: 'plan_field_invalid',
    params: { field: at(field) },
  }))
}

/** @throws Refusal with everything that is wrong with a document */
export function checkedPlan(document: unknown): void {
  try {
    parsePlan(document)
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    const reasons = error.issues.slice(0, MOST_REASONS).flatMap(reasonsOf)
    // A number can be wrong in two ways at once.
    const once = new Map(reasons.map((reason) => [`${reason.path} ${reason.key}`, reason]))
    throw new Refusal('plan_refused', {}, [...once.values()].slice(0, MOST_REASONS))
  }
}

/**
 * Proposes the plan that replaces the present one from the first instant of a company's day on. It gets its
 * version when operators have approved it.
 *
 * @throws Refusal before tomorrow, with everything that is wrong with the document, or when one for that day waits already.
 */
export async function proposePlan(
  tx: Tx,
  proposed: { startsOn: string; document: unknown; operatorId: bigint; now: Date },
): Promise<bigint> {
  const { startsOn, document, operatorId, now } = proposed
  if (!isDay(startsOn)) throw new Refusal('dates_invalid')
  if (startsOn <= companyDayAt(now, await plansOf(tx))) throw new Refusal('plan_starts_too_soon')
  checkedPlan(document)
  const about = { kind: 'plan', subject: `plan:${startsOn}`, given: { starts_on: startsOn } } as const
  return propose(tx, { ...about, document: JSON.stringify(document), operatorId, now })
}

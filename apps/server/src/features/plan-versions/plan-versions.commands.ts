import type { Db, Tx } from '@aval/db'
import {
  DEFAULT_PLAN,
  dayAt,
  dayStart,
  isDay,
  isPlanContradiction,
  type PlanDocument,
  parsePlan,
} from '@aval/plan'
import { z } from 'zod'
import { Refusal, type RefusalReason } from '../../core/refusal.ts'
import { planAt } from './plan-versions.queries.ts'
import { drawVersion, insertPlan } from './plan-versions.sql.ts'

/** Stores a plan under its version, once; the document is checked first. */
export async function storePlan(db: Db, version: number, startsAt: Date, document: PlanDocument) {
  parsePlan(document)
  await insertPlan(db, { version, starts_at: startsAt, document: JSON.stringify(document) })
}

/** The default plan as version 1, in force since ever. */
export function ensureFirstPlan(db: Db): Promise<void> {
  return storePlan(db, 1, new Date(0), DEFAULT_PLAN)
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

function checkedPlan(document: unknown): void {
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
 * Stores the plan that replaces the present one from a day on: from its first instant, in the present plan's time zone.
 * Answers its version.
 *
 * @throws Refusal before tomorrow, or with everything that is wrong with the document.
 */
export async function replacePlan(
  tx: Tx,
  replacement: { readonly startsOn: string; readonly document: unknown; readonly now: Date },
): Promise<number> {
  const { startsOn, document, now } = replacement
  const { plan: present } = await planAt(tx, now)
  if (!isDay(startsOn)) throw new Refusal('dates_invalid')
  if (startsOn <= dayAt(now, present.timeZone)) throw new Refusal('plan_starts_too_soon')
  checkedPlan(document)
  const version = await drawVersion(tx)
  const starts_at = dayStart(startsOn, present.timeZone)
  await insertPlan(tx, { version, starts_at, document: JSON.stringify(document) })
  return version
}

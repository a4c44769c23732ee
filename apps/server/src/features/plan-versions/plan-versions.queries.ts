/** The versions of the plan document, and the one in force at an instant. */
import { type Db, prepared } from '@aval/db'
import { companyDayStart, type Day, dayStart, type Plan, parsePlan, type ZoneFrom } from '@aval/plan'
import { completeDocument } from './plan-versions.rules.ts'

export interface VersionedPlan {
  readonly version: number
  readonly plan: Plan
}

/** A stored version never changes, so it is parsed once, and the last that many stay parsed. */
const MOST_PARSED = 64
const parsed = new Map<string, Plan>()

function parseOnce(version: number, document: unknown): VersionedPlan {
  const key = `${version}:${JSON.stringify(document)}`
  const plan = parsed.get(key) ?? parsePlan(document)
  // Least recently used first; the first leaves.
  parsed.delete(key)
  parsed.set(key, plan)
  const [longest] = parsed.keys()
  if (parsed.size > MOST_PARSED && longest !== undefined) parsed.delete(longest)
  return { version, plan }
}

function selectPlanAt(db: Db, at: Date) {
  return db
    .selectFrom('plan_version')
    .modifyFront(prepared)
    .select(['version', 'document'])
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .orderBy('version', 'desc')
    .executeTakeFirst()
}

/** The plan in force at an instant. @throws when the installation has none yet. */
export async function planAt(db: Db, at: Date): Promise<VersionedPlan> {
  const row = await selectPlanAt(db, at)
  if (row === undefined) throw new Error('no plan is in force')
  return parseOnce(row.version, row.document)
}

/** A plan from its start on. */
interface PlanFrom extends VersionedPlan, ZoneFrom {}

/** Every plan from its start on, those to come included; oldest first. */
export async function plansOf(db: Db): Promise<PlanFrom[]> {
  const rows = await db
    .selectFrom('plan_version')
    .modifyFront(prepared)
    .select(['version', 'starts_at', 'document'])
    .orderBy('starts_at')
    .orderBy('version')
    .execute()
  return rows.map(({ version, starts_at: from, document }) => {
    const parsed = parseOnce(version, document)
    return { ...parsed, from, timeZone: parsed.plan.timeZone }
  })
}

/** The one of them that is in force at an instant. @throws when none is */
export function inForce(plans: readonly PlanFrom[], at: Date): VersionedPlan {
  const found = plans.findLast(({ from }) => from <= at)
  if (found === undefined) throw new Error('no plan is in force')
  return found
}

/** The plan of a day: the one in force at its first instant. @throws before the first */
export async function planOfDay(db: Db, day: Day): Promise<VersionedPlan> {
  const plans = await plansOf(db)
  return inForce(plans, companyDayStart(day, plans))
}

/** Whether any plan is in force on a day. */
export async function isPlanned(db: Db, day: Day): Promise<boolean> {
  const [first] = await plansOf(db)
  return first !== undefined && dayStart(day, first.timeZone) >= first.from
}

/** The company's time zone, in which its days turn; UTC before there is a plan. */
export async function timeZoneAt(db: Db, at: Date): Promise<string> {
  const row = await selectPlanAt(db, at)
  return row === undefined ? 'UTC' : parseOnce(row.version, row.document).plan.timeZone
}

export async function planOfVersion(db: Db, version: number): Promise<VersionedPlan> {
  const row = await db
    .selectFrom('plan_version')
    .select(['version', 'document'])
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return parseOnce(row.version, row.document)
}

interface StoredVersion {
  readonly version: number
  readonly startsAt: Date
  readonly isCurrent: boolean
  /** As its author wrote it, and complete. */
  readonly document: Record<string, unknown>
}

/** More versions than a company writes in its life. */
const MOST_VERSIONS = 500

/** Every version there is, newest first. */
export async function listPlans(db: Db, now: Date): Promise<StoredVersion[]> {
  const versions = db
    .selectFrom('plan_version')
    .select(['version', 'starts_at', 'document'])
    .orderBy('version', 'desc')
    .limit(MOST_VERSIONS)
  const [rows, current] = await Promise.all([versions.execute(), planAt(db, now)])
  return rows.map(({ version, starts_at, document }) => ({
    version,
    startsAt: starts_at,
    isCurrent: version === current.version,
    document: completeDocument(document, parseOnce(version, document).plan),
  }))
}

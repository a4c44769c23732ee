/** The versions of the plan document, and the one in force at an instant. */
import { type Db, prepared } from '@aval/db'
import { type Plan, parsePlan } from '@aval/plan'
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

/** Whether any plan is in force at an instant. */
export async function isPlanned(db: Db, at: Date): Promise<boolean> {
  return (await selectPlanAt(db, at)) !== undefined
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

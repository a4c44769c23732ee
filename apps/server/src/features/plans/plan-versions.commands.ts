import type { Db } from '@aval/db'
import { DEFAULT_PLAN, type Plan, type PlanDocument, parsePlan } from '@aval/plan'
import { insertPlan, selectPlanAt, selectPlanVersion } from './plans.sql.ts'

export interface VersionedPlan {
  readonly version: number
  readonly plan: Plan
}

/** Parsed plans by version: a stored version never changes, so it is parsed once. Bounded by how many versions exist. */
const parsed = new Map<string, Plan>()

function parseOnce(version: number, document: unknown): VersionedPlan {
  const key = `${version}:${JSON.stringify(document)}`
  const plan = parsed.get(key) ?? parsePlan(document)
  parsed.set(key, plan)
  return { version, plan }
}

/** The plan in force at an instant. @throws when the installation has none yet. */
export async function planAt(db: Db, at: Date): Promise<VersionedPlan> {
  const row = await selectPlanAt(db, at)
  if (row === undefined) throw new Error('no plan is in force')
  return parseOnce(row.version, row.document)
}

export async function planOfVersion(db: Db, version: number): Promise<VersionedPlan> {
  const row = await selectPlanVersion(db, version)
  return parseOnce(row.version, row.document)
}

/** Stores a plan under its version, once; the document is checked first. */
export async function storePlan(
  db: Db,
  version: number,
  startsAt: Date,
  document: PlanDocument,
): Promise<void> {
  parsePlan(document)
  await insertPlan(db, { version, starts_at: startsAt, document: JSON.stringify(document) })
}

/** The default plan as version 1, in force since ever. */
export function ensureFirstPlan(db: Db): Promise<void> {
  return storePlan(db, 1, new Date(0), DEFAULT_PLAN)
}

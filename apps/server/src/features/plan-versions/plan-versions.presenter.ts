import type { PlanVersion } from '@aval/contract'
import type { StoredVersion } from './plan-versions.queries.ts'

/** A row of GET operator/plans/. */
export function presentVersion({ version, startsAt, isCurrent, document }: StoredVersion): PlanVersion {
  return { version, starts_at: startsAt.toISOString(), current: isCurrent, document }
}

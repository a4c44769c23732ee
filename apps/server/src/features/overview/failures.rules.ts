import type { FailureName } from '@aval/contract'

export interface Seen {
  /** When the gateway read the chain last. */
  readonly readAt: Date | null
  readonly lag: bigint | null
  /** Until when a gateway leads; null where none does. */
  readonly leadsUntil: Date | null
  readonly reserves: { readonly at: string; readonly verdict: string } | null
  readonly integrity: { readonly at: string; readonly differences: number } | null
}

/** The limits are those of the alerts in `deploy/prometheus/aval.rules.yml`. */
const SILENT_MS = 180_000
const NO_LEADER_MS = 60_000
const BLOCKS_BEHIND = 100n
const RESERVES_MS = 900_000
const INTEGRITY_MS = 1_800_000

interface Failure {
  readonly what: FailureName
  readonly since: Date | null
  readonly detail: string
}

/** What the tables say does not work. @param now system time, by which gateway and jobs write */
export function seenFailures({ readAt, lag, leadsUntil, reserves, integrity }: Seen, now: Date): Failure[] {
  const failures: Failure[] = []
  const note = (what: FailureName, since: Date | null, detail = '') => failures.push({ what, since, detail })
  const isOlder = (at: Date | null, ms: number) => at === null || now.getTime() - at.getTime() > ms
  const [checkedAt, comparedAt] = [reserves, integrity].map((check) => (check ? new Date(check.at) : null))
  if (isOlder(readAt, SILENT_MS)) note('gateway_silent', readAt)
  else if (isOlder(leadsUntil, NO_LEADER_MS)) note('gateway_none', leadsUntil)
  if (lag !== null && lag > BLOCKS_BEHIND) note('chain_behind', null, String(lag))
  if (isOlder(checkedAt ?? null, RESERVES_MS)) note('reserves_unchecked', checkedAt ?? null)
  else if (reserves?.verdict === 'unexplained') note('reserves_differ', checkedAt ?? null)
  if (isOlder(comparedAt ?? null, INTEGRITY_MS)) note('database_unchecked', comparedAt ?? null)
  else if ((integrity?.differences ?? 0) > 0)
    note('database_changed', comparedAt ?? null, String(integrity?.differences))
  return failures
}

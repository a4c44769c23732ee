import type { FailureName } from '@aval/contract'

export interface Seen {
  /** When the gateway read the chain last. */
  readonly readAt: Date | null
  readonly lag: bigint | null
  /** Until when a gateway leads; null where none does. */
  readonly leadsUntil: Date | null
  readonly reserves: { readonly at: string; readonly verdict: string } | null
  readonly integrity: { readonly at: string; readonly differences: number } | null
  /** The nodes that are not asked, as the gateway found them. */
  readonly nodes: readonly { readonly name: string; readonly state: string; readonly since: string }[]
  /** Addresses whose last transfer ran out of energy. */
  readonly exhausted: number
}

const OF_NODE: Readonly<Record<string, FailureName>> = {
  other_network: 'node_other_network',
  key_refused: 'node_key_refused',
  rate_limited: 'node_limited',
  over_budget: 'node_limited',
}
/** That a node wants to be left alone for a moment is no failure. */
const LIMITED_MS = 120_000

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
export function seenFailures(seen: Seen, now: Date): Failure[] {
  const { readAt, lag, leadsUntil, reserves, integrity, nodes, exhausted } = seen
  const failures: Failure[] = []
  const note = (what: FailureName, since: Date | null, detail = '') => failures.push({ what, since, detail })
  const isOlder = (at: Date | null, ms: number) => at === null || now.getTime() - at.getTime() > ms
  const [checkedAt, comparedAt] = [reserves, integrity].map((check) => (check ? new Date(check.at) : null))
  for (const { name, state, since } of nodes) {
    const what = OF_NODE[state]
    const at = new Date(since)
    if (what === undefined || (what === 'node_limited' && !isOlder(at, LIMITED_MS))) continue
    note(what, at, name)
  }
  if (exhausted > 0) note('out_of_energy', null, String(exhausted))
  // A gateway that leads and says why it does not read is not silent.
  const isToldWhy = nodes.length > 0 && !isOlder(leadsUntil, NO_LEADER_MS)
  if (isOlder(readAt, SILENT_MS) && !isToldWhy) note('gateway_silent', readAt)
  else if (isOlder(leadsUntil, NO_LEADER_MS)) note('gateway_none', leadsUntil)
  if (lag !== null && lag > BLOCKS_BEHIND) note('chain_behind', null, String(lag))
  if (isOlder(checkedAt ?? null, RESERVES_MS)) note('reserves_unchecked', checkedAt ?? null)
  else if (reserves?.verdict === 'unexplained') note('reserves_differ', checkedAt ?? null)
  if (isOlder(comparedAt ?? null, INTEGRITY_MS)) note('database_unchecked', comparedAt ?? null)
  else if ((integrity?.differences ?? 0) > 0)
    note('database_changed', comparedAt ?? null, String(integrity?.differences))
  return failures
}

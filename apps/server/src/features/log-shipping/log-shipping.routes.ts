import type { FeatureRoutes } from '../../http/api.ts'
import { measureFigures } from '../../http/metrics.ts'
import { readLogShipping } from './log-shipping.queries.ts'
import { type Followed, follow } from './log-shipping.rules.ts'

const SHIPPED = {
  name: 'aval_log_shipped_timestamp_seconds',
  help: "Until when what was committed is in the archive, or with those who receive the database's log. Absent where nobody does.",
  label: 'to',
}

/** It has metrics only: a backup that falls behind changes nothing for anybody until it is needed. */
export const logShippingMetrics: FeatureRoutes = (api, { db }) => {
  let followed: Readonly<Record<string, Followed>> = {}
  measureFigures(api, [SHIPPED], async () => {
    const { place, archived, receivers } = await readLogShipping(db)
    const now = { at: new Date(), place }
    followed = Object.fromEntries(
      Object.entries(receivers).map(([name, kept]) => [
        name,
        follow(followed[name] ?? null, now, kept === null ? null : BigInt(kept)),
      ]),
    )
    const until = Object.entries(followed).map(([name, each]) => [name, each.until] as const)
    const all = archived === null ? until : [...until, ['archive', archived] as const]
    return { [SHIPPED.name]: Object.fromEntries(all.map(([name, at]) => [name, at.getTime() / 1000])) }
  })
}

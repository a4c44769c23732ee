/** What has to work by itself and does not, from what gateway, signer and jobs leave in the tables. */
import type { FailureName } from '@aval/contract'
import type { Db } from '@aval/db'
import { query, queryOne } from '../../core/query.sql.ts'
import { ADDRESSES_OUT_OF_ENERGY } from '../reserves/reserves.queries.ts'
import { type Seen, seenFailures } from './failures.rules.ts'

export interface Failing {
  readonly what: FailureName
  readonly since: Date | null
  readonly detail: string
}

interface DelayRow {
  readonly code: string
  readonly detail: string
  readonly since: Date
}

/** What delays all withdrawals stands once, under (0, 0); what delays one is its own. */
const ALL_OF_THEM = ['chain_unhealthy', 'signer_away', 'signer_cap', 'hot_trx', 'hot_usdt'] as const

export async function findFailing(db: Db, now: Date): Promise<Failing[]> {
  const [seen, delays] = await Promise.all([
    queryOne<Seen>(db)`
      SELECT (SELECT max(seen_at) FROM chain_cursor) AS "readAt", (SELECT max(solid_block - scanned_block) FROM chain_cursor) AS lag,
        (SELECT CASE WHEN isfinite(until) THEN until END FROM gateway_lease) AS "leadsUntil",
        (SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'state', state, 'since', since) ORDER BY place), '[]')
          FROM gateway_node WHERE state NOT IN ('ok', 'away')) AS nodes, ${ADDRESSES_OUT_OF_ENERGY} AS exhausted,
        (SELECT jsonb_build_object('at', at, 'verdict', verdict) FROM reserve_check ORDER BY id DESC LIMIT 1) AS reserves,
        (SELECT jsonb_build_object('at', confirmed_at, 'differences', cardinality(differences)) FROM integrity_check ORDER BY id DESC LIMIT 1) AS integrity`,
    query<DelayRow>(
      db,
    )`SELECT code, detail, since FROM withdrawal_delay WHERE member_id = 0 AND withdrawal_id = 0`,
  ])
  const delaying = delays.flatMap(({ code, detail, since }) => {
    const what = ALL_OF_THEM.find((name) => name === code)
    return what === undefined ? [] : [{ what, since, detail }]
  })
  return [...seenFailures(seen, now), ...delaying]
}

/** Which network this installation is of, and how its nodes were found. */
import { type Db, inTransaction } from '@aval/db'
import { GENESIS_BLOCKS, type TronAddress } from '@aval/tron'
import { sql } from 'kysely'
import type { Standing } from './network.rules.ts'

/** A public network's first block is known; another one is the first that was met. */
export function ownNetwork(db: Db, name: string, token: TronAddress) {
  const known = new Map<string, string>(Object.entries(GENESIS_BLOCKS)).get(name)
  const pinned = async () => {
    const of = db.selectFrom('chain_genesis').select('block_id').where('network', '=', name)
    return (await of.executeTakeFirst())?.block_id ?? null
  }
  return {
    name,
    token,
    genesis: async () => known ?? pinned(),
    async pin(met: string): Promise<string> {
      const row = { network: name, block_id: met }
      await db
        .insertInto('chain_genesis')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return (await pinned()) ?? met
    },
  }
}

/** What was asked of the nodes on their last day, in their order. */
export async function findCalls(
  db: Db,
): Promise<{ place: number; name: string; day: string; calls: bigint }[]> {
  const day = sql<string>`day::text`.as('day')
  return db.selectFrom('gateway_node').select(['place', 'name', day, 'calls']).execute()
}

export async function saveStandings(db: Db, standings: readonly Standing[], at: Date): Promise<void> {
  const rows = standings.map(({ day, calls, callsPerDay, ...standing }, place) => ({
    ...standing,
    place,
    day: sql<Date>`${day}::date`,
    calls: BigInt(calls),
    calls_per_day: callsPerDay === null ? null : BigInt(callsPerDay),
    seen_at: at,
  }))
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('gateway_node').execute()
    await tx.insertInto('gateway_node').values(rows).execute()
  })
}

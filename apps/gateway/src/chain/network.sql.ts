/** Which network this installation is of, and how its nodes were found. */
import type { Db } from '@aval/db'
import { GENESIS_BLOCKS, type TronAddress } from '@aval/tron'
import { sql } from 'kysely'
import type { Guard, OwnNetwork } from './guard.ts'

/** A public network's first block is known; another one is the first that was met. */
export function ownNetwork(db: Db, name: string, token: TronAddress): OwnNetwork {
  const known = new Map<string, string>(Object.entries(GENESIS_BLOCKS)).get(name)
  const pinned = async () => {
    const of = db.selectFrom('chain_genesis').select('block_id').where('network', '=', name)
    return (await of.executeTakeFirst())?.block_id ?? null
  }
  return {
    name,
    token,
    genesis: async () => known ?? pinned(),
    async pin(met) {
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

/** What was asked of the nodes today before this process. */
export async function resumeCalls(db: Db, guards: readonly Guard[]): Promise<void> {
  const rows = await db
    .selectFrom('gateway_node')
    .select(['place', 'name', sql<string>`day::text`.as('day'), 'calls'])
    .execute()
  for (const { place, name, day, calls } of rows) {
    const guard = guards[place]
    if (guard?.standing().name === name) guard.resume(day, Number(calls))
  }
}

export async function saveStandings(db: Db, guards: readonly Guard[], at: Date): Promise<void> {
  const standings = guards.map((guard) => guard.standing())
  await sql`DELETE FROM gateway_node WHERE place >= ${standings.length}`.execute(db)
  for (const [place, { name, state, detail, since, day, calls, callsPerDay }] of standings.entries()) {
    const row = {
      name,
      state,
      detail,
      since,
      day: sql<Date>`${day}::date`,
      calls: BigInt(calls),
      seen_at: at,
    }
    const values = { ...row, calls_per_day: callsPerDay === null ? null : BigInt(callsPerDay) }
    await db
      .insertInto('gateway_node')
      .values({ place, ...values })
      .onConflict((conflict) => conflict.column('place').doUpdateSet(values))
      .execute()
  }
}

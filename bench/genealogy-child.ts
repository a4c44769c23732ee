/** The process of the API whose calls are measured: as the product runs it, with nothing else in its memory. */
import { type Connection, connect, inTransaction } from '@aval/db'
import { z } from 'zod'
import { openSession } from '../apps/server/src/features/identity/sessions/sessions.commands.ts'
import { features, parts } from '../apps/server/src/features.ts'
import { buildServer } from '../apps/server/src/http/server.ts'
import { testConfig } from '../apps/server/src/testing/server.ts'
import { answerParent } from './children.ts'
import { NOW } from './dates.ts'
import { selectLeader, selectMostReferrals } from './genealogy.sql.ts'
import { type Asker, type Askers, callsOf, measureCalls } from './genealogy-calls.ts'
import { type Chance, chanceFrom } from './random.ts'
import type { Spread } from './timing.ts'

const callsRequest = z.object({ serverUrl: z.string(), members: z.int(), seed: z.int() })
export type CallsRequest = z.infer<typeof callsRequest>

/** As many connections as the API has. */
const CONNECTIONS = 10
const TYPICAL = 200

async function signIn(server: Connection, memberId: number): Promise<Asker> {
  const context = { db: server.db, config: testConfig('postgres://nobody@127.0.0.1/none') }
  const { access } = await inTransaction(server.db, (tx) =>
    openSession(
      { ...context, clock: { now: async () => NOW } },
      tx,
      { memberId: BigInt(memberId), userAgent: 'bench' },
      new Date(),
    ),
  )
  return { memberId, authorization: `Bearer ${access}` }
}

async function askersOf(server: Connection, members: number, chance: Chance): Promise<Askers> {
  const typical: Asker[] = []
  for (let count = 0; count < TYPICAL; count += 1)
    typical.push(await signIn(server, 1 + chance.below(members)))
  return {
    root: await signIn(server, 1),
    leader: await signIn(server, await selectLeader(server.pool)),
    typical,
  }
}

async function handle(message: unknown): Promise<Map<string, Spread>> {
  const { serverUrl, members, seed } = callsRequest.parse(message)
  const server = connect(serverUrl, CONNECTIONS, 'aval-api')
  const config = testConfig(serverUrl)
  const api = await buildServer({ db: server.db, config, clock: { now: async () => NOW } }, features, parts)
  try {
    await api.ready()
    const chance = chanceFrom(seed)
    const star = await selectMostReferrals(server.pool)
    return await measureCalls(
      api,
      callsOf(await askersOf(server, members, chance), { members, star }, chance),
    )
  } finally {
    await api.close()
    await server.close()
  }
}

answerParent(handle)

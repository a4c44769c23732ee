/** Makes, loads and endows a network, in a process of its own: the payer's memory is not to be the generator's. */
import pg from 'pg'
import { z } from 'zod'
import { answerParent } from './children.ts'
import { ENDOWED_AT, LOAD_DATES, PAID } from './dates.ts'
import { markHistoryPaid } from './day.sql.ts'
import { endow } from './endow.ts'
import { loadNetwork } from './load.ts'
import { peakRssOfChildMb } from './memory.ts'
import { generateNetwork, SHAPES } from './network.ts'

const wanted = z.object({
  ownerUrl: z.string(),
  serverUrl: z.string(),
  gatewayUrl: z.string(),
  members: z.int(),
  shape: z.enum(SHAPES),
  seed: z.int(),
  thin: z.boolean(),
})

async function load(request: unknown) {
  const { members, shape, seed, ...options } = wanted.parse(request)
  const network = generateNetwork(members, shape, seed)
  const loaded = await loadNetwork({ ...options, network, dates: LOAD_DATES, tell: console.log })
  await endow(options, loaded.invested, ENDOWED_AT)
  const owner = new pg.Client({ connectionString: options.ownerUrl })
  await owner.connect()
  await markHistoryPaid(owner, PAID, loaded.earlier).finally(() => owner.end())
  return { ...loaded, peakRssMb: peakRssOfChildMb() }
}

answerParent(load)

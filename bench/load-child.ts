/** Prepares a network in a process of its own: the payer's memory is not to be the generator's. */
import { z } from 'zod'
import { peakRssOfChildMb } from './measures.ts'
import { generateNetwork, SHAPES } from './network.ts'
import { prepareNetwork } from './prepare-network.ts'
import { answerParent } from './processes.ts'

const wanted = z.object({
  ownerUrl: z.string(),
  serverUrl: z.string(),
  gatewayUrl: z.string(),
  members: z.int(),
  shape: z.enum(SHAPES),
  seed: z.int(),
  thin: z.boolean(),
  history: z.enum(['marked', 'paid']),
})

async function load(request: unknown) {
  const { members, shape, seed, ...options } = wanted.parse(request)
  const network = generateNetwork(members, shape, seed)
  const loaded = await prepareNetwork({ ...options, network, tell: console.log })
  return { ...loaded, peakRssMb: await peakRssOfChildMb() }
}

answerParent(load)

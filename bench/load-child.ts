/** Prepares a network in a process of its own: the payer's memory is not to be the generator's. */
import { z } from 'zod'
import { answerParent } from './children.ts'
import { peakRssOfChildMb } from './memory.ts'
import { SHAPES } from './network.ts'
import { prepareNetwork } from './prepare-network.ts'

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
  const loaded = await prepareNetwork({ ...wanted.parse(request), tell: console.log })
  return { ...loaded, peakRssMb: peakRssOfChildMb() }
}

answerParent(load)

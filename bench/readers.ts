/**
 * What members feel of a payout day: dashboards read and deposits credited while it is paid, against the same with
 * nothing else going on. All of it from another process, which waits for the database and not for the payer's event loop.
 */
import { z } from 'zod'
import type { Cluster } from './cluster.ts'
import { startChild } from './processes.ts'

const spread = z.object({ count: z.number(), p50: z.number(), p99: z.number(), slowest: z.number() })
const readings = z.object({
  reads: spread,
  deposits: spread,
  /** Reads that were not even begun, because too many waited. */
  skipped: z.number(),
  /** What failed, in the words of the first. */
  failed: z.number(),
  firstFailure: z.string().nullable(),
})
export type Readings = z.output<typeof readings>

export type Felt = Awaited<ReturnType<typeof measureReaders>>

/**
 * @param at business time @param pay the work during which members look; it has to begin when called
 */
export async function measureReaders(
  cluster: Cluster,
  network: { readonly members: number; readonly seed: number },
  at: Date,
  pay: () => Promise<unknown>,
) {
  const child = startChild('readers-child.ts')
  try {
    const { serverUrl, gatewayUrl } = cluster
    await child.ask({ ask: 'open', serverUrl, gatewayUrl, ...network, at })
    const idle = readings.parse(await child.ask({ ask: 'idle' }))
    await child.ask({ ask: 'begin' })
    await pay()
    const paying = readings.parse(await child.ask({ ask: 'finish' }))
    const ratio = { p50: paying.reads.p50 / idle.reads.p50, p99: paying.reads.p99 / idle.reads.p99 }
    return { idle, paying, ratio, childRssMb: z.number().parse(await child.ask({ ask: 'memory' })) }
  } finally {
    await child.end()
  }
}

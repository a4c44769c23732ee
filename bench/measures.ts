/** Wall time, what is said about many of it, and memory. */
import { readFileSync } from 'node:fs'

export const msSince = (begun: number): number => performance.now() - begun

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return msSince(begun)
}

export interface Spread {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly slowest: number
}

/** Of nothing, all zeros. Quantiles are measured values (nearest rank), nothing between two of them. */
export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((left, right) => left - right)
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  return { count: sorted.length, p50: rank(0.5), p99: rank(0.99), slowest: rank(1) }
}

/** To the tenth: what JSON carries and people read. */
export const tenth = (value: number): number => Math.round(value * 10) / 10

const MB = 1024

/** Of this process since it was started, in MB. */
export function peakRssMb(): number {
  return Math.round(process.resourceUsage().maxRSS / MB)
}

/**
 * Of this process, where it is a child. On Linux `maxRSS` of a child begins with what its parent held when it was forked
 * (exec keeps it), so the kernel is asked for the peak of this program alone.
 */
export function peakRssOfChildMb(): number {
  if (process.platform !== 'linux') return peakRssMb()
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return peak === undefined ? peakRssMb() : Math.round(Number.parseInt(peak, 10) / MB)
}

/** How often a member may read. The counts live in this process: another one has its own, and a restart forgets them. */
import type { Limit } from '../core/limits.ts'
import { Refusal } from '../core/refusal.ts'

interface Bucket {
  /** Reads that are left at `at`, in milliseconds of the epoch. */
  left: number
  at: number
}

/** Members whose bucket is looked at before those that are full again are thrown away. */
const SWEEP_ABOVE = 10_000

/**
 * A bucket of reads for each member. It is full at first, and fills again evenly.
 * @returns takes a read @throws Refusal `too_many_requests` with the seconds to wait
 */
export function createReadLimit({ points, seconds }: Limit) {
  const buckets = new Map<bigint, Bucket>()
  const perMillisecond = points / (seconds * 1000)
  const filled = ({ left, at }: Bucket, now: number) =>
    Math.min(points, left + Math.max(0, now - at) * perMillisecond)
  let sweepAbove = SWEEP_ABOVE

  const sweep = (now: number) => {
    for (const [memberId, bucket] of buckets) if (filled(bucket, now) >= points) buckets.delete(memberId)
    sweepAbove = Math.max(SWEEP_ABOVE, 2 * buckets.size)
  }
  return (memberId: bigint, now: number): void => {
    const bucket = buckets.get(memberId) ?? { left: points, at: now }
    const left = filled(bucket, now)
    if (left < 1)
      throw new Refusal('too_many_requests', {
        seconds: Math.max(1, Math.ceil((1 - left) / perMillisecond / 1000)),
      })
    buckets.set(memberId, { left: left - 1, at: now })
    if (buckets.size > sweepAbove) sweep(now)
  }
}

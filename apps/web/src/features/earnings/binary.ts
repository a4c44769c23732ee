import type { BinaryStanding } from '@aval/contract'
import { isSome, microOf } from '../../ui/amount.ts'

/** A leg's points in percent of the stronger leg's. A reversal may leave a leg below nothing, which draws as nothing. */
export function shareOfStronger(points: string, other: string): number {
  const own = microOf(points)
  const rest = microOf(other)
  if (own <= 0n) return 0
  return own >= rest ? 100 : Number((own * 1000n) / rest) / 10
}

/** Whether there is anything binary to show: a day was matched, or points wait on a leg. */
export function hasBinary(standing: BinaryStanding): boolean {
  return standing.as_of !== null || isSome(standing.left_points) || isSome(standing.right_points)
}

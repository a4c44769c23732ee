import { type Micro, micro } from '@aval/money'
import { type DayTerms, passiveProfit } from './passive.ts'

/** What one day paid a member, and on what. */
export interface PaidDay {
  readonly terms: DayTerms
  /** Principal the day was computed on. */
  readonly basis: Micro
  readonly earnedBefore: Micro
  /** What was really paid: less than computed after a pro rata release. */
  readonly paid: Micro
  /** The part of the basis that earlier reversals have taken back already. */
  readonly reversedBefore: Micro
}

/** The part of a day's payment that `principal` of its basis earned; the whole of it for the whole basis. */
function shareFor(day: PaidDay, principal: bigint): bigint {
  if (principal <= 0n) return 0n
  const computed = passiveProfit(day.terms, day.basis, day.earnedBefore)
  if (computed === 0n) return 0n
  const alone = passiveProfit(day.terms, micro(principal), day.earnedBefore)
  return (alone * day.paid) / computed
}

/**
 * The exact part of a day's passive payment that an investment of `amount` was the reason for: what the day paid on the
 * basis still standing, less what the same day pays without the investment. Reversing every investment of a basis, in any
 * order, takes back exactly what was paid; also of a day on which part of it was held for a withdrawal that came to nothing.
 */
export function passiveShare(day: PaidDay, amount: Micro): Micro {
  const standing = day.basis - day.reversedBefore
  return micro(shareFor(day, standing) - shareFor(day, standing - amount))
}

/** Limits of the key file on withdrawals, counted by the journal. Amounts are micro-USDT, without fees. */
import type { PolicyLimits } from './policy.rules.ts'
import { no, type Refused } from './signing.rules.ts'

export interface SignedSums {
  readonly day: bigint
  readonly hour: bigint
  readonly memberDay: bigint
  /** What this wallet got since it is new; null where its first payment was a day ago. */
  readonly newWallet: bigint | null
}

/** Why one more of this amount would be too much; null: it is not. */
export function checkLimits(amount: bigint, sums: SignedSums, limits: PolicyLimits): Refused | null {
  if (sums.day + amount > limits.perDay)
    return no('cap_reached', 'the day’s limit for withdrawals is reached')
  if (sums.hour + amount > limits.perHour)
    return no('hour_cap_reached', 'the hour’s limit for withdrawals is reached')
  if (sums.memberDay + amount > limits.perMemberDay)
    return no('member_cap_reached', 'the member’s limit of a day is reached')
  return sums.newWallet !== null && sums.newWallet + amount > limits.newWallet
    ? no('new_wallet_cap_reached', 'the limit for a wallet that was never paid before is reached')
    : null
}

/** What a movement to one of our addresses is worth: money to credit, or something to list for an operator. */
import type { TronAddress } from '@aval/tron'
import type { Movement } from './movements.rules.ts'

/** Only `credit` is ever credited. */
export type Verdict = 'credit' | 'wrong_token' | 'zero_value' | 'failed' | 'wrong_asset'

/** A verdict on a movement, ready to be recorded. */
export interface Transfer extends Movement {
  readonly verdict: Verdict
  readonly block: number
  readonly at: Date
}

/**
 * The largest single payment that is credited, in micro-USDT: a thousand million USDT, the largest amount the product
 * takes anywhere. Balances are 64-bit numbers, and thousands of these still fit.
 */
export const LARGEST_CREDIT = 10n ** 15n

/**
 * The verdict, or `disputed` when the node's answers contradict each other and nothing may be recorded on them.
 *
 * An event of the pinned token above {@link LARGEST_CREDIT} is no payment of a member: it is `failed`, recorded with its
 * full value at its own log position, so that an operator finds it and nothing overflows. The same goes for an event of
 * the pinned token that is not well-formed.
 */
export function judge(movement: Movement, usdt: TronAddress): Verdict | 'disputed' {
  const pinned = movement.contract === usdt
  switch (movement.nature) {
    case 'event':
      if (!pinned) return 'wrong_token'
      if (movement.value === 0n) return 'zero_value'
      return movement.value <= LARGEST_CREDIT ? 'credit' : 'failed'
    case 'malformed':
      return pinned ? 'failed' : 'wrong_token'
    case 'request':
      return 'failed'
    case 'asset':
      return 'wrong_asset'
    case 'disputed':
      return 'disputed'
    default:
      return movement.nature satisfies never
  }
}

/** Whether somebody should look at it soon: the pinned token spoke, and we could not take it for money. */
export function isAnomaly(movement: Movement, usdt: TronAddress): boolean {
  return movement.nature !== 'request' && movement.contract === usdt && judge(movement, usdt) === 'failed'
}

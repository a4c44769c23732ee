import { applyRatio, type Micro, micro, percent } from '@aval/money'
import type { Plan } from './plan.ts'

/** A member's two legs when a day is matched. Points are in micro: 1 USD invested is 1 point, 1,000,000 micro-points. */
export interface Legs {
  /** Carried in and new. Below zero after a reversal took more than there was. */
  readonly left: bigint
  readonly right: bigint
  readonly principal: Micro
  /** A direct referral on that side has principal above zero. */
  readonly activeLeft: boolean
  readonly activeRight: boolean
}

export const UNQUALIFIED = ['inactive', 'no_active_left', 'no_active_right', 'no_active_referrals'] as const
export type Unqualified = (typeof UNQUALIFIED)[number]

export interface Match {
  /** Points taken off both legs. */
  readonly matched: bigint
  readonly paid: Micro
  /** Above the cap; matched all the same, and not paid. */
  readonly flushed: Micro
  readonly carryLeft: bigint
  readonly carryRight: bigint
}

const lesser = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** What both legs have: the weaker one, nothing while one is empty. */
export function matchable(legs: { readonly left: bigint; readonly right: bigint }): bigint {
  const weaker = lesser(legs.left, legs.right)
  return weaker > 0n ? weaker : 0n
}

/** What keeps a member from earning binary; null when nothing does. */
export function unqualified(legs: Omit<Legs, 'left' | 'right'>): Unqualified | null {
  if (legs.principal <= 0n) return 'inactive'
  if (!legs.activeLeft && !legs.activeRight) return 'no_active_referrals'
  if (!legs.activeLeft) return 'no_active_left'
  return legs.activeRight ? null : 'no_active_right'
}

/**
 * Matches the weaker leg against the stronger, point by point, and pays a percentage of it up to the cap of a day and
 * never more than the member's principal. What is unmatched is carried; what is above the cap is flushed. A member who is
 * not qualified matches nothing and carries everything.
 */
export function matchLegs(plan: Plan, legs: Legs): Match {
  const { left, right } = legs
  const matched = unqualified(legs) === null ? matchable(legs) : 0n
  const earned = applyRatio(micro(matched), percent(plan.binary.percent))
  const paid = micro(lesser(earned, lesser(plan.binary.dailyCap, legs.principal)))
  return {
    matched,
    paid: matched === 0n ? micro(0n) : paid,
    flushed: matched === 0n ? micro(0n) : micro(earned - paid),
    carryLeft: left - matched,
    carryRight: right - matched,
  }
}

/** What a match would have paid a member who is not qualified: up to the cap of a day, whatever the principal. */
export function forgone(plan: Plan, legs: Legs): Micro {
  return micro(lesser(applyRatio(micro(matchable(legs)), percent(plan.binary.percent)), plan.binary.dailyCap))
}

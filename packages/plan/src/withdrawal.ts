import { type Micro, micro } from '@aval/money'
import type { Plan } from './plan.ts'

/** How many operators have to approve a withdrawal of this amount. */
export function approvalsNeeded(plan: Plan, amount: Micro): number {
  return plan.withdrawals.approvals.findLast(({ from }) => amount >= from)?.operators ?? 1
}

/** What of a balance can leave it: what a member owes after a reversal is taken from it first. */
export function spendableOf(balance: Micro, owed: Micro): Micro {
  return micro(balance > owed ? balance - owed : 0n)
}

export interface WithdrawalParts {
  readonly fromBalance: Micro
  readonly fromPrincipal: Micro
}

/** What a withdrawal takes from where, the balance first; null when both together do not cover it. */
export function splitWithdrawal(amount: Micro, balance: Micro, unlocked: Micro): WithdrawalParts | null {
  const fromBalance = amount < balance ? amount : balance
  const fromPrincipal = amount - fromBalance
  return fromPrincipal > unlocked ? null : { fromBalance, fromPrincipal: micro(fromPrincipal) }
}

export type WithdrawalRefusal =
  | { readonly code: 'withdrawal_too_small'; readonly params: { readonly limit: Micro } }
  | {
      readonly code: 'withdrawal_daily_limit'
      readonly params: { readonly limit: Micro; readonly left: Micro }
    }
  | { readonly code: 'balance_too_small'; readonly params: { readonly available: Micro } }

/**
 * Why an amount cannot be withdrawn, or null when it can.
 *
 * @param standing what the member has, and has asked for today already
 */
export function withdrawalRefusal(
  plan: Plan,
  amount: Micro,
  standing: { readonly balance: Micro; readonly unlocked: Micro; readonly askedToday: Micro },
): WithdrawalRefusal | null {
  const { minimum, dailyLimit } = plan.withdrawals
  const { balance, unlocked, askedToday } = standing
  if (amount < minimum) return { code: 'withdrawal_too_small', params: { limit: minimum } }
  const left = micro(askedToday > dailyLimit ? 0n : dailyLimit - askedToday)
  if (amount > left) return { code: 'withdrawal_daily_limit', params: { limit: dailyLimit, left } }
  if (splitWithdrawal(amount, balance, unlocked) === null)
    return { code: 'balance_too_small', params: { available: micro(balance + unlocked) } }
  return null
}

/** Whether an amount is four fifths or more of everything a member has. */
export function isLargeShare(amount: Micro, everything: Micro): boolean {
  return amount * 5n >= everything * 4n
}

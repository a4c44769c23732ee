/**
 * What happened, and what it should have come to. All amounts are whole micro-USDT (1 USD = 1_000_000n) and
 * points are micro-points: 1 USD invested is 1 point, so both are the same number.
 */

export type Side = 'L' | 'R'

/** Percentages are decimal text with up to six decimals, such as '0.5'. */
export interface PlanRules {
  readonly passive: {
    readonly percentPerPeriod: string
    readonly periodDays: number
    readonly weekdaysOnly: boolean
    readonly capMultiple: string | null
  }
  readonly direct: {
    readonly levels: readonly string[]
    readonly masterPercent: string
    readonly compression: boolean
  }
  readonly binary: { readonly percent: string; readonly dailyCap: bigint }
}

/**
 * Ids ascend from 1, the root; sponsors and placement parents have smaller ids. `side` is the side of the
 * sponsor's subtree, and so, because a member sits at the outer end of it, of the placement parent too.
 */
export interface Member {
  readonly id: number
  readonly sponsorId: number | null
  readonly parentId: number | null
  readonly side: Side | null
}

export type Step =
  | { readonly kind: 'invest'; readonly memberId: number; readonly amount: bigint }
  /** The whole of a member's balance, or part of it, becomes principal: an investment like any other. */
  | { readonly kind: 'reinvest'; readonly memberId: number; readonly amount: bigint }
  /** `received` came by chain for an invoice of `amount`, and the balance adds the rest: an investment like any other. */
  | {
      readonly kind: 'complete'
      readonly memberId: number
      readonly amount: bigint
      readonly received: bigint
    }
  /** `received` came for an invoice of more, which is cancelled: it goes to the balance. */
  | { readonly kind: 'cancel'; readonly memberId: number; readonly received: bigint }
  /** Takes back the investment with this index, counted from 0 in the order in which they were made. */
  | { readonly kind: 'reverse'; readonly investment: number }
  /** The link from this member up to its sponsor becomes a master link. */
  | { readonly kind: 'master'; readonly memberId: number }
  /** Percentage points that this member gets as a sponsor on top of the first level, of all that has no commissions yet. */
  | { readonly kind: 'extra'; readonly memberId: number; readonly percent: string }
  /** A new plan version, in force from the first instant of the next day. */
  | { readonly kind: 'plan'; readonly rules: PlanRules }
  /** The percentage of principal to be paid as passive profit of the next day; the last one wins. */
  | { readonly kind: 'declare'; readonly percent: string }
  /** Computes the direct commissions of every investment not covered yet, then recovers receivables from balances. */
  | { readonly kind: 'commissions' }
  /** Midnight passes. */
  | { readonly kind: 'day' }

export interface History {
  /** The day the history begins inside of, such as '2026-05-04'. */
  readonly firstDay: string
  readonly rules: PlanRules
  readonly members: readonly Member[]
  readonly steps: readonly Step[]
}

export interface Item {
  readonly memberId: number
  readonly kind: 'passive' | 'direct' | 'master' | 'binary'
  readonly amount: bigint
  readonly basis: bigint
  readonly level: number | null
  readonly investment: number | null
}

/** One payment, or the part of one, that was not made, and why. */
export interface Missed {
  readonly memberId: number
  readonly kind: 'direct' | 'master' | 'binary' | 'passive'
  readonly reason:
    | 'inactive'
    | 'skipped'
    | 'flushed'
    | 'no_active_left'
    | 'no_active_right'
    | 'no_active_referrals'
    | 'capped'
  readonly amount: bigint
  readonly level: number | null
  readonly investment: number | null
}

export interface RunResult {
  readonly kind: 'passive' | 'direct' | 'binary'
  /** The day of a daily run; of a direct run, the first and last investment it covers, such as '3-7'. */
  readonly period: string
  readonly items: readonly Item[]
  readonly missed: readonly Missed[]
}

/** What a reversal takes back from one member: the exact negative of what was paid, itself above zero. */
export interface Taken {
  readonly memberId: number
  readonly pool: 'profit' | 'commission'
  readonly amount: bigint
  /** The part that the balance did not cover. */
  readonly owed: bigint
}

export interface Reversal {
  readonly investment: number
  readonly taken: readonly Taken[]
}

export interface MemberTotals {
  readonly memberId: number
  readonly principal: bigint
  readonly carryLeft: bigint
  readonly carryRight: bigint
  readonly balance: bigint
  readonly owedProfit: bigint
  readonly owedCommission: bigint
  /** Everything ever paid, less everything reversals took back. */
  readonly earned: bigint
  /** Of which passive profit. */
  readonly earnedProfit: bigint
}

export interface Account {
  readonly runs: readonly RunResult[]
  readonly reversals: readonly Reversal[]
  readonly totals: readonly MemberTotals[]
}

/** What a run computes and seals. */
import type { Micro } from '@aval/money'

/** A commission as it is sealed. `leg` numbers a member's items within the run. */
export interface Item {
  readonly memberId: bigint
  readonly leg: number
  readonly kind: 'direct' | 'master' | 'binary'
  readonly amount: Micro
  /** What the percentage was taken of: the amount invested, or the points matched. */
  readonly basis: Micro
  readonly percentage: string
  readonly level: number | null
  readonly investmentId: bigint | null
  readonly fromMemberId: bigint | null
  readonly leftPoints: bigint | null
  readonly rightPoints: bigint | null
  readonly flushed: Micro
}

export type MissedReason =
  | 'inactive'
  | 'skipped'
  | 'flushed'
  | 'no_active_left'
  | 'no_active_right'
  | 'no_active_referrals'
  | 'capped'

/** What was not paid. `leg` numbers a member's rows within the run. */
export interface Missed {
  readonly memberId: bigint
  readonly leg: number
  readonly kind: 'passive' | 'direct' | 'master' | 'binary'
  readonly reason: MissedReason
  readonly amount: Micro
  readonly level: number | null
  readonly investmentId: bigint | null
  readonly fromMemberId: bigint | null
}

/** A block of passive profit, by columns, in the order of members; only those who get something. */
export interface PassiveBlock {
  readonly members: bigint[]
  readonly bases: bigint[]
  readonly amounts: bigint[]
  readonly earned: bigint[] | null
  readonly sum: bigint
  readonly largest: bigint
  readonly missed: Missed[]
}

/** What reversals took back of a member's passive profit, day by day. It is posted in one sum, which these add up to. */
import { type Micro, micro } from '@aval/money'
import { type PaidDay, passiveShare } from '@aval/plan'

/** A reversal of one of the member's own investments. */
export interface OwnReversal {
  readonly at: Date
  readonly invested: bigint
  readonly invested_at: Date
  /** All the passive profit that it took back. */
  readonly profit: bigint
}

/** What a reversal took back of one day. */
export interface TakenBack {
  readonly reversal: OwnReversal
  readonly amount: Micro
}

/** What reversals took back of a day: of those whose investment the day was paid on, each after the ones before it. */
export function takenBackOf(
  day: Omit<PaidDay, 'reversedBefore'>,
  cutoffAt: Date,
  reversals: readonly OwnReversal[],
): TakenBack[] {
  const taken: TakenBack[] = []
  let reversedBefore = 0n
  for (const reversal of reversals) {
    if (reversal.invested_at >= cutoffAt || reversal.at < cutoffAt) continue
    const share = passiveShare({ ...day, reversedBefore: micro(reversedBefore) }, micro(reversal.invested))
    reversedBefore += reversal.invested
    if (share > 0n) taken.push({ reversal, amount: share })
  }
  return taken
}

/** Of the whole payment, what was taken back. */
export const sumTakenBack = (taken: readonly TakenBack[]): Micro =>
  micro(taken.reduce((sum, { amount }) => sum + amount, 0n))

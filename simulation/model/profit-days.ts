/** Passive runs in memory, block by block, and what of them rested on an investment. */
import { type Micro, micro } from '@aval/money'
import { type Day, type DayTerms, passiveShare } from '@aval/plan'
import { passiveBlock } from '../../apps/server/src/features/payout-runs/calculate/engine.rules.ts'
import type { Missed, PassiveBlock } from '../../apps/server/src/features/payout-runs/runs/runs.rules.ts'
import { BLOCK } from '../../apps/server/src/features/payout-runs/runs/runs.rules.ts'

export interface Made {
  readonly seat: number
  readonly amount: Micro
  readonly madeOn: Day
  readonly reversedOn: Day | null
}

/** What a run keeps for a reversal to work it out again. */
export interface PaidDay {
  readonly day: Day
  readonly terms: DayTerms
  readonly blocks: readonly PassiveBlock[]
}

export function payDay(
  day: Day,
  terms: DayTerms,
  principals: BigInt64Array,
  earnedBy: (seat: number) => bigint,
): PaidDay {
  const blocks: PassiveBlock[] = []
  // a day that pays nothing computes nothing
  for (let start = 0; terms.rate.numerator > 0n && start < principals.length; start += BLOCK) {
    const ids = [...principals.subarray(start, start + BLOCK).keys()].map((at) => start + at)
    const seats = ids.filter((seat) => principals[seat] !== 0n)
    const block = passiveBlock(
      terms,
      seats.map(BigInt),
      seats.map((seat) => principals[seat] ?? 0n),
      terms.capMultiple === null ? null : seats.map(earnedBy),
    )
    if (block.members.length > 0) blocks.push(block)
  }
  return { day, terms, blocks }
}

export function itemsOf({ blocks }: PaidDay) {
  return blocks.flatMap(({ members, bases, amounts }) =>
    members.map((memberId, at) => ({
      memberId,
      kind: 'passive' as const,
      amount: amounts[at] ?? 0n,
      basis: bases[at] ?? 0n,
      level: null,
      investmentId: null,
    })),
  )
}

export function missedOf({ blocks }: PaidDay): Missed[] {
  return blocks.flatMap(({ missed }) => missed)
}

/** The passive profit that an investment was the reason for. `own` are all investments of its member. */
export function profitOf(investment: Made, own: readonly Made[], paidDays: readonly PaidDay[]): bigint {
  let profit = 0n
  for (const { day, terms, blocks } of paidDays.filter((one) => one.day > investment.madeOn)) {
    const reversed = own.filter(
      ({ madeOn, reversedOn }) => madeOn < day && reversedOn !== null && reversedOn >= day,
    )
    const reversedBefore = micro(reversed.reduce((sum, { amount }) => sum + amount, 0n))
    for (const { members, bases, amounts, earned } of blocks) {
      const at = members.indexOf(BigInt(investment.seat))
      if (at === -1) continue
      const [basis, paid] = [micro(bases[at] ?? 0n), micro(amounts[at] ?? 0n)]
      const earnedBefore = micro(earned?.[at] ?? 0n)
      profit += passiveShare({ terms, basis, earnedBefore, paid, reversedBefore }, investment.amount)
    }
  }
  return profit
}

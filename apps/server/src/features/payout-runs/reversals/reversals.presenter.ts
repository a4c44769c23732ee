import type { Locale, OperatorInvestment, Reversal } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import { say } from '../../../core/messages.ts'
import { type ReversalParts, stateOf } from './reversals.queries.ts'

const text = (amount: bigint): string => formatMicro(micro(amount))

/** A row of GET operator/investments/. */
export function presentInvestment(investment: ReversalParts['investment']): OperatorInvestment {
  return {
    id: Number(investment.id),
    member: investment.username,
    amount: text(investment.amount),
    date: investment.credited_at.toISOString(),
    from_balance: investment.from_balance,
    state: stateOf(investment),
  }
}

/** What reversing an investment would do, or did. */
export function presentReversal(
  { investment, parts }: ReversalParts,
  names: ReadonlyMap<bigint, string>,
  done: boolean,
  locale: Locale,
): Reversal {
  const taken = micro(parts.reduce((sum, { amount }) => sum + amount, 0n))
  return {
    investment: presentInvestment({ ...investment, reversed: done }),
    parts: parts.map(({ memberId, pool, amount, fromBalance }) => ({
      member: names.get(memberId) ?? '',
      pool,
      amount: text(amount),
      from_balance: text(fromBalance),
      owed: text(amount - fromBalance),
    })),
    message: say(locale, done ? 'investment_was_reversed' : 'investment_reverse_preview', {
      amount: micro(investment.amount),
      name: investment.username,
      taken,
    }),
  }
}

import { applyRatio, formatMicro, type Micro, micro, parseMicro, percent } from '@aval/money'
import { feeFor } from '@aval/plan/fee'

/** What an amount costs, as decimal text. */
export interface Quote {
  amount: string
  fee: string
  /** Amount and fee: what is sent, or taken from the balance. */
  total: string
  /** Profit of one day under the plan in force: an estimate. */
  daily: string
}

interface QuoteTerms {
  fee_percentage: string
  daily_percentage: string
}

/** Nothing where a percentage is none. */
const orNothing = (reckon: () => Micro): Micro => {
  try {
    return reckon()
  } catch {
    return micro(0n)
  }
}

/** @param plain a plain decimal; null or zero has no quote */
export function quoteOf(plain: string | null, terms: QuoteTerms, withBalance: boolean): Quote | null {
  const amount = plain === null ? null : parseMicro(plain)
  if (amount === null || amount === 0n) return null
  const fee = withBalance ? micro(0n) : orNothing(() => feeFor(amount, terms.fee_percentage))
  return {
    amount: formatMicro(amount),
    fee: formatMicro(fee),
    total: formatMicro(micro(amount + fee)),
    daily: formatMicro(orNothing(() => applyRatio(amount, percent(terms.daily_percentage)))),
  }
}

const HUNDRED_PERCENT = 10_000n

/**
 * How much of the terms is over, in percent with two decimals at most: as it is, and with this much more, whose term begins.
 * @param plain a plain decimal; null for nothing more
 */
export function progressWith(
  { invested, elapsed }: { readonly invested: string; readonly elapsed: string },
  plain: string | null,
): { readonly now: number; readonly after: number } {
  const [all, over] = [parseMicro(invested) ?? 0n, parseMicro(elapsed) ?? 0n]
  const share = (of: bigint) => (of === 0n ? 0 : Number((over * HUNDRED_PERCENT) / of) / 100)
  return { now: share(all), after: share(all + ((plain === null ? null : parseMicro(plain)) ?? 0n)) }
}

export type AmountRule = 'required' | 'invalid' | 'minimum' | 'balance'

interface AmountLimits {
  /** Decimal text; undefined while the terms are on their way. */
  minimum: string | undefined
  /** Set when the balance pays. */
  balance: string | null
}

/** The rule an amount breaks, or null. What the server knows better, such as an upper bound, it says itself. */
export function brokenAmountRule(
  typed: string,
  plain: string | null,
  limits: AmountLimits,
): AmountRule | null {
  if (typed.trim() === '') return 'required'
  const amount = plain === null ? null : parseMicro(plain)
  if (amount === null || amount === 0n) return 'invalid'
  const balance = limits.balance === null ? null : parseMicro(limits.balance)
  if (balance !== null && amount > balance) return 'balance'
  const minimum = limits.minimum === undefined ? null : parseMicro(limits.minimum)
  return minimum !== null && amount < minimum ? 'minimum' : null
}

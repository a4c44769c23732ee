import type { WithdrawalTerms } from '@aval/contract'
import { formatMicro, type Micro, micro, parseMicro } from '@aval/money'

const lesser = (one: Micro, other: Micro): Micro => (one < other ? one : other)

const microOr0 = (text: string): Micro => parseMicro(text) ?? micro(0n)

/**
 * What becomes of an amount, as decimal text.
 * @param plain a plain decimal; null, and what is not more than the fee, has no quote
 */
export function quoteOf(plain: string | null, terms: WithdrawalTerms) {
  const amount = plain === null ? null : parseMicro(plain)
  const fee = microOr0(terms.fee)
  if (amount === null || amount <= fee) return null
  const balance = microOr0(terms.balance)
  const fromBalance = lesser(amount, balance)
  return {
    amount: formatMicro(amount),
    fee: formatMicro(fee),
    arrives: formatMicro(micro(amount - fee)),
    fromBalance: formatMicro(fromBalance),
    fromPrincipal: formatMicro(micro(amount - fromBalance)),
  }
}

export type WithdrawalQuote = NonNullable<ReturnType<typeof quoteOf>>

/** The rule an amount breaks, or null. */
export function brokenAmountRule(typed: string, plain: string | null, terms: WithdrawalTerms | undefined) {
  if (typed.trim() === '') return 'required'
  if (/^\s*[-−]\s*[\d.,]+\s*$/.test(typed)) return 'positive'
  const amount = plain === null ? null : parseMicro(plain)
  if (amount === null) return 'invalid'
  if (amount === 0n) return 'positive'
  if (terms === undefined) return null
  if (amount < microOr0(terms.minimum)) return 'minimum'
  if (amount > microOr0(terms.available)) return 'available'
  return amount > microOr0(terms.left_today) ? 'daily' : null
}

/** The most that can be asked for now: what is there, as far as today's limit goes. */
export function mostOf(terms: WithdrawalTerms): string {
  return formatMicro(lesser(microOr0(terms.available), microOr0(terms.left_today)))
}

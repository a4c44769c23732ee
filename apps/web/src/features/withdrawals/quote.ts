import type { WithdrawalTerms } from '@aval/contract'
import { formatMicro, type Micro, micro, parseMicro } from '@aval/money'

/** What becomes of an amount, as decimal text. */
export interface WithdrawalQuote {
  amount: string
  fee: string
  arrives: string
  fromBalance: string
  fromPrincipal: string
}

const lesser = (one: Micro, other: Micro): Micro => {
  if (one < other) return one
  return other
}

const microOr0 = (text: string): Micro => parseMicro(text) ?? micro(0n)

/** @param plain a plain decimal; null, and what is not more than the fee, has no quote */
export function quoteOf(plain: string | null, terms: WithdrawalTerms): WithdrawalQuote | null {
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

export type AmountRule = 'required' | 'invalid' | 'positive' | 'minimum' | 'available' | 'daily'

/** The rule an amount breaks, or null. */
export function brokenAmountRule(
  typed: string,
  plain: string | null,
  terms: WithdrawalTerms | undefined,
): AmountRule | null {
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

/** The form's sections, which open one after another, and what a code that was asked for is good for. */

/** What is typed, by the names that the server has for it. */
export const EMPTY = { amount: '', wallet_address: '', used_code: '', otp: '' }
export type Values = typeof EMPTY
export type Name = keyof Values

const SECTIONS = ['amount', 'review', 'confirm'] as const
export type Section = (typeof SECTIONS)[number]

/** In the order of the page. */
export const SECTION_OF: Readonly<Record<Name, Section>> = {
  amount: 'amount',
  wallet_address: 'review',
  used_code: 'confirm',
  otp: 'confirm',
}

/** The first of these fields on the page. */
export const firstOf = (names: readonly string[]): Name | undefined =>
  (Object.keys(SECTION_OF) as Name[]).find((name) => names.includes(name))

/** Behind the open section, open, or still to come. */
export function placeOf(section: Section, open: Section): 'done' | 'open' | 'later' {
  const distance = SECTIONS.indexOf(section) - SECTIONS.indexOf(open)
  return distance === 0 ? 'open' : distance < 0 ? 'done' : 'later'
}

export interface Pair {
  amount: string
  wallet_address: string
}

/** What a code was made for. Without an amount it is good for any, to that wallet. */
export interface CodeMade {
  amount: string | null
  wallet_address: string
}

/**
 * `first`: the amount and the wallet, which a code is made for, are still to come. `stale`: they changed since, so another
 * code is needed.
 */
export function codeStateOf(code: CodeMade | null, pair: Pair): 'first' | 'none' | 'sent' | 'stale' {
  if (code === null) return pair.amount === '' || pair.wallet_address === '' ? 'first' : 'none'
  const isForAmount = code.amount === null || code.amount === pair.amount
  return isForAmount && code.wallet_address === pair.wallet_address ? 'sent' : 'stale'
}

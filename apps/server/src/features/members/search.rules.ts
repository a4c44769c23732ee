/** What a text in the search looks like, and so where it is looked for. */
import { type Micro, parseMicro } from '@aval/money'

export interface SearchPlan {
  /** A number of a member, a withdrawal, an investment or a run. */
  readonly number: bigint | null
  readonly refCode: string | null
  readonly txid: string | null
  readonly invoice: string | null
  /** A Tron address. */
  readonly address: string | null
  /** `2026-11-20`. */
  readonly day: string | null
  readonly amounts: readonly Micro[]
  /** The last digits of a phone. */
  readonly phone: string | null
  /** The beginning of an e-mail, in the case as it is kept. */
  readonly email: string | null
  /** Whether it may be somebody's name. */
  readonly isName: boolean
}

/** As people write amounts in English, in Spanish, and plain. */
const AMOUNTS: readonly (readonly [form: RegExp, plain: (text: string) => string])[] = [
  [/^\d{1,15}(\.\d{1,6})?$/, (text) => text],
  [/^\d{1,3}(,\d{3})+(\.\d{1,6})?$/, (text) => text.replaceAll(',', '')],
  [/^\d{1,3}(\.\d{3})+(,\d{1,6})?$/, (text) => text.replaceAll('.', '').replace(',', '.')],
  [/^\d{1,15},\d{1,6}$/, (text) => text.replace(',', '.')],
]

export function amountsIn(text: string): Micro[] {
  const written = text.replace(/^\$\s*|\s*(usdt|\$)$/gi, '')
  const found = AMOUNTS.flatMap(([form, plain]) => {
    const amount = form.test(written) ? parseMicro(plain(written)) : null
    return amount === null || amount === 0n ? [] : [amount]
  })
  return [...new Set(found)]
}

const matched = (text: string, form: RegExp): string | null => (form.test(text) ? text : null)

/** Letters of somebody's name: a text of digits and signs alone is none, but may be a username. */
const NAMED = /[\p{L}_]/u

/** @param typed without space around it */
export function planSearch(typed: string): SearchPlan {
  const text = typed.normalize('NFKC')
  const lower = text.toLowerCase()
  const number = matched(text.replace(/^#/, ''), /^[1-9]\d{0,14}$/)
  const digits = matched(text, /^\+?[\d\s().-]{6,28}$/)?.replace(/\D/g, '') ?? ''
  const hash = lower.replace(/^0x/, '')
  const isWord = !/\s/.test(text)
  const isHash = /^[0-9a-f]{32}$|^[0-9a-f]{64}$/.test(hash)
  const address = matched(text, /^T[1-9A-HJ-NP-Za-km-z]{33}$/)
  return {
    number: number === null ? null : BigInt(number),
    refCode: matched(text, /^\d{7}$/),
    txid: matched(hash, /^[0-9a-f]{64}$/),
    invoice: matched(hash, /^[0-9a-f]{32}$/),
    address,
    day: matched(text, /^2\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
    amounts: amountsIn(text),
    phone: digits.length >= 6 && digits.length <= 20 ? digits : null,
    email: isWord && !isHash && address === null && lower.length >= 2 ? lower : null,
    isName: !isHash && address === null && (NAMED.test(text) || isWord),
  }
}

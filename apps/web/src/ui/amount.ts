import type { Locale } from '@aval/contract'
import { type Micro, micro, parseMicro } from '@aval/money'

/**
 * Turns what a person typed or pasted into a plain decimal: `1.000,50` and `1 000,50` in Spanish, `1,000.50` in
 * English all become `1000.50`. Returns null for what is no amount.
 *
 * Where both separators appear, the last one is the decimal sign, whatever the language. A lone separator before
 * exactly three digits is a thousands sign where that is how the language groups; Spanish-speaking countries group
 * with either sign, so there both count. Nothing is rounded.
 */
export function plainAmount(typed: string, locale: Locale): string | null {
  const text = typed.replace(/[\s\u00a0\u202f'’]/g, '').replace(/^(US)?\$|(USDT?)$/gi, '')
  if (!/^[\d.,]+$/.test(text) || !/\d/.test(text)) return null
  const decimal = decimalSign(text, locale)
  const [whole = '', fraction, ...rest] = decimal === null ? [text] : text.split(decimal)
  if (rest.length > 0 || (fraction !== undefined && /[.,]/.test(fraction))) return null
  if (/[.,]/.test(whole) && !/^\d{1,3}([.,])\d{3}(\1\d{3})*$/.test(whole)) return null
  const digits = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '') || '0'
  return fraction === undefined || fraction === '' ? digits : `${digits}.${fraction}`
}

function decimalSign(text: string, locale: Locale): '.' | ',' | null {
  const dot = text.lastIndexOf('.')
  const comma = text.lastIndexOf(',')
  if (dot >= 0 && comma >= 0) return dot > comma ? '.' : ','
  const sign = dot >= 0 ? '.' : comma >= 0 ? ',' : null
  if (sign === null) return null
  if (text.indexOf(sign) !== text.lastIndexOf(sign)) return null
  const groups = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)
  return groups && (locale === 'es' || sign === ',') ? null : sign
}

/** Whether an amount on the wire is anything at all. */
export function isSome(amount: string): boolean {
  return /[1-9]/.test(amount)
}

/** An amount on the wire as a figure to reckon with. It may be below zero after a reversal. */
export function microOf(amount: string): Micro {
  const size = parseMicro(amount.replace('-', '')) ?? micro(0n)
  return amount.startsWith('-') ? micro(-size) : size
}

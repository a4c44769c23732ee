/**
 * Every sentence the server says, in both languages.
 *
 * A sentence is text with `{name}` where a parameter goes. To add one, add its key to `messages/es.ts`; the compiler then
 * asks for the other language. Amounts are passed in micro-USDT and dates as dates: both are written here.
 */
import type { Locale } from '@aval/contract'
import { formatMicro, type Micro } from '@aval/money'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import type { RefusalParams } from './refusal.ts'

export type MessageKey = keyof typeof es

const SENTENCES: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = { es, en }
/** Latin-American Spanish writes 1,000.00, as English does. */
export const REGION: Readonly<Record<Locale, string>> = { es: 'es-419', en: 'en-US' }

const amountFormat = perLocale(
  (region) =>
    new Intl.NumberFormat(region, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 6,
      useGrouping: 'always',
    }),
)
const dateFormat = perLocale(
  (region) => new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
)
const numberFormat = perLocale((region) => new Intl.NumberFormat(region))

function perLocale<Format>(make: (region: string) => Format): Readonly<Record<Locale, Format>> {
  return { es: make(REGION.es), en: make(REGION.en) }
}

/** An amount as people read it: `1,000.00 USD`. */
export function sayAmount(locale: Locale, amount: Micro): string {
  // Formatted from its text, so that no digit goes through a double.
  return `${amountFormat[locale].format(formatMicro(amount) as Intl.StringNumericLiteral)} USD`
}

/** Points as people read them: `1,000.00`. A micro-point is a millionth, as with amounts. */
export function sayPoints(locale: Locale, points: Micro): string {
  return amountFormat[locale].format(formatMicro(points) as Intl.StringNumericLiteral)
}

function write(locale: Locale, value: RefusalParams[string]): string {
  if (typeof value === 'bigint') return sayAmount(locale, value)
  if (typeof value === 'number') return numberFormat[locale].format(value)
  if (value instanceof Date) return `${dateFormat[locale].format(value)} UTC`
  return value
}

const PLACEHOLDER = /\{([a-z]+)\}/g

/** @throws when the sentence mentions a parameter that was not given. */
export function say(locale: Locale, key: MessageKey, params: RefusalParams = {}): string {
  return SENTENCES[locale][key].replace(PLACEHOLDER, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the sentence ${key} needs the parameter ${name}`)
    return write(locale, value)
  })
}

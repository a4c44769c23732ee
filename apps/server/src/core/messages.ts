/**
 * Every sentence the server says, in both languages: `locales/<language>/<noun>.json`. To add one, add its key to both
 * files of its noun; the compiler asks for the missing one. Amounts are passed in micro-USDT and dates as dates, and are
 * formatted here.
 */

import type { Locale, RefusalCode } from '@aval/contract'
import { dateTag, exactFigure, type Region, regionOr } from '@aval/contract/regions'
import { formatMicro, type Micro } from '@aval/money'
import enCommon from './locales/en/common.json' with { type: 'json' }
import enDecisions from './locales/en/decisions.json' with { type: 'json' }
import enEarnings from './locales/en/earnings.json' with { type: 'json' }
import enGenealogy from './locales/en/genealogy.json' with { type: 'json' }
import enIdentity from './locales/en/identity.json' with { type: 'json' }
import enIntegrity from './locales/en/integrity.json' with { type: 'json' }
import enInvestments from './locales/en/investments.json' with { type: 'json' }
import enMemberActs from './locales/en/member-acts.json' with { type: 'json' }
import enOperatorAlerts from './locales/en/operator-alerts.json' with { type: 'json' }
import enPayoutRuns from './locales/en/payout-runs.json' with { type: 'json' }
import enPlans from './locales/en/plans.json' with { type: 'json' }
import enPrivacy from './locales/en/privacy.json' with { type: 'json' }
import enReserves from './locales/en/reserves.json' with { type: 'json' }
import enSupport from './locales/en/support.json' with { type: 'json' }
import enWithdrawals from './locales/en/withdrawals.json' with { type: 'json' }
import esCommon from './locales/es/common.json' with { type: 'json' }
import esDecisions from './locales/es/decisions.json' with { type: 'json' }
import esEarnings from './locales/es/earnings.json' with { type: 'json' }
import esGenealogy from './locales/es/genealogy.json' with { type: 'json' }
import esIdentity from './locales/es/identity.json' with { type: 'json' }
import esIntegrity from './locales/es/integrity.json' with { type: 'json' }
import esInvestments from './locales/es/investments.json' with { type: 'json' }
import esMemberActs from './locales/es/member-acts.json' with { type: 'json' }
import esOperatorAlerts from './locales/es/operator-alerts.json' with { type: 'json' }
import esPayoutRuns from './locales/es/payout-runs.json' with { type: 'json' }
import esPlans from './locales/es/plans.json' with { type: 'json' }
import esPrivacy from './locales/es/privacy.json' with { type: 'json' }
import esReserves from './locales/es/reserves.json' with { type: 'json' }
import esSupport from './locales/es/support.json' with { type: 'json' }
import esWithdrawals from './locales/es/withdrawals.json' with { type: 'json' }
import { createTranslator } from './translator.ts'

const es = {
  ...esCommon,
  ...esDecisions,
  ...esEarnings,
  ...esGenealogy,
  ...esIdentity,
  ...esIntegrity,
  ...esInvestments,
  ...esMemberActs,
  ...esOperatorAlerts,
  ...esPayoutRuns,
  ...esPlans,
  ...esPrivacy,
  ...esReserves,
  ...esSupport,
  ...esWithdrawals,
} satisfies Record<RefusalCode, string>

const en: Readonly<Record<MessageKey, string>> = {
  ...enCommon,
  ...enDecisions,
  ...enEarnings,
  ...enGenealogy,
  ...enIdentity,
  ...enIntegrity,
  ...enInvestments,
  ...enMemberActs,
  ...enOperatorAlerts,
  ...enPayoutRuns,
  ...enPlans,
  ...enPrivacy,
  ...enReserves,
  ...enSupport,
  ...enWithdrawals,
}

export type MessageKey = keyof typeof es
export const MESSAGES: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = { es, en }

/** Who reads: in which language, and where figures are written as they are for them. */
export interface Reader {
  readonly locale: Locale
  readonly region: Region
}

/** @param region null where none was said: the language's usual one */
export const readerOf = (locale: Locale, region: Region | null | undefined): Reader => ({
  locale,
  region: regionOr(region, locale),
})

/**
 * What a sentence may mention. Amounts and decimals (`{ decimal: '0.5' }`) are formatted for the reader, dates as instants. Without a
 * reader's region a sentence has no figures.
 */
export type MessageParams = Readonly<Record<string, Micro | number | string | Date | { decimal: string }>>
type WithoutFigures = Readonly<Record<string, string | Date>>

/** One for each region, when it is first needed. */
function perRegion<Format>(make: (region: Region) => Format): (reader: Reader) => Format {
  const made = new Map<Region, Format>()
  return ({ region }) => {
    const format = made.get(region) ?? make(region)
    made.set(region, format)
    return format
  }
}

const amountFormat = perRegion(exactFigure)
const numberFormat = perRegion((region) => new Intl.NumberFormat(region, { useGrouping: 'always' }))

/** An amount as people read it: `$1.000,00` in Colombia, `$1,000.00` in Mexico. */
export function sayAmount(reader: Reader, amount: Micro): string {
  const text = sayPoints(reader, amount)
  return text.startsWith('-') ? `−$${text.slice(1)}` : `$${text}`
}

/** Points as people read them: `1.000,00` in Colombia. A micro-point is a millionth, as with amounts. */
export function sayPoints(reader: Reader, points: Micro): string {
  // Formatted from its text, so that no digit goes through a double.
  return amountFormat(reader)(formatMicro(points))
}

const decimalFormat = perRegion((region) => new Intl.NumberFormat(region, { maximumFractionDigits: 20 }))

/** A plain decimal as people read it: `0,3333` in Colombia. */
export const sayDecimal = (reader: Reader, decimal: string): string =>
  decimalFormat(reader).format(decimal as Intl.StringNumericLiteral)

/** A percentage as people read it: `0,5 %` in Spanish, with a space that does not break, and `0.5%` in English. */
export const sayPercent = (reader: Reader, percentage: string): string =>
  `${sayDecimal(reader, percentage)}${reader.locale === 'es' ? '\u00a0' : ''}%`

function format(reader: Reader, value: Exclude<MessageParams[string], Date>): string {
  if (typeof value === 'bigint') return sayAmount(reader, value)
  if (typeof value === 'number') return numberFormat(reader).format(value)
  return typeof value === 'string' ? value : sayDecimal(reader, value.decimal)
}

const translate = createTranslator(MESSAGES)

/**
 * @param timeZone in which the reader reads times; each says it
 * @throws when the sentence needs a parameter that was not given
 */
export function say(who: Locale | Reader, key: MessageKey, params?: WithoutFigures, timeZone?: string): string
export function say(reader: Reader, key: MessageKey, params?: MessageParams, timeZone?: string): string
export function say(
  who: Locale | Reader,
  key: MessageKey,
  params: MessageParams = {},
  timeZone = 'UTC',
): string {
  const reader = typeof who === 'string' ? readerOf(who, null) : who
  const written = Object.entries(params).map(([name, value]) => [
    name,
    value instanceof Date
      ? `${sayInstant(reader, value, timeZone)} (${zoneInWords(timeZone, value)})`
      : format(reader, value),
  ])
  return translate(reader.locale, key, Object.fromEntries(written), params['count'])
}

/** `3 de mayo de 2026, 10:04`, in a time zone; the clock is the web app's. */
export function sayInstant(reader: Reader, at: Date, timeZone: string): string {
  const time = new Intl.DateTimeFormat(dateTag(reader.region, reader.locale), {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
  })
  return `${sayDay(reader, at, timeZone)}, ${time.format(at)}`
}

/** A time zone as people read it, as it is at an instant: `America/Bogota, GMT-5`. */
export function zoneInWords(timeZone: string, at: Date): string {
  if (timeZone === 'UTC') return timeZone
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${timeZone.replaceAll('_', ' ')}, ${offset}`
}

/** A date in words, in a time zone: "3 de mayo de 2026". */
export function sayDay({ locale, region }: Reader, at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(dateTag(region, locale), { dateStyle: 'long', timeZone }).format(at)
}

/** A day of the plan's calendar in words. */
export function sayCalendarDay(reader: Reader, day: string): string {
  return sayDay(reader, new Date(`${day}T00:00:00Z`), 'UTC')
}

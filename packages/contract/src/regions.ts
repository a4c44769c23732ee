import type { Locale } from './common.ts'

/**
 * How figures are written for people, on screens, in mails and documents: as where they live. `1.005,00` in Colombia is `1,005.00` in
 * Mexico, and both read Spanish. What machines read, such as CSV files and every answer on the wire, keeps the decimal point and no groups.
 * No schemas in this file: the web app imports it without them.
 */
export const REGIONS = [
  'es-AR',
  'es-BO',
  'es-CL',
  'es-CO',
  'es-CR',
  'es-CU',
  'es-DO',
  'es-EC',
  'es-ES',
  'es-GQ',
  'es-GT',
  'es-HN',
  'es-MX',
  'es-NI',
  'es-PA',
  'es-PE',
  'es-PR',
  'es-PY',
  'es-SV',
  'es-UY',
  'es-VE',
  'pt-BR',
  'en-AU',
  'en-CA',
  'en-GB',
  'en-IE',
  'en-IN',
  'en-NZ',
  'en-PH',
  'en-US',
  'en-ZA',
] as const
export type Region = (typeof REGIONS)[number]

/** Of who has said none, by the language: most members live in Colombia. */
const USUAL_REGION: Readonly<Record<Locale, Region>> = { es: 'es-CO', en: 'en-US' }
export const regionOr = (region: Region | null | undefined, locale: Locale): Region =>
  region ?? USUAL_REGION[locale]

/** A region as it is stored; null for any other text. */
export const readRegion = (text: string | null | undefined): Region | null =>
  REGIONS.find((region) => region === text) ?? null

/**
 * Where the languages of a browser say that somebody lives: the first Spanish one with a country. An English one says nothing, because
 * browsers come in American English; English texts have its figures anyhow.
 *
 * @param tags the most wanted first: `es-MX`, or `es-419`, which Chrome says all over Latin America
 * @param timeZone tells the country where no language does
 */
export function regionOf(tags: readonly string[], timeZone?: string): Region | null {
  const spanish = tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => /^es\b/.test(tag))
  const named = spanish.map((tag) => REGIONS.find((region) => region.toLowerCase() === tag))
  const found = named.find((region) => region !== undefined)
  if (found !== undefined || spanish.length === 0 || timeZone === undefined) return found ?? null
  return REGIONS.find((region) => zonesOf(region).includes(timeZone)) ?? null
}

/** Browsers that do not know this method know no country by its time zone. */
const zonesOf = (region: Region): readonly string[] =>
  (new Intl.Locale(region) as Intl.Locale & { getTimeZones?: () => string[] }).getTimeZones?.() ?? []

/** A region that parts decimals by a point groups thousands with a comma or a space. */
export const hasDecimalPoint = (region: Region): boolean =>
  new Intl.NumberFormat(region).format(0.5).includes('.')

/**
 * How dates are written: `25 nov 2026`. Their words are the language's. Most of Latin America would shorten the month to its number, which
 * reads differently in the United States; English has the day first where the region does.
 */
export const dateTag = (region: Region, locale: Locale): string =>
  locale === 'es' ? 'es-419' : region.startsWith('en-') ? region : 'en-US'

/**
 * Amounts have two decimals, or as many as they need up to six, but never three, which half of the readers take for thousands.
 * Cut, never rounded.
 *
 * @param decimal as it travels, with a point
 */
export function exactFigure(region: Region): (decimal: string) => string {
  const [usual, four] = ([2, 4] as const).map(
    (minimumFractionDigits) =>
      new Intl.NumberFormat(region, {
        minimumFractionDigits,
        maximumFractionDigits: 6,
        roundingMode: 'trunc',
        useGrouping: 'always',
      }),
  )
  return (decimal) => {
    const format = /\.\d\d[1-9]0*$/.test(decimal) ? four : usual
    return format?.format(decimal as Intl.StringNumericLiteral) ?? decimal
  }
}

import type { Locale } from './common.ts'

/**
 * How figures are written for people, on screens, in mails and documents. Spanish means Colombian Spanish here: `1.005,00`.
 * What machines read, such as CSV files and every answer on the wire, keeps the decimal point and no groups.
 * No schemas in this file: the web app imports it without them.
 */
export const NUMBER_REGION: Readonly<Record<Locale, string>> = { es: 'es-CO', en: 'en-US' }

/** How dates are written: `25 nov 2026`. Colombian Spanish would shorten the month to its number. */
export const DATE_REGION: Readonly<Record<Locale, string>> = { es: 'es-419', en: 'en-US' }

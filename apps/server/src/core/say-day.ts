import type { Locale } from '@aval/contract'

const REGION: Readonly<Record<Locale, string>> = { es: 'es-419', en: 'en-US' }

/** A date in words, in a time zone: "3 de mayo de 2026". */
export function sayDay(locale: Locale, at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(REGION[locale], { dateStyle: 'long', timeZone }).format(at)
}

/** A day of the plan's calendar in words. */
export function sayCalendarDay(locale: Locale, day: string): string {
  return sayDay(locale, new Date(`${day}T00:00:00Z`), 'UTC')
}

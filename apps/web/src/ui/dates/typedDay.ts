/** Days as people type them: day first in Spanish, month first in English. Everything else has them as "2026-11-20". */

import type { Locale } from '@aval/contract'
import { plainTyped } from '@aval/contract/typed'

const ISO = /^(\d{4})-(\d\d)-(\d\d)$/
const PARTED = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/
const RUN = /^(\d\d)(\d\d)(\d{4})$/

const pad = (text: string) => text.padStart(2, '0')

/** Such a day is in the calendar; 30 February is not. */
function real(iso: string): string | null {
  const at = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : null
}

/** The day that a text says, "2026-11-20"; null where it says none. With a dot, a dash, or nothing between its parts, too. */
export function readDay(typed: string, locale: Locale): string | null {
  const text = plainTyped(typed)
  if (ISO.test(text)) return real(text)
  const found = PARTED.exec(text) ?? RUN.exec(text)
  if (found === null) return null
  const [, first = '', second = '', year = ''] = found
  const [day, month] = locale === 'es' ? [first, second] : [second, first]
  return real(`${year}-${pad(month)}-${pad(day)}`)
}

/** `20/11/2026` in Spanish, `11/20/2026` in English; nothing for no day. */
export function writeDay(iso: string, locale: Locale): string {
  const [, year, month, day] = ISO.exec(iso) ?? []
  if (year === undefined) return ''
  return locale === 'es' ? `${day}/${month}/${year}` : `${month}/${day}/${year}`
}

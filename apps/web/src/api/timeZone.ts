/** In which time zone times are written: the signed-in member's; the browser's before one is known. */
import i18next from 'i18next'
import { storage } from './storage.ts'

const KEY = 'timeZone'

/** As the browser calls it; other browsers may know it by another name. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The one that this browser wrote times in last, so that a page is right before the server has answered. */
function initial(): string {
  const stored = storage.get(KEY)
  return stored !== null && isTimeZone(stored) ? stored : browserTimeZone()
}

let current = initial()

export const timeZone = (): string => current

/** @param said the member's; null where none was said, or this browser does not know it */
export function setTimeZone(said: string | null | undefined): void {
  const next = said != null && isTimeZone(said) ? said : browserTimeZone()
  if (next === current) return
  current = next
  storage.set(KEY, next)
  // Every time is written anew, as all texts are in another language: whatever writes one has texts too, and hears of this. Nothing
  // is mounted again, so what was typed stays.
  i18next.emit('languageChanged')
}

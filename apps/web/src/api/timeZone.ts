/** In which time zone times are written: the signed-in member's; the browser's before one is known. */
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
const listeners = new Set<() => void>()

export const timeZone = (): string => current

/** @param said the member's; null where none was said, or this browser does not know it */
export function setTimeZone(said: string | null | undefined): void {
  const next = said != null && isTimeZone(said) ? said : browserTimeZone()
  if (next === current) return
  current = next
  storage.set(KEY, next)
  for (const tell of listeners) tell()
}

export function onTimeZone(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

import type { Locale } from '@aval/contract'
import { storage } from './storage.ts'

const KEY = 'language'
const DEFAULT: Locale = 'es'

/** The stored language, or the default where the store holds nothing or junk. */
export function languageFrom(stored: string | null): Locale {
  return stored === 'en' || stored === 'es' ? stored : DEFAULT
}

/** Fixed for the life of the page: choosing another one reloads it. */
export const language: Locale = languageFrom(storage.get(KEY))

export function chooseLanguage(next: Locale): void {
  storage.set(KEY, next)
  window.location.reload()
}

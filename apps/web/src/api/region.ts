/** As where figures are written: in the signed-in member's region; in the one that the browser says before one is known. */
import { type Region, readRegion, regionOf, regionOr } from '@aval/contract/regions'
import i18next from 'i18next'
import { language } from './language.ts'
import { storage } from './storage.ts'
import { browserTimeZone } from './timeZone.ts'

const KEY = 'region'

/** Null where neither its languages nor its time zone say one. */
export const browserRegion = (): Region | null => regionOf(navigator.languages, browserTimeZone())

const written = (said: Region | null): Region => regionOr(said ?? browserRegion(), language)

/** The one that was said last, so that a page is right before the server has answered. */
let current = written(readRegion(storage.get(KEY)))

export const region = (): Region => current

/** @param said the member's; null where none was said */
export function setRegion(said: Region | null | undefined): void {
  const known = readRegion(said)
  storage.set(KEY, known ?? '')
  const next = written(known)
  if (next === current) return
  current = next
  // As with another time zone: whatever writes a figure has texts too, and hears of this.
  i18next.emit('languageChanged')
}

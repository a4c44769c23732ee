/** When a sign-in is news to the member. */
import { namesOfDevice } from '../../../core/device-names.rules.ts'

/** Browsers change their user agent every few weeks, so they are told apart by name; what has none, by what it sends. */
function markOf(userAgent: string): string {
  const { browser, system } = namesOfDevice(userAgent)
  return browser === null && system === null ? userAgent : `${browser ?? ''} ${system ?? ''}`
}

/** @param known user agents of earlier sign-ins; none for the first one ever, which is no news */
export function isNewDevice(userAgent: string, known: readonly string[]): boolean {
  const mark = markOf(userAgent)
  return known.length > 0 && !known.some((each) => markOf(each) === mark)
}

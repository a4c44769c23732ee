/** When a sign-in is worth an e-mail to the member. */
import { namesOfDevice } from '../../../core/device-names.rules.ts'

/** Browsers change their user agent every few weeks, so devices are compared by name; unknown ones by the text itself. */
function markOf(userAgent: string): string {
  const { browser, system } = namesOfDevice(userAgent)
  return browser === null && system === null ? userAgent : `${browser ?? ''} ${system ?? ''}`
}

/** @param known user agents of earlier sign-ins; none for the very first one, which is never new */
export function isNewDevice(userAgent: string, known: readonly string[]): boolean {
  const mark = markOf(userAgent)
  return known.length > 0 && !known.some((each) => markOf(each) === mark)
}

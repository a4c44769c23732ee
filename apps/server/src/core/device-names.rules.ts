/**
 * The browser and system in a user agent. A client can send any text as its user agent, so only names from these lists are
 * shown: a mail about a theft must not contain text of the thief.
 */

export interface DeviceNames {
  readonly browser: string | null
  readonly system: string | null
}

/** The first match counts: most browsers also name those further down. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac ?OS\b|\bmacOS\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

function firstOf(list: readonly (readonly [RegExp, string])[], text: string): string | null {
  return list.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

export function namesOfDevice(userAgent: string): DeviceNames {
  const text = userAgent.slice(0, 500)
  return { browser: firstOf(BROWSERS, text), system: firstOf(SYSTEMS, text) }
}

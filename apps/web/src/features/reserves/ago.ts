import type { Locale } from '@aval/contract'

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `hace 2 minutos`; `hace un momento` in the first minute, whichever clock runs ahead. */
export function ago(at: Date, now: Date, locale: Locale, justNow: string): string {
  const seconds = Math.floor((now.getTime() - at.getTime()) / 1000)
  const step = STEPS.find(([, length]) => seconds >= length)
  if (step === undefined) return justNow
  const [unit, length] = step
  return new Intl.RelativeTimeFormat(locale).format(-Math.floor(seconds / length), unit)
}

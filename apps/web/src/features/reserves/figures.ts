import type { Locale } from '@aval/contract'
import { parseMicro } from '@aval/money'

/** How long two bars are beside each other, in percent of the longer. */
export function barWidths(custody: string, owed: string): { custody: number; owed: number } {
  const [held, due] = [parseMicro(custody) ?? 0n, parseMicro(owed) ?? 0n]
  const longest = held > due ? held : due
  const share = (amount: bigint) => (longest === 0n ? 0 : Number((amount * 1000n) / longest) / 10)
  return { custody: share(held), owed: share(due) }
}

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

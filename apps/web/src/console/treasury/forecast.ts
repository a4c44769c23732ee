import { formatAmount, parseMicro } from '@aval/money'

interface Pool {
  readonly amount: string
  readonly rate: string
}

/** What a pool would have and how long it would last with so much more, and what would be left of the capital. */
export function forecastOf({ amount, rate }: Pool, capital: string, typed: string) {
  const [has, aDay, of, more] = [amount, rate, capital, typed].map((text) => parseMicro(text) ?? 0n)
  if (has === undefined || aDay === undefined || of === undefined || more === undefined || more <= 0n)
    return null
  const sum = has + more
  return {
    sum: formatAmount(sum),
    /** Null where the pool never paid. */
    days: aDay === 0n ? null : Number(sum / aDay),
    left: formatAmount(of - more),
    /** The capital does not cover it. */
    isTooMuch: more > of,
  }
}

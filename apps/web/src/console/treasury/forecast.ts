import { formatAmount, micro, parseMicro } from '@aval/money'

interface Pool {
  readonly amount: string
  /** What held runs take of it first. */
  readonly awaiting: string
  readonly rate: string
}

/** What a pool would have and how long it would last with so much more, and what would be left of the capital. */
export function forecastOf({ amount, awaiting, rate }: Pool, capital: string, typed: string) {
  const read = (text: string): bigint => parseMicro(text) ?? 0n
  const [aDay, of, more] = [read(rate), read(capital), read(typed)]
  if (more <= 0n) return null
  const sum = micro(read(amount) + more)
  const free = sum - read(awaiting)
  return {
    sum: formatAmount(sum),
    /** Null where the pool never paid. */
    days: aDay === 0n ? null : Number(free > 0n ? free / aDay : 0n),
    left: formatAmount(micro(of - more)),
    /** The capital does not cover it. */
    isTooMuch: more > of,
  }
}

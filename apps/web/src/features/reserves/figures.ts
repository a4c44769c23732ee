import { parseMicro } from '@aval/money'

/** How long two bars are beside each other, in percent of the longer. */
export function barWidths(custody: string, owed: string): { custody: number; owed: number } {
  const [held, due] = [parseMicro(custody) ?? 0n, parseMicro(owed) ?? 0n]
  const longest = held > due ? held : due
  const share = (amount: bigint) => (longest === 0n ? 0 : Number((amount * 1000n) / longest) / 10)
  return { custody: share(held), owed: share(due) }
}

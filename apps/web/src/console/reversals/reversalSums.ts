import type { Reversal } from '@aval/contract'
import { formatMicro, micro, parseMicro } from '@aval/money'

type Part = Reversal['parts'][number]
type Figure = 'amount' | 'from_balance' | 'owed'

/** What a reversal takes back in all, as decimal text. */
export function reversalSums(parts: readonly Part[]): Record<Figure, string> {
  const sum = (figure: Figure) =>
    formatMicro(micro(parts.reduce((total, part) => total + (parseMicro(part[figure]) ?? 0n), 0n)))
  return { amount: sum('amount'), from_balance: sum('from_balance'), owed: sum('owed') }
}

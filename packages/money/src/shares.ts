/**
 * Largest remainder over many amounts: turns `amounts`, none below zero, which add up to `sum` above zero, into shares that
 * add up to `total`.
 *
 * Each gets its exact part, truncated; what truncation left over goes, a micro each, to the largest remainders, on a tie to
 * the earlier amount. In place and without objects, so that ten million fit.
 */
export function shareOut(amounts: BigInt64Array, total: bigint, sum: bigint): void {
  const remainders = new BigInt64Array(amounts.length)
  let left = total
  for (let index = 0; index < amounts.length; index += 1) {
    const exact = (amounts[index] ?? 0n) * total
    const share = exact / sum
    remainders[index] = exact % sum
    amounts[index] = share
    left -= share
  }
  if (left === 0n) return
  const sorted = remainders.slice().sort()
  // The smallest remainder that still gets one; of those equal to it, only the first few do.
  let last = sorted.length
  for (let rest = left; rest > 0n; rest -= 1n) last -= 1
  const threshold = sorted[last] ?? 0n
  let above = 0n
  for (const remainder of sorted) if (remainder > threshold) above += 1n
  let equal = left - above
  for (let index = 0; index < amounts.length; index += 1) {
    const remainder = remainders[index] ?? 0n
    if (remainder < threshold || (remainder === threshold && equal === 0n)) continue
    if (remainder === threshold) equal -= 1n
    amounts[index] = (amounts[index] ?? 0n) + 1n
  }
}

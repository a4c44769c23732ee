/** How long to wait after something failed several times in a row: doubling, with a limit. */
export function backoffMs(failures: number, firstMs: number, limitMs: number): number {
  // Past thirty doublings the limit holds anyway; the exponent stays where a double is exact.
  return Math.min(limitMs, firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30))
}

/**
 * The top of the chart: the smallest of 1, 2, 2.5 or 5 times a power of ten that no bar exceeds, so that the two lines
 * carry figures one can read at a glance.
 */
export function chartTop(values: readonly number[]): number {
  const largest = Math.max(0, ...values)
  if (largest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(largest))
  const step = [1, 2, 2.5, 4, 5, 8, 10].find((factor) => factor * power >= largest)
  return (step ?? 10) * power
}

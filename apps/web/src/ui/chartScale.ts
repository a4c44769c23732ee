/** Tops of which the half, too, is a figure one can read at a glance. */
const STEPS = [1, 1.2, 1.6, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The top of the chart: the smallest of the steps, times a power of ten, that no bar exceeds. */
export function chartTop(values: readonly number[]): number {
  const largest = Math.max(0, ...values)
  if (largest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(largest))
  const step = STEPS.find((factor) => factor * power >= largest)
  return (step ?? 10) * power
}

interface StackScale {
  /** The value that reaches `height` pixels. */
  top: number
  height: number
  /** Pixels that a part above zero has at least, so that a cent beside a thousand is still there to be seen. */
  least: number
}

/**
 * Heights in pixels of stacked parts, in order. Together they never rise above `height`: what
 * the small ones were given, the tallest gives. Nothing and less than nothing have no height.
 */
export function stackHeights(values: readonly number[], { top, height, least }: StackScale): number[] {
  const heights = values.map((value) => (value > 0 ? Math.max(least, (value / top) * height) : 0))
  const over = heights.reduce((sum, part) => sum + part, 0) - height
  if (over <= 0) return heights
  const tallest = heights.indexOf(Math.max(...heights))
  return heights.map((part, index) => (index === tallest ? part - over : part))
}

import { type KeyboardEvent, type ReactNode, useState } from 'react'
import './chart.css'

interface ChartPlotProps {
  label: string
  /** What kind of drawing it is, for those who hear it: "bar chart". */
  kind: string
  count: number
  /** Where the keyboard begins: at the last, unless said otherwise. */
  start?: number
  /** @param active which bar is pointed at or reached by the keyboard */
  children: (active: number | null, onPoint: (index: number) => void) => ReactNode
}

/**
 * The place of a chart's bars. One tab stop; arrows walk over the bars and a bubble shows the value, as the pointer does.
 * A finger leaves its bar shown until something else is touched.
 */
export function ChartPlot({ label, kind, count, start = count - 1, children }: ChartPlotProps) {
  const [active, setActive] = useState<number | null>(null)
  const last = count - 1

  const onKeyDown = (event: KeyboardEvent) => {
    const here = active ?? start
    const steps: Record<string, number> = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: last }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    setActive(Math.min(Math.max(step, 0), last))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, nothing is filled in
    <div
      className="chart-plot"
      role="group"
      aria-roledescription={kind}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk over the bars
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={() => setActive((current) => current ?? start)}
      onBlur={() => setActive(null)}
      onPointerLeave={(event) => {
        if (event.pointerType === 'mouse') setActive(null)
      }}
    >
      {children(active, setActive)}
    </div>
  )
}

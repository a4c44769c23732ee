import { type KeyboardEvent, type ReactNode, type SVGProps, useState } from 'react'
import './chart.css'
import { chartTop, stackHeights } from './chartScale.ts'
import { formats } from './format.ts'

interface BarChartProps {
  label: string
  /** Name of the chart for screen readers: "bar chart". */
  kind: string
  /** The values of each bar, in stacking order. */
  bars: readonly (readonly number[])[]
  /** How one value is drawn, given its bar and its place in it. */
  part: (bar: number, part: number) => SVGProps<SVGRectElement>
  /** Pixels; the width follows the card. */
  height: number
  /** The share of its slot that a bar fills. */
  share: number
  /** Pixels that a value above zero has at least. */
  least: number
  /** Pixels of each bar where none has a value. */
  leastEmpty?: number
  /** Pixels that the outline of a part needs. */
  outline?: number
  /** Where the keyboard starts; the last bar if left out. */
  start?: number
  /** How the top of the scale is written, where it is no money. */
  scale?: (top: number) => string
  /** Shown instead of the scale where no bar has a value. */
  empty: string
  defs?: ReactNode
  className?: string
  tip: (bar: number) => ReactNode
  tipClass?: string
  /** Wide bubbles shift inwards near the edges, so that they stay in the card. */
  tipInwards?: boolean
  axis: ReactNode
  /** The same figures for screen readers. */
  table: ReactNode
}

const sumOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0)

/**
 * Bars with one tab stop. Arrow keys move from bar to bar and a bubble shows the value, as under the pointer; after a
 * touch it stays until something else is touched. Chart libraries cost 16 to 118 kB for the same drawing.
 */
export function BarChart(props: BarChartProps) {
  const { label, kind, bars, empty, className = '', tip, tipClass = '', axis, table } = props
  const { active, point, ...events } = useActiveBar(bars.length, props.start ?? bars.length - 1)
  const sums = bars.map(sumOf)
  const top = chartTop(sums)
  return (
    <figure className={`chart ${className}`}>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, nothing is filled in */}
      <div
        className="chart-plot"
        role="group"
        aria-roledescription={kind}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move over the bars
        tabIndex={0}
        {...events}
      >
        <Bars {...props} top={top} active={active} onPoint={point} />
        {sums.every((sum) => sum === 0) ? (
          <p className="chart-empty centred muted">{empty}</p>
        ) : (
          <>
            <span className="chart-top faint" aria-hidden="true">
              {(props.scale ?? formats.money)(top)}
            </span>
            {active === null ? null : (
              <output
                className={`chart-tip ${tipClass}`}
                style={tipPlace(props, active, (sums[active] ?? 0) / top)}
              >
                {tip(active)}
              </output>
            )}
          </>
        )}
      </div>
      {axis}
      {/* Around the table: a table grows with its rows whatever height it is given, and the page with it. */}
      <div className="visually-hidden">{table}</div>
    </figure>
  )
}

function tipPlace({ bars, height, tipInwards }: BarChartProps, active: number, level: number) {
  const left = `${((active + 0.5) * 100) / bars.length}%`
  if (!tipInwards) return { left, bottom: Math.min(level * height + 8, height - 34) }
  return {
    left,
    bottom: level * height + 8,
    translate: `${(-100 * active) / Math.max(1, bars.length - 1)}% 0`,
  }
}

interface BarsProps extends BarChartProps {
  top: number
  active: number | null
  onPoint: (bar: number) => void
}

function Bars(props: BarsProps) {
  const { bars, part, height, share, least, leastEmpty = 0, outline = 0, defs, top, active, onPoint } = props
  const isEmpty = bars.every((parts) => sumOf(parts) === 0)
  const slot = 100 / Math.max(1, bars.length)
  return (
    <svg width="100%" height={height} aria-hidden="true">
      {defs}
      <line x1="0" x2="100%" y1="0.5" y2="0.5" className="chart-line" />
      <line x1="0" x2="100%" y1={height / 2} y2={height / 2} className="chart-line" />
      <line x1="0" x2="100%" y1={height - 0.5} y2={height - 0.5} className="chart-base" />
      {bars.map((parts, bar) => {
        const heights = isEmpty
          ? parts.map(() => leastEmpty)
          : stackHeights(parts, { top, height: height - 1, least })
        const x = bar * slot
        return (
          <g key={`${x}`} onPointerEnter={() => onPoint(bar)} data-active={bar === active}>
            <rect className="chart-slot" x={`${x}%`} width={`${slot}%`} height={height} />
            {heights.map((tall, at) =>
              tall === 0 ? null : (
                <rect
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their places
                  key={at}
                  {...part(bar, at)}
                  x={`${x + (slot * (1 - share)) / 2}%`}
                  width={`${slot * share}%`}
                  y={height - sumOf(heights.slice(0, at + 1)) + outline / 2}
                  height={Math.max(1, tall - outline)}
                />
              ),
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** The bar under the pointer or reached by the keyboard. */
function useActiveBar(count: number, start: number) {
  const [active, setActive] = useState<number | null>(null)
  const last = count - 1
  return {
    active,
    point: setActive,
    onKeyDown: (event: KeyboardEvent) => {
      const here = active ?? start
      const steps: Record<string, number> = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: last }
      const step = steps[event.key]
      if (step === undefined) return
      event.preventDefault()
      setActive(Math.min(Math.max(step, 0), last))
    },
    onFocus: () => setActive((current) => current ?? start),
    onBlur: () => setActive(null),
    onPointerLeave: (event: { pointerType: string }) => {
      if (event.pointerType === 'mouse') setActive(null)
    },
  }
}

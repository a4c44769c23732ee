import type { MonthEarnings } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { ChartPlot } from '../../../ui/ChartPlot.tsx'
import { chartTop, stackHeights } from '../../../ui/chartScale.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { drawnParts, PARTS } from '../earnings.ts'
import { fillOf, PartPatterns, Swatch } from './PartFill.tsx'

/** Pixels; the width follows the card. */
const HEIGHT = 150
const BAR_SHARE = 0.62
const LEAST = 3

interface YearProps {
  year: number
  months: MonthEarnings[]
}

interface Scale {
  bars: number[][]
  top: number
}

const sumOf = (parts: number[]) => parts.reduce((sum, part) => sum + part, 0)

/** Twelve bars of three parts. The figures are also there as a table for those who cannot see the bars. */
export function EarningsChart({ year, months }: YearProps) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
  const bars = months.map(drawnParts)
  const scale = { bars, top: chartTop(bars.map(sumOf)) }
  const latest = bars.findLastIndex((parts) => sumOf(parts) > 0)
  return (
    <figure className="chart earnings-chart">
      <ChartPlot
        label={t('earnings.caption', { year })}
        kind={t('earnings.kind')}
        count={months.length}
        start={Math.max(0, latest)}
      >
        {(active, onPoint) => (
          <>
            <Bars {...scale} active={active} onPoint={onPoint} />
            {latest < 0 ? (
              <p className="chart-empty">{t('earnings.empty', { year })}</p>
            ) : (
              <>
                <span className="chart-top" aria-hidden="true">
                  {formats.money(scale.top)}
                </span>
                <Tip {...scale} year={year} months={months} active={active} />
              </>
            )}
          </>
        )}
      </ChartPlot>
      <div className="earnings-axis" aria-hidden="true">
        {months.map(({ month }) => (
          <span key={month}>{formats.shortMonth(month)}</span>
        ))}
      </div>
      <FiguresTable year={year} months={months} />
    </figure>
  )
}

interface BarsProps extends Scale {
  active: number | null
  onPoint: (index: number) => void
}

function Bars({ bars, top, active, onPoint }: BarsProps) {
  const slot = 100 / Math.max(1, bars.length)
  return (
    <svg width="100%" height={HEIGHT} aria-hidden="true">
      <PartPatterns />
      <line x1="0" x2="100%" y1="0.5" y2="0.5" className="chart-line" />
      <line x1="0" x2="100%" y1={HEIGHT / 2} y2={HEIGHT / 2} className="chart-line" />
      <line x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="chart-base" />
      {bars.map((parts, index) => {
        const left = index * slot
        return (
          <g key={`${left}`} onPointerEnter={() => onPoint(index)} data-active={index === active}>
            <rect x={`${left}%`} width={`${slot}%`} height={HEIGHT} className="part-slot" />
            <Stack
              parts={parts}
              top={top}
              left={left + (slot * (1 - BAR_SHARE)) / 2}
              width={slot * BAR_SHARE}
            />
          </g>
        )
      })}
    </svg>
  )
}

interface StackProps {
  parts: number[]
  top: number
  /** Percent of the plot. */
  left: number
  width: number
}

function Stack({ parts, top, left, width }: StackProps) {
  const heights = stackHeights(parts, { top, height: HEIGHT - 1, least: LEAST })
  return PARTS.map((part, index) => {
    const height = heights[index] ?? 0
    if (height === 0) return null
    const below = sumOf(heights.slice(0, index))
    // Half a pixel in on each side, so that the outline lies within the part.
    return (
      <rect
        key={part}
        className="part"
        style={{ fill: fillOf(part) }}
        x={`${left}%`}
        width={`${width}%`}
        y={HEIGHT - below - height + 0.5}
        height={Math.max(1, height - 1)}
        rx="2"
      />
    )
  })
}

function Tip({ bars, top, year, months, active }: YearProps & Scale & { active: number | null }) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
  const month = active === null ? undefined : months[active]
  if (month === undefined || active === null) return null
  const height = (sumOf(bars[active] ?? []) / top) * HEIGHT
  const along = active / Math.max(1, months.length - 1)
  return (
    // Above its month; towards the edges it hangs inwards, so that it never leaves the card.
    <output
      className="chart-tip earnings-tip"
      style={{
        left: `${((active + 0.5) * 100) / months.length}%`,
        translate: `${-100 * along}% 0`,
        bottom: height + 8,
      }}
    >
      <strong>{formats.longMonth(month.month, year)}</strong>
      {PARTS.map((part) => (
        <span key={part} className="tip-line">
          <span>
            <Swatch part={part} /> {t(`earnings.part.${part}`)}
          </span>{' '}
          <strong>{formats.money(month[part])}</strong>
        </span>
      ))}
      <span className="tip-line tip-sum">
        <span>{t('earnings.sum')}</span> <strong>{formats.money(month.amount)}</strong>
      </span>
      <span className="tip-line">
        <span>{t('earnings.percentage')}</span> <strong>{formats.percent(month.summed_percentage)}</strong>
      </span>
    </output>
  )
}

function FiguresTable({ year, months }: YearProps) {
  const { t } = useTranslation('earnings')
  const formats = useFormats()
  return (
    <div className="visually-hidden">
      <table>
        <caption>{t('earnings.caption', { year })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('earnings.month')}</th>
            {PARTS.map((part) => (
              <th key={part} scope="col">
                {t(`earnings.part.${part}`)}
              </th>
            ))}
            <th scope="col">{t('earnings.sum')}</th>
            <th scope="col">{t('earnings.percentage')}</th>
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month.month}>
              <th scope="row">{formats.longMonth(month.month, year)}</th>
              {PARTS.map((part) => (
                <td key={part}>{formats.money(month[part])}</td>
              ))}
              <td>{formats.money(month.amount)}</td>
              <td>{formats.percent(month.summed_percentage)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

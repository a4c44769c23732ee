import { useTranslation } from 'react-i18next'
import { ChartPlot } from '../../../ui/ChartPlot.tsx'
import { chartTop } from '../../../ui/chartScale.ts'
import { useFormats } from '../../../ui/useFormats.ts'

/** Pixels; the width follows the card. */
const HEIGHT = 168
const BAR_SHARE = 0.68

interface ProfitChartProps {
  labels: string[]
  series: number[]
}

interface Day {
  label: string
  value: number
}

interface PlotProps {
  days: Day[]
  top: number
  /** Which day is pointed at or reached by the keyboard. */
  active: number | null
}

/** Bars of the last days. The figures are also there as a table for those who cannot see the bars. */
export function ProfitChart({ labels, series }: ProfitChartProps) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const days = labels.map((label, index) => ({ label: formats.shortDay(label), value: series[index] ?? 0 }))
  const scale = { days, top: chartTop(series) }
  return (
    <figure className="chart">
      <ChartPlot label={t('chart.title')} kind={t('chart.role')} count={days.length}>
        {(active, onPoint) => (
          <>
            <Bars {...scale} active={active} onPoint={onPoint} />
            <Legend {...scale} active={active} />
          </>
        )}
      </ChartPlot>
      <div className="chart-axis" aria-hidden="true">
        <span>{days[0]?.label}</span>
        <span>{days[Math.floor(days.length / 2)]?.label}</span>
        <span>{days.at(-1)?.label}</span>
      </div>
      <FiguresTable days={days} />
    </figure>
  )
}

function Bars({ days, top, active, onPoint }: PlotProps & { onPoint: (index: number) => void }) {
  const slot = 100 / Math.max(1, days.length)
  const inset = (slot * (1 - BAR_SHARE)) / 2
  // Without any profit yet, a thin line per day still shows what will stand here.
  const least = days.every((day) => day.value === 0) ? 2 : 0
  return (
    <svg width="100%" height={HEIGHT} aria-hidden="true">
      <line x1="0" x2="100%" y1="0.5" y2="0.5" className="chart-line" />
      <line x1="0" x2="100%" y1={HEIGHT / 2} y2={HEIGHT / 2} className="chart-line" />
      {days.map((day, index) => {
        const height = Math.max(least, (day.value / top) * (HEIGHT - 1))
        return (
          <g key={day.label} onPointerEnter={() => onPoint(index)}>
            <rect x={`${index * slot}%`} width={`${slot}%`} height={HEIGHT} fill="transparent" />
            <rect
              className="chart-bar"
              data-last={index === days.length - 1}
              data-active={index === active}
              x={`${index * slot + inset}%`}
              y={HEIGHT - height}
              width={`${slot * BAR_SHARE}%`}
              height={height}
              rx="3"
            />
          </g>
        )
      })}
      <line x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="chart-base" />
    </svg>
  )
}

/** The scale, or that there is nothing yet; and the value of the day pointed at. */
function Legend({ days, top, active }: PlotProps) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  if (days.every((day) => day.value === 0)) return <p className="chart-empty">{t('chart.empty')}</p>
  const shown = active === null ? undefined : days[active]
  return (
    <>
      <span className="chart-top" aria-hidden="true">
        {formats.money(top)}
      </span>
      {shown === undefined || active === null ? null : (
        <output
          className="chart-tip"
          style={{
            left: `${((active + 0.5) * 100) / days.length}%`,
            bottom: Math.min((shown.value / top) * HEIGHT + 8, HEIGHT - 34),
          }}
        >
          <span>{shown.label}</span> <strong>{formats.money(shown.value)}</strong>
        </output>
      )}
    </>
  )
}

function FiguresTable({ days }: { days: Day[] }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  return (
    // Around the table, because a table grows with its rows whatever height it is given, and the page with it.
    <div className="visually-hidden">
      <table>
        <caption>{t('chart.title')}</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.label}>
              <th scope="row">{day.label}</th>
              <td>{formats.money(day.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

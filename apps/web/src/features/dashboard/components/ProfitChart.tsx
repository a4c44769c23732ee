import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../ui/useFormats.ts'
import { chartTop } from '../chartScale.ts'
import './chart.css'

/** Pixels; the width follows the card. */
const HEIGHT = 180
const BAR_SHARE = 0.68

interface ProfitChartProps {
  labels: string[]
  series: number[]
}

/**
 * Bars of the last days. One tab stop; arrows walk over the days and a bubble shows the value, as the pointer does.
 * The figures are also there as a table for those who cannot see the bars.
 */
export function ProfitChart({ labels, series }: ProfitChartProps) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const [active, setActive] = useState<number | null>(null)
  const days = labels.map((label, index) => ({ label: formats.shortDay(label), value: series[index] ?? 0 }))
  const top = chartTop(series)
  const slot = 100 / Math.max(1, days.length)
  const isEmpty = days.every((day) => day.value === 0)
  const shown = active === null ? undefined : days[active]

  const onKeyDown = (event: KeyboardEvent) => {
    const here = active ?? days.length - 1
    const steps: Record<string, number> = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      Home: 0,
      End: days.length - 1,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    setActive(Math.min(Math.max(step, 0), days.length - 1))
  }

  return (
    <figure className="chart">
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, nothing is filled in */}
      <div
        className="chart-plot"
        role="group"
        aria-roledescription={t('chart.role')}
        aria-label={t('chart.title')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk over the days
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => setActive((current) => current ?? days.length - 1)}
        onBlur={() => setActive(null)}
        onPointerLeave={() => setActive(null)}
      >
        <svg width="100%" height={HEIGHT} aria-hidden="true">
          <line x1="0" x2="100%" y1="0.5" y2="0.5" className="chart-line" />
          <line x1="0" x2="100%" y1={HEIGHT / 2} y2={HEIGHT / 2} className="chart-line" />
          {days.map((day, index) => {
            const height = Math.max(isEmpty ? 2 : 0, (day.value / top) * (HEIGHT - 1))
            const inset = (slot * (1 - BAR_SHARE)) / 2
            return (
              <g key={day.label} onPointerEnter={() => setActive(index)}>
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
        {isEmpty ? (
          <p className="chart-empty">{t('chart.empty')}</p>
        ) : (
          <span className="chart-top" aria-hidden="true">
            {formats.money(top)}
          </span>
        )}
        {shown === undefined || active === null ? null : (
          <output
            className="chart-tip"
            style={{
              left: `${(active + 0.5) * slot}%`,
              bottom: Math.min((shown.value / top) * HEIGHT + 8, HEIGHT - 34),
            }}
          >
            <span>{shown.label}</span> <strong>{formats.money(shown.value)}</strong>
          </output>
        )}
      </div>
      <div className="chart-axis" aria-hidden="true">
        <span>{days[0]?.label}</span>
        <span>{days[Math.floor(days.length / 2)]?.label}</span>
        <span>{days.at(-1)?.label}</span>
      </div>
      <table className="visually-hidden">
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
    </figure>
  )
}

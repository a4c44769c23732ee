import { useTranslation } from 'react-i18next'
import { BarChart } from '../../../ui/BarChart.tsx'
import { formats } from '../../../ui/format.ts'

interface ProfitChartProps {
  labels: string[]
  series: number[]
}

/** Bars of the last days. */
export function ProfitChart({ labels, series }: ProfitChartProps) {
  const { t } = useTranslation('dashboard')
  const days = labels.map((label, index) => ({ label: formats.shortDay(label), value: series[index] ?? 0 }))
  return (
    <BarChart
      label={t('chart.title')}
      kind={t('chart.role')}
      bars={days.map((day) => [day.value])}
      part={(bar) => ({ className: 'chart-bar', 'data-last': bar === days.length - 1, rx: 3 })}
      height={168}
      share={0.68}
      least={0}
      leastEmpty={2}
      empty={t('chart.empty')}
      tip={(bar) => (
        <>
          <span>{days[bar]?.label}</span> <strong>{formats.money(days[bar]?.value ?? 0)}</strong>
        </>
      )}
      axis={
        <div className="chart-axis" aria-hidden="true">
          <span>{days[0]?.label}</span>
          <span>{days[Math.floor(days.length / 2)]?.label}</span>
          <span>{days.at(-1)?.label}</span>
        </div>
      }
      table={
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
      }
    />
  )
}

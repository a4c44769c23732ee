import { useTranslation } from 'react-i18next'
import { BarChart } from '../../../ui/BarChart.tsx'
import { formats } from '../../../ui/format.ts'

interface DayBarsProps {
  title: string
  /** An ISO date each, and how much of what on it. */
  bars: readonly { readonly day: string; readonly value: number; readonly shown: string }[]
  /** How the top of the scale is written, where it is no money. */
  scale?: (top: number) => string
  empty: string
  height?: number
}

/** A bar a day or week, with its figure. */
export function DayBars({ title, bars, scale, empty, height = 96 }: DayBarsProps) {
  const { t } = useTranslation('console/today')
  const label = (at: number) => formats.shortDay(bars[at]?.day ?? '2024-01-01')
  return (
    <BarChart
      label={title}
      kind={t('chart')}
      bars={bars.map(({ value }) => [value])}
      part={() => ({ className: 'chart-bar', rx: 2 })}
      height={height}
      share={0.7}
      least={2}
      leastEmpty={2}
      empty={empty}
      {...(scale === undefined ? {} : { scale })}
      tip={(bar) => (
        <>
          <span>{label(bar)}</span> <strong>{bars[bar]?.shown}</strong>
        </>
      )}
      tipInwards
      axis={
        <div className="chart-axis faint tiny" aria-hidden="true">
          <span>{label(0)}</span>
          <span>{label(Math.floor(bars.length / 2))}</span>
          <span>{label(bars.length - 1)}</span>
        </div>
      }
      table={
        <table>
          <caption>{title}</caption>
          <tbody>
            {bars.map(({ day, shown }) => (
              <tr key={day}>
                <th scope="row">{formats.day(day)}</th>
                <td>{shown}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  )
}

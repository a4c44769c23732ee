import type { MonthEarnings } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { BarChart } from '../../../ui/BarChart.tsx'
import { formats } from '../../../ui/format.ts'
import { drawnParts, PARTS, type Part } from '../earnings.ts'

interface YearProps {
  year: number
  months: MonthEarnings[]
}

/** Twelve bars of three parts. */
export function EarningsChart({ year, months }: YearProps) {
  const { t } = useTranslation('earnings')
  const bars = months.map(drawnParts)
  const latest = bars.findLastIndex((parts) => parts.some((part) => part > 0))
  return (
    <BarChart
      label={t('earnings.caption', { year })}
      kind={t('earnings.kind')}
      className="earnings-chart"
      bars={bars}
      part={(_bar, at) => ({ className: 'part', style: { fill: fillOf(PARTS[at] ?? 'passive') }, rx: 2 })}
      height={150}
      share={0.62}
      least={3}
      outline={1}
      start={Math.max(0, latest)}
      empty={t('earnings.empty', { year })}
      defs={<PartPatterns />}
      tip={(bar) => <Tip year={year} month={months[bar]} />}
      tipClass="earnings-tip"
      tipInwards
      axis={
        <div className="earnings-axis" aria-hidden="true">
          {months.map(({ month }) => (
            <span key={month}>{formats.shortMonth(month)}</span>
          ))}
        </div>
      }
      table={<FiguresTable year={year} months={months} />}
    />
  )
}

function Tip({ year, month }: { year: number; month: MonthEarnings | undefined }) {
  const { t } = useTranslation('earnings')
  if (month === undefined) return null
  return (
    <>
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
    </>
  )
}

function FiguresTable({ year, months }: YearProps) {
  const { t } = useTranslation('earnings')
  return (
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
  )
}

/** Full, hatched, hollow: told apart without any colour, in the legend as in the bars. */
const FILLS: Record<Part, string> = {
  passive: 'var(--accent)',
  direct: 'url(#part-hatch)',
  binary: 'var(--card)',
}

function fillOf(part: Part): string {
  return FILLS[part]
}

/** The hatching. One drawing of it serves the whole page. */
function PartPatterns() {
  return (
    <defs>
      <pattern
        id="part-hatch"
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="5" height="5" className="part-ground" />
        <rect width="2" height="5" className="part-line" />
      </pattern>
    </defs>
  )
}

export function Swatch({ part }: { part: Part }) {
  return (
    <svg width="12" height="12" className="part-swatch" aria-hidden="true">
      <rect x="0.5" y="0.5" width="11" height="11" rx="3" className="part" style={{ fill: fillOf(part) }} />
    </svg>
  )
}

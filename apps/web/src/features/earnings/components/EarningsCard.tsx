import type { MonthEarnings } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useBusinessTime } from '../../../api/businessTime.ts'
import { BarChart } from '../../../ui/BarChart.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useEarningsQuery } from '../api.ts'
import { drawnParts, FIRST_YEAR, PARTS, type Part, sumsOf, yearFrom } from '../earnings.ts'
import './earnings.css'

export function EarningsCard() {
  const { t } = useTranslation('earnings')
  const id = useId()
  const now = useBusinessTime()
  const [wanted, setWanted] = useQueryState('year')
  const current = now?.getFullYear()
  const year = current === undefined ? undefined : yearFrom(wanted, current)
  const go = (next: number) => setWanted(next === current ? null : String(next))
  return (
    <section className="card card-pad payments-year" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{t('earnings.title')}</h2>
        {year === undefined || current === undefined ? (
          <Skeleton width={120} height={20} />
        ) : (
          <YearSwitch year={year} current={current} onYear={go} />
        )}
      </div>
      {year === undefined ? <Year /> : <YearOf key={year} year={year} />}
    </section>
  )
}

interface YearSwitchProps {
  year: number
  current: number
  onYear: (year: number) => void
}

function YearSwitch({ year, current, onYear }: YearSwitchProps) {
  const { t } = useTranslation('earnings')
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, nothing is filled in
    <div className="year-switch" role="group" aria-label={t('earnings.year')}>
      <IconButton
        Icon={IconChevronLeft}
        size={18}
        stroke={1.8}
        label={t('earnings.goTo', { year: year - 1 })}
        disabled={year <= FIRST_YEAR}
        onClick={() => onYear(year - 1)}
      />
      <output>{year}</output>
      <IconButton
        Icon={IconChevronRight}
        size={18}
        stroke={1.8}
        label={t('earnings.goTo', { year: year + 1 })}
        disabled={year >= current}
        onClick={() => onYear(year + 1)}
      />
    </div>
  )
}

function YearOf({ year }: { year: number }) {
  return (
    <div className="earnings-body">
      <Loaded query={useEarningsQuery(year)} hold={<Year />}>
        {(months) => <Year known={{ year, months }} />}
      </Loaded>
    </div>
  )
}

/** A year's figures, or their places while they are on their way. */
function Year({ known }: { known?: YearProps }) {
  const { t } = useTranslation(['earnings', 'ui'])
  const sums = known && sumsOf(known.months)
  const hold = known === undefined ? { role: 'status', 'aria-label': t('ui:loading') } : {}
  return (
    <div className="earnings" {...hold}>
      <div className="earnings-sums">
        <div>
          <p className="figure">
            {sums ? <Money amount={sums.amount} /> : <Skeleton width={170} height={26} />}
          </p>
          <p className="muted small">
            {known ? t('earnings:earnings.total', { year: known.year }) : <Skeleton width={90} height={13} />}
          </p>
        </div>
        <dl className="facts earnings-legend">
          {PARTS.map((part) => {
            const name = (
              <>
                <Swatch part={part} />
                <span>{t(`earnings:earnings.part.${part}`)}</span>
              </>
            )
            return (
              <Fact key={part} name={sums ? name : <Skeleton width={80} height={14} />}>
                {sums ? formats.money(sums[part]) : <Skeleton width={70} height={14} />}
              </Fact>
            )
          })}
        </dl>
      </div>
      {known ? (
        <EarningsChart {...known} />
      ) : (
        <div className="earnings-hold">
          <Skeleton width="100%" height={110} />
        </div>
      )}
    </div>
  )
}

interface YearProps {
  year: number
  months: MonthEarnings[]
}

function EarningsChart({ year, months }: YearProps) {
  const { t } = useTranslation('earnings')
  const bars = months.map(drawnParts)
  const latest = bars.findLastIndex((parts) => parts.some((part) => part > 0))
  return (
    <BarChart
      label={t('earnings.caption', { year })}
      kind={t('earnings.kind')}
      className="earnings-chart"
      bars={bars}
      part={(_bar, at) => ({ className: 'part', style: { fill: FILLS[PARTS[at] ?? 'passive'] }, rx: 2 })}
      height={110}
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
        <div className="faint tiny earnings-axis" aria-hidden="true">
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
        <span key={part}>
          <span>
            <Swatch part={part} /> <span>{t(`earnings.part.${part}`)}</span>
          </span>{' '}
          <strong>{formats.money(month[part])}</strong>
        </span>
      ))}
      <span className="tip-sum">
        <span>{t('earnings.sum')}</span> <strong>{formats.money(month.amount)}</strong>
      </span>
      <span>
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

/** Full, hatched, dotted: different without any colour, in the legend as in the bars. */
const FILLS: Record<Part, string> = {
  passive: 'var(--accent)',
  direct: 'url(#part-hatch)',
  binary: 'url(#part-dots)',
}

/** Hatching and dots. One drawing of each serves the whole page. */
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
        <rect width="5" height="5" fill="color-mix(in srgb, var(--accent) 16%, var(--card))" />
        <rect width="2" height="5" fill="var(--accent-text)" />
      </pattern>
      <pattern id="part-dots" width="5" height="5" patternUnits="userSpaceOnUse">
        <rect width="5" height="5" fill="color-mix(in srgb, var(--accent) 16%, var(--card))" />
        <circle cx="2.5" cy="2.5" r="1.3" fill="var(--accent-text)" />
      </pattern>
    </defs>
  )
}

function Swatch({ part }: { part: Part }) {
  return (
    <svg width="12" height="12" className="part-swatch" aria-hidden="true">
      <rect x="0.5" y="0.5" width="11" height="11" rx="3" className="part" style={{ fill: FILLS[part] }} />
    </svg>
  )
}

import type { MonthEarnings } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { formats } from '../../../ui/format.ts'
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useBusinessTime, useEarningsQuery } from '../api.ts'
import { FIRST_YEAR, PARTS, sumsOf, yearFrom } from '../earnings.ts'
import { EarningsChart, Swatch } from './EarningsChart.tsx'
import './earnings.css'

/** A year of payments, month by month. */
export function EarningsCard() {
  const { t } = useTranslation('earnings')
  const id = useId()
  const now = useBusinessTime()
  const [wanted, setWanted] = useQueryState('year')
  const current = now?.getFullYear()
  const year = current === undefined ? undefined : yearFrom(wanted, current)
  const go = (next: number) => setWanted(next === current ? null : String(next))
  return (
    <section className="card card-pad" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{t('earnings.title')}</h2>
        {year === undefined || current === undefined ? (
          <Skeleton width={120} height={20} />
        ) : (
          <YearSwitch year={year} current={current} onYear={go} />
        )}
      </div>
      {year === undefined ? <YearSkeleton /> : <YearOf key={year} year={year} />}
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
      <button
        type="button"
        className="icon-button"
        aria-label={t('earnings.goTo', { year: year - 1 })}
        disabled={year <= FIRST_YEAR}
        onClick={() => onYear(year - 1)}
      >
        <IconChevronLeft size={18} stroke={1.8} aria-hidden="true" />
      </button>
      <output>{year}</output>
      <button
        type="button"
        className="icon-button"
        aria-label={t('earnings.goTo', { year: year + 1 })}
        disabled={year >= current}
        onClick={() => onYear(year + 1)}
      >
        <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
      </button>
    </div>
  )
}

function YearOf({ year }: { year: number }) {
  const { data, error, isFetching, refetch } = useEarningsQuery(year)
  if (data !== undefined) return <Year year={year} months={data} />
  if (error === undefined) return <YearSkeleton />
  return (
    <div className="earnings-failed">
      <ErrorState failure={error as Failure} onRetry={refetch} retrying={isFetching} />
    </div>
  )
}

function Year({ year, months }: { year: number; months: MonthEarnings[] }) {
  const { t } = useTranslation('earnings')
  const sums = sumsOf(months)
  const legend = PARTS.map((part) => (
    <div key={part}>
      <dt>
        <Swatch part={part} />
        {t(`earnings.part.${part}`)}
      </dt>
      <dd>{formats.money(sums[part])}</dd>
    </div>
  ))
  return (
    <Body
      total={<Money amount={sums.amount} />}
      caption={t('earnings.total', { year })}
      legend={legend}
      chart={<EarningsChart year={year} months={months} />}
    />
  )
}

/** The year's shape while its figures are on their way. */
function YearSkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div role="status" aria-label={t('loading')}>
      <Body
        total={<Skeleton width={170} height={26} />}
        caption={<Skeleton width={90} height={13} />}
        legend={PARTS.map((part) => (
          <div key={part}>
            <dt>
              <Skeleton width={80} height={14} />
            </dt>
            <dd>
              <Skeleton width={70} height={14} />
            </dd>
          </div>
        ))}
        chart={
          <div className="earnings-hold">
            <Skeleton width="100%" height={150} />
          </div>
        }
      />
    </div>
  )
}

interface BodyProps {
  total: ReactNode
  caption: ReactNode
  legend: ReactNode
  chart: ReactNode
}

function Body({ total, caption, legend, chart }: BodyProps) {
  return (
    <div className="earnings">
      <div className="earnings-sums">
        <div>
          <p className="figure">{total}</p>
          <p className="muted small">{caption}</p>
        </div>
        <dl className="earnings-legend">{legend}</dl>
      </div>
      {chart}
    </div>
  )
}

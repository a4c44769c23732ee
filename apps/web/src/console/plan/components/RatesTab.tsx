import type { DeclaredRate, PlanVersion } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { usePlace } from '../../shared/place.ts'
import { usePlans, useRatesQuery } from '../api.ts'
import { isDay, nextDay } from '../planRates.ts'
import './plan.css'
import type { Failure } from '../../../api/failure.ts'
import { RateForm } from './RateForm.tsx'

export function RatesTab() {
  const { t } = useTranslation('console/plan')
  const place = usePlace()
  const list = useRatesQuery(place.page)
  const columns = useColumns()
  const wanted = place.day ?? ''
  return (
    <div className="rates">
      <RateCard declared={list.data?.results ?? []} wantedDay={isDay(wanted) ? wanted : null} />
      <section className="card">
        <h2 className="table-title">{t('rates.title')}</h2>
        <PagedTable
          list={list}
          caption={t('rates.title')}
          columns={columns}
          rowKey={(row) => row.day}
          page={place.page}
          onPage={(page) => place.show('rates', { page })}
          empty={<EmptyState text={t('rates.empty')} />}
        />
      </section>
    </div>
  )
}

function useColumns(): Column<DeclaredRate>[] {
  const { t } = useTranslation('console/plan')
  return [
    { key: 'day', header: t('rates.day'), cell: (row) => formats.day(row.day) },
    {
      key: 'percentage',
      header: t('rates.percentage'),
      figure: true,
      cell: (row) => <strong>{formats.exactPercent(row.percentage)}</strong>,
    },
    {
      key: 'target',
      header: t('rates.target'),
      figure: true,
      cell: (row) => <span className="muted">{formats.exactPercent(row.target)}</span>,
    },
    {
      key: 'by',
      header: t('rates.by'),
      cell: (row) => (
        <span className="two-lines">
          <Name text={row.declared_by} />
          <span>{formats.dateTime(row.declared_at)}</span>
        </span>
      ),
    },
  ]
}

interface RateCardProps {
  /** Declared rates on the page that is shown: those a new one may replace. */
  declared: DeclaredRate[]
  /** The day that a link led here for. */
  wantedDay: string | null
}

/** The form, once it is known what the plan pays and what day it is. */
function RateCard({ declared, wantedDay }: RateCardProps) {
  const { t } = useTranslation('console/plan')
  const { plans, today } = usePlans()
  const versions: PlanVersion[] | undefined = plans.data
  return (
    <section className="card card-pad rate-card">
      <h2>{t('rates.declare')}</h2>
      <p className="muted small">{t('rates.declareText')}</p>
      {versions !== undefined && today !== undefined ? (
        <RateForm
          key={wantedDay ?? ''}
          versions={versions}
          declared={declared}
          firstDay={wantedDay ?? nextDay(today)}
        />
      ) : plans.isError ? (
        <ErrorState failure={plans.error as Failure} onRetry={plans.refetch} retrying={plans.isFetching} />
      ) : (
        <div className="rate-form" aria-busy="true">
          <Skeleton width="100%" height={70} />
          <Skeleton width="100%" height={108} />
          <Skeleton width="100%" height={62} />
          <Skeleton width={130} height={40} />
        </div>
      )}
    </section>
  )
}

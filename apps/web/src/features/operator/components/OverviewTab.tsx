import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Failure } from '../../../api/failure.ts'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import { ErrorState } from '../../../ui/States.tsx'
import { useOverviewQuery, useRunsQuery } from '../api.ts'
import { placeLink, usePlace } from '../place.ts'
import { OverviewCards, OverviewSkeleton } from './OverviewCards.tsx'
import { PoolCard } from './PoolCard.tsx'
import { TransfersTable, verdictFrom } from './TransfersTable.tsx'

export function OverviewTab() {
  const { t } = useTranslation('operator')
  const place = usePlace()
  const { data, error, isFetching, refetch } = useOverviewQuery()
  const verdict = verdictFrom(place.get('verdict'))
  return (
    <>
      <HeldRuns />
      {data !== undefined ? (
        <>
          <OverviewCards data={data} />
          <div className="pools">
            {data.pools.map((pool) => (
              <PoolCard
                key={pool.pool}
                pool={pool}
                capital={data.company_capital}
                wanted={place.get('pool') === pool.pool}
              />
            ))}
          </div>
        </>
      ) : error === undefined ? (
        <OverviewSkeleton />
      ) : (
        <div className="card">
          <ErrorState failure={error as Failure} onRetry={refetch} retrying={isFetching} />
        </div>
      )}
      <section className="card">
        <h2 className="table-title">{t('transfers.title')}</h2>
        <TransfersTable
          page={place.page}
          onPage={(page) => place.show('overview', { verdict, page })}
          verdict={verdict}
          onVerdict={(next) => place.show('overview', { verdict: next })}
        />
      </section>
    </>
  )
}

/** Says that somebody has to do something; silent while nobody has, and while that is not known. */
function HeldRuns() {
  const { t } = useTranslation('operator')
  const { data } = useRunsQuery({ page: 1, open: true })
  if (data?.results.some(({ state }) => state === 'held') !== true) return null
  return (
    <p className="notice notice-wait">
      <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('runs.attention')} <Link to={placeLink('runs', { state: 'open' })}>{t('runs.see')}</Link>
      </span>
    </p>
  )
}

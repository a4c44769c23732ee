import type { ReactNode } from 'react'
import type { Failure } from '../../../api/failure.ts'
import { ErrorState } from '../../../ui/States.tsx'
import { usePlace } from '../../shared/place.ts'
import { useOverviewQuery } from '../api.ts'
import { OverviewCards, OverviewSkeleton } from './OverviewCards.tsx'
import { PoolCard } from './PoolCard.tsx'

interface OverviewTabProps {
  /** Payout runs that wait for a decision. */
  notice: ReactNode
  deposits: ReactNode
}

export function OverviewTab({ notice, deposits }: OverviewTabProps) {
  const place = usePlace()
  const { data, error, isFetching, refetch } = useOverviewQuery()
  return (
    <>
      {notice}
      {data !== undefined ? (
        <>
          <OverviewCards data={data} />
          <div className="pools">
            {data.pools.map((pool) => (
              <PoolCard
                key={pool.pool}
                pool={pool}
                capital={data.company_capital}
                wanted={place.pool === pool.pool}
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
      {deposits}
    </>
  )
}

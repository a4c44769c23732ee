import type { OperatorOverview } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Address } from '../../../ui/Address.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { formats } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { Fact } from '../../shared/Fact.tsx'
import { usePlace } from '../../shared/place.ts'
import { useOverviewQuery } from '../api.ts'
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

const HELD = ['principal', 'balances', 'held', 'company_revenue', 'company_capital'] as const

/** Where every unit of money stands: what custody holds, and whose it is. */
function OverviewCards({ data }: { data: OperatorOverview }) {
  const { t } = useTranslation('console/overview')
  return (
    <div className="overview">
      <section className="card card-pad">
        <h2 className="overview-label">{t('custody')}</h2>
        <p className="figure">
          <Money amount={data.custody} />
        </p>
        <dl className="figures">
          {HELD.map((name) => (
            <Fact key={name} name={t(`${name}`)}>
              {formats.money(data[name])}
            </Fact>
          ))}
          {data.pools.map((pool) => (
            <Fact key={pool.pool} name={t(`pool.${pool.pool}.title`)}>
              {formats.money(pool.amount)}
            </Fact>
          ))}
        </dl>
        <dl className="figures owed">
          <Fact name={t('receivables')} note={t('receivablesNote')}>
            {formats.money(data.receivables)}
          </Fact>
        </dl>
      </section>
      <ChainCard data={data} />
    </div>
  )
}

/** More solid blocks than these unread, and the gateway lags. */
const LAG = 5

function ChainCard({ data }: { data: OperatorOverview }) {
  const { t } = useTranslation('console/overview')
  const { head, solid, scanned } = data.chain
  const behind = Math.max(0, solid - scanned)
  return (
    <section className="card card-pad">
      <div className="card-head">
        <h2 className="overview-label">{t('chain')}</h2>
        <span className={`badge ${behind > LAG ? 'badge-wait' : 'badge-ok'}`}>
          {behind > LAG ? t('behind', { count: behind }) : t('upToDate')}
        </span>
      </div>
      <dl className="figures">
        <Fact name={t('head')}>{formats.count(head)}</Fact>
        <Fact name={t('solid')}>{formats.count(solid)}</Fact>
        <Fact name={t('scanned')}>{formats.count(scanned)}</Fact>
        <Fact name={t('members')}>{formats.count(data.members)}</Fact>
      </dl>
      <div className="company-address">
        <p className="muted small">{t('address')}</p>
        <div>
          <Address value={data.company_address} />
          <CopyButton
            compact
            text={data.company_address}
            label={t('copyAddress')}
            confirmation={t('addressCopied')}
          />
        </div>
      </div>
    </section>
  )
}

function OverviewSkeleton() {
  return (
    <div className="overview" aria-busy="true">
      <div className="card card-pad">
        <Skeleton width={120} height={14} />
        <Skeleton width={220} height={30} />
        <Skeleton width="100%" height={180} />
      </div>
      <div className="card card-pad">
        <Skeleton width={120} height={14} />
        <Skeleton width="100%" height={210} />
      </div>
    </div>
  )
}

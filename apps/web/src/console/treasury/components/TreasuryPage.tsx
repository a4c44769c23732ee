import type { OperatorTreasury, PoolFunding } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, column, figureColumn, PagedTable, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { EmptyState, Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { usePlace } from '../../shared/place.ts'
import { quiet, usePolling } from '../../shared/useLive.ts'
import { usePoolFundingsQuery, useTreasuryQuery } from '../api.ts'
import { CapitalCard } from './CapitalCard.tsx'
import { ChainCard, FeesCard, WalletsCard } from './MachineCards.tsx'
import { PaymentsCard } from './PaymentsCard.tsx'
import { PoolCard } from './PoolCard.tsx'
import './treasury.css'

const EVERY = 30_000
const HOLD = [
  [140, 14],
  [200, 30],
  ['100%', 120],
] as const

/** The company's own money: what it has, what the pools have and how long that lasts, and the stop of all payments. */
export function TreasuryPage() {
  const { t } = useTranslation(['console/treasury', 'console/shared'])
  const query = quiet(useTreasuryQuery(undefined, usePolling(EVERY)))
  const place = usePlace()
  const hold = (
    <div className="overview">
      <SkeletonCard bars={HOLD} />
      <SkeletonCard bars={HOLD} />
    </div>
  )
  return (
    <>
      <Loaded query={query} hold={hold} card>
        {(data: OperatorTreasury) => (
          <>
            {query.isStale ? <p className="stale muted small">{t('console/shared:stale')}</p> : null}
            <div className="overview">
              <CapitalCard data={data} />
              <PaymentsCard data={data} />
              {data.pools.map((pool) => (
                <PoolCard
                  key={pool.pool}
                  pool={pool}
                  capital={data.capital}
                  wanted={place.pool === pool.pool}
                />
              ))}
              <WalletsCard wallets={data.wallets} />
              <div className="treasury-pair">
                <ChainCard chain={data.chain} failing={data.failing.length} />
                <FeesCard fees={data.fees} asOf={data.as_of} />
              </div>
            </div>
          </>
        )}
      </Loaded>
      <Fundings />
    </>
  )
}

function Fundings() {
  const { t } = useTranslation('console/treasury')
  const place = usePlace()
  const list = usePoolFundingsQuery({ page: place.page })
  const columns: Column<PoolFunding>[] = [
    column(t('fundings.date'), (row) => formats.dateTime(row.date)),
    column(t('fundings.pool'), (row) => t(`pool.${row.pool}`)),
    column(t('fundings.by'), (row) => (
      <TwoLines first={row.by ?? t('fundings.unknown')} second={row.reason === '' ? '–' : row.reason} />
    )),
    figureColumn(t('fundings.amount'), (row) => <strong>{formats.money(row.amount)}</strong>),
  ]
  return (
    <section className="card">
      <h2 className="table-title">{t('fundings.title')}</h2>
      <PagedTable
        list={list}
        caption={t('fundings.title')}
        columns={columns}
        rowKey={(row) => row.id}
        page={place.page}
        onPage={(page) => place.show('treasury', { page })}
        empty={<EmptyState text={t('fundings.none')} />}
      />
    </section>
  )
}

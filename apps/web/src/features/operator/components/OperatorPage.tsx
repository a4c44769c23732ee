import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { Failure } from '../../../api/failure.ts'
import { PageHead } from '../../../ui/PageHead.tsx'
import { pageFrom } from '../../../ui/pageWindow.ts'
import { ErrorState } from '../../../ui/States.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { useOverviewQuery } from '../api.ts'
import './operator.css'
import { OverviewCards, OverviewSkeleton } from './OverviewCards.tsx'
import { PoolCard } from './PoolCard.tsx'
import { RunsTable } from './RunsTable.tsx'
import { TransfersTable, verdictFrom } from './TransfersTable.tsx'

type Tab = 'runs' | 'transfers'

export function OperatorPage() {
  const { t } = useTranslation('operator')
  const { data, error, isFetching, refetch } = useOverviewQuery()
  usePageTitle(t('title'))
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      {data !== undefined ? (
        <>
          <OverviewCards data={data} />
          <div className="pools">
            {data.pools.map((pool) => (
              <PoolCard key={pool.pool} pool={pool} capital={data.company_capital} />
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
      <Lists />
    </div>
  )
}

function Lists() {
  const { t } = useTranslation('operator')
  const [params, setParams] = useSearchParams()
  const tab: Tab = params.get('tab') === 'transfers' ? 'transfers' : 'runs'
  const page = pageFrom(params.get('page'))
  const verdict = verdictFrom(params.get('verdict'))
  const show = (next: { tab?: Tab; page?: number; verdict?: string | null }) => {
    const query: Record<string, string> = {}
    const nextTab = next.tab ?? tab
    const nextVerdict = next.verdict === undefined ? verdict : next.verdict
    if (nextTab !== 'runs') query['tab'] = nextTab
    if (nextTab === 'transfers' && nextVerdict !== null) query['verdict'] = nextVerdict
    if (next.page !== undefined && next.page !== 1) query['page'] = String(next.page)
    setParams(query)
  }
  const tabs = [
    { key: 'runs' as const, label: t('runs.title') },
    { key: 'transfers' as const, label: t('transfers.title') },
  ]
  const place = { page, onPage: (next: number) => show({ page: next }) }
  return (
    <section className="card">
      <Tabs label={t('title')} tabs={tabs} current={tab} onChange={(next) => show({ tab: next })}>
        {tab === 'runs' ? (
          <RunsTable {...place} />
        ) : (
          <TransfersTable {...place} verdict={verdict} onVerdict={(next) => show({ verdict: next })} />
        )}
      </Tabs>
    </section>
  )
}

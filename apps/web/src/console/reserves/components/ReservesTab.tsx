import type { OperatorReserves } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '../../../ui/icons.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { quiet } from '../../shared/useLive.ts'
import { useOperatorReservesQuery } from '../api.ts'
import { AddressTable, type HeldAddress } from './AddressTable.tsx'
import { BooksCard } from './BooksCard.tsx'
import { ChecksTable } from './ChecksTable.tsx'
import { CostsCard } from './CostsCard.tsx'
import { ExplainDialog } from './ExplainDialog.tsx'
import { OutflowsTable } from './OutflowsTable.tsx'
import './reserves.css'

/** Transfers settle and readings come in while the page is open. */
const EVERY = 10_000

/** The chain against the books: whether they match, where they do not, and how to explain what stays. */
export function ReservesTab() {
  const { t } = useTranslation(['console/reserves', 'console/shared'])
  const visible = usePageVisible()
  const query = quiet(
    useOperatorReservesQuery(undefined, {
      pollingInterval: visible ? EVERY : 0,
      refetchOnMountOrArgChange: true,
    }),
  )
  const [asked, setAsked] = useState<HeldAddress | null>(null)
  const { data } = query
  if (data === undefined) {
    return query.error === undefined ? (
      <ReservesSkeleton />
    ) : (
      <div className="card">
        <ErrorState failure={query.error as Failure} onRetry={query.refetch} retrying={query.isFetching} />
      </div>
    )
  }
  return (
    <>
      <ReservesState data={data} />
      {query.isStale ? <p className="stale muted small">{t('console/shared:stale')}</p> : null}
      <div className="overview">
        <BooksCard books={data.books} />
        <CostsCard costs={data.costs} />
      </div>
      <section className="card">
        <h2 className="table-title">{t('addresses.title')}</h2>
        <AddressTable addresses={data.addresses} onExplain={setAsked} />
      </section>
      <section className="card">
        <h2 className="table-title">{t('outflows.title')}</h2>
        {data.outflows.length === 0 ? (
          <EmptyState text={t('outflows.none')} />
        ) : (
          <OutflowsTable outflows={data.outflows} />
        )}
      </section>
      <section className="card">
        <h2 className="table-title">{t('checks.title')}</h2>
        <ChecksTable checks={data.checks} />
      </section>
      {asked === null ? null : <ExplainDialog address={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

const REASONS = ['outflow', 'missing', 'surplus', 'books'] as const

/** Whether money is stopped, why, and since when; else how the last comparison ended. */
function ReservesState({ data }: { data: OperatorReserves }) {
  const { t } = useTranslation(['console/reserves', 'console/shared'])
  const formats = useFormats()
  const [last] = data.checks
  if (data.stopped) {
    const reason = REASONS.find((name) => name === data.reason) ?? 'books'
    return (
      <p className="notice notice-bad" role="status">
        <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
        <span>
          <strong>{t(`reason.${reason}`)}</strong>{' '}
          {t('stopped', { date: formats.dateTime(data.since ?? '') })}
        </span>
      </p>
    )
  }
  const matches = last?.verdict === 'matched'
  const Icon = matches ? IconCircleCheck : IconClock
  return (
    <p className={`notice ${matches ? 'notice-ok' : ''}`} role="status">
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {last === undefined
          ? t('never')
          : t(matches ? 'matched' : 'waiting', { date: formats.dateTime(last.at) })}
      </span>
    </p>
  )
}

function ReservesSkeleton() {
  return (
    <div className="page-stack" aria-busy="true">
      <Skeleton width="100%" height={42} />
      <div className="overview">
        <div className="card card-pad">
          <Skeleton width={140} height={14} />
          <Skeleton width="100%" height={120} />
        </div>
        <div className="card card-pad">
          <Skeleton width={140} height={14} />
          <Skeleton width="100%" height={120} />
        </div>
      </div>
      <div className="card card-pad">
        <Skeleton width="100%" height={180} />
      </div>
    </div>
  )
}

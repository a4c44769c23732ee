import type { OperatorReserves } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle, IconCircleCheck, IconClock, IconExternalLink } from '../../../ui/icons.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { quiet } from '../../shared/useLive.ts'
import { useLastComparisonQuery, useOperatorReservesQuery } from '../api.ts'
import { AddressTable, differs, type HeldAddress } from './AddressTable.tsx'
import { ChecksTable } from './ChecksTable.tsx'
import { ExplainDialog } from './ExplainDialog.tsx'
import './reserves.css'
import { Link } from 'react-router'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { shortHash } from '../../../ui/groups.ts'
import { Fact } from '../../shared/Fact.tsx'
import { placeLink } from '../../shared/place.ts'

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

/** Each wallet's addresses in sum, against what the ledger says. */
function BooksCard({ books }: { books: OperatorReserves['books'] }) {
  const { t } = useTranslation('console/reserves')
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('books.title')}</h2>
      <dl className="figures">
        {books.map((row) => (
          <Fact key={row.wallet} name={t(`wallet.${row.wallet}`)} note={noteOf(row)}>
            {formats.exact(row.holding)}
          </Fact>
        ))}
      </dl>
      <p className="muted small">{t('books.text')}</p>
    </section>
  )

  function noteOf(row: OperatorReserves['books'][number]): string {
    const facts = { book: formats.exact(row.book), pending: formats.exact(row.pending) }
    if (differs(row)) return t('books.differs', { difference: formats.exact(row.difference) })
    return t(/[1-9]/.test(row.pending) ? 'books.pending' : 'books.same', facts)
  }
}

/** What our transfers cost in fees of the network. */
function CostsCard({ costs }: { costs: OperatorReserves['costs'] }) {
  const { t } = useTranslation('console/reserves')
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('costs.title')}</h2>
      {costs.length === 0 ? (
        <p className="muted">{t('costs.none')}</p>
      ) : (
        <dl className="figures">
          {costs.map(({ purpose, transfers, trx }) => (
            <Fact
              key={purpose}
              name={t(`purpose.${purpose}`)}
              note={t('costs.transfers', { count: transfers })}
            >
              {formats.exact(trx)} TRX
            </Fact>
          ))}
        </dl>
      )}
    </section>
  )
}

type Outflow = OperatorReserves['outflows'][number]

/** Transfers out of our addresses that we did not make. */
function OutflowsTable({ outflows }: { outflows: Outflow[] }) {
  const { t } = useTranslation(['console/reserves', 'ui'])
  const columns: Column<Outflow>[] = [
    { key: 'date', header: t('console/reserves:outflows.date'), cell: (row) => formats.dateTime(row.date) },
    {
      key: 'value',
      header: t('console/reserves:outflows.value'),
      figure: true,
      cell: (row) => `${formats.exact(row.value)} USDT`,
    },
    {
      key: 'from',
      header: t('console/reserves:outflows.from'),
      cell: (row) => <span className="hash">{shortHash(row.from)}</span>,
    },
    {
      key: 'to',
      header: t('console/reserves:outflows.to'),
      cell: (row) => <span className="hash">{shortHash(row.to)}</span>,
    },
    {
      key: 'hash',
      header: t('console/reserves:outflows.hash'),
      cell: (row) =>
        row.explorer_url === null ? (
          shortHash(row.txid)
        ) : (
          <a href={row.explorer_url} target="_blank" rel="noreferrer" className="hash-link">
            {shortHash(row.txid)}
            <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
            <span className="visually-hidden">{t('ui:opensNewTab')}</span>
          </a>
        ),
    },
  ]
  return (
    <DataTable
      caption={t('console/reserves:outflows.title')}
      columns={columns}
      rows={outflows}
      rowKey={({ txid, to, value }) => `${txid}-${to}-${value}`}
    />
  )
}

/** On every other tab: that nothing is paid at the moment, and where to look. */
export function StoppedNotice() {
  const { t } = useTranslation('console/reserves')
  const { data } = useLastComparisonQuery()
  if (data?.verdict !== 'unexplained') return null
  return (
    <p className="notice notice-bad">
      <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('attention')} <Link to={placeLink('reserves')}>{t('see')}</Link>
      </span>
    </p>
  )
}

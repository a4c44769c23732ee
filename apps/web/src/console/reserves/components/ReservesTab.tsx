import type { OperatorReserves } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, column, DataTable, figureColumn } from '../../../ui/DataTable.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { EmptyState, Loaded, Skeleton, SkeletonCard } from '../../../ui/States.tsx'
import { placeLink } from '../../shared/place.ts'
import { quiet, STANDBY, usePolling } from '../../shared/useLive.ts'
import { useLastComparisonQuery, useOperatorReservesQuery } from '../api.ts'
import { AddressTable, differs, ExplainDialog, type HeldAddress, MoreButton } from './AddressTable.tsx'
import './reserves.css'

/** The chain against the books: whether they match, where they do not, and how to explain what stays. */
export function ReservesTab() {
  const { t } = useTranslation(['console/reserves', 'console/shared'])
  const query = quiet(useOperatorReservesQuery(undefined, usePolling(STANDBY)))
  // What was read when it was asked stays what is decided, while the page may learn of news.
  const [asked, setAsked] = useState<HeldAddress | null>(null)
  return (
    <Loaded query={query} hold={<ReservesSkeleton />} card>
      {(data) => (
        <>
          <ReservesState data={data} />
          <Altered differences={data.integrity.differences} />
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
      )}
    </Loaded>
  )
}

const REASONS = ['outflow', 'missing', 'surplus', 'books', 'altered', 'restored', 'operator'] as const

/** Whether money is stopped, why, and since when; else how the last comparison ended. */
function ReservesState({ data }: { data: OperatorReserves }) {
  const { t } = useTranslation('console/reserves')
  const [last] = data.checks
  if (data.stopped) {
    const reason = REASONS.find((name) => name === data.reason) ?? 'books'
    return (
      <Notice kind="bad" icon={IconAlertTriangle} role="status">
        <strong>{t(`reason.${reason}`)}</strong>{' '}
        <span>{t('stopped', { date: formats.dateTime(data.since ?? '') })}</span>
      </Notice>
    )
  }
  const matches = last?.verdict === 'matched'
  return (
    <Notice kind={matches ? 'ok' : undefined} icon={matches ? IconCircleCheck : IconClock} role="status">
      {last === undefined
        ? t('never')
        : t(matches ? 'matched' : 'waiting', { date: formats.dateTime(last.at) })}
    </Notice>
  )
}

/** What of the database is not as this version made it. */
function Altered({ differences }: { differences: readonly string[] }) {
  const { t } = useTranslation('console/reserves')
  if (differences.length === 0) return null
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('altered')}</h2>
      <ul className="reserves-altered">
        {differences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

const HOLD = [
  [140, 14],
  ['100%', 120],
] as const

function ReservesSkeleton() {
  return (
    <div className="page-stack" aria-busy="true">
      <Skeleton width="100%" height={42} />
      <div className="overview">
        <SkeletonCard bars={HOLD} />
        <SkeletonCard bars={HOLD} />
      </div>
      <SkeletonCard bars={[['100%', 180]]} />
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
              {`${formats.exact(trx)} TRX`}
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
  const { t } = useTranslation('console/reserves')
  const columns: Column<Outflow>[] = [
    column(t('outflows.date'), (row) => formats.dateTime(row.date)),
    figureColumn(t('outflows.value'), (row) => `${formats.exact(row.value)} USDT`),
    column(t('outflows.from'), (row) => (
      <span className="hash" translate="no">
        {shortHash(row.from)}
      </span>
    )),
    column(t('outflows.to'), (row) => (
      <span className="hash" translate="no">
        {shortHash(row.to)}
      </span>
    )),
    column(t('outflows.hash'), (row) => (
      <OutsideLink href={row.explorer_url} className="outside-link nowrap">
        {shortHash(row.txid)}
      </OutsideLink>
    )),
  ]
  return (
    <DataTable
      caption={t('outflows.title')}
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
  if (data?.verdict !== 'unexplained' && data?.verdict !== 'paused') return null
  return (
    <Notice kind="bad" icon={IconAlertTriangle}>
      <span>{t(data.verdict === 'paused' ? 'attentionAltered' : 'attention')}</span>{' '}
      <Link to={placeLink(data.verdict === 'paused' ? 'today' : 'reserves')}>{t('see')}</Link>
    </Notice>
  )
}

type Check = OperatorReserves['checks'][number]

const BADGE = { matched: 'badge-ok', unexplained: 'badge-bad', waiting: 'badge-wait' } as const
const FEW = 8

function ChecksTable({ checks }: { checks: Check[] }) {
  const { t } = useTranslation('console/reserves')
  const [all, setAll] = useState(false)
  const columns: Column<Check>[] = [
    column(t('checks.at'), (row) => formats.shortStamp(row.at)),
    column(t('checks.verdict'), (row) => (
      <span className={`badge ${BADGE[row.verdict]}`}>{t(`verdict.${row.verdict}`)}</span>
    )),
    figureColumn(t('checks.drift'), (row) => (/[1-9]/.test(row.drift) ? formats.exact(row.drift) : '–')),
    figureColumn(t('checks.custody'), (row) => formats.money(row.custody)),
    figureColumn(t('checks.owed'), (row) => formats.money(row.owed)),
  ]
  if (checks.length === 0) return <EmptyState text={t('never')} />
  return (
    <>
      <DataTable
        caption={t('checks.title')}
        columns={columns}
        rows={all ? checks : checks.slice(0, FEW)}
        rowKey={({ id }) => id}
      />
      {all || checks.length <= FEW ? null : (
        <MoreButton text={t('checks.more', { count: checks.length - FEW })} onPress={setAll} />
      )}
    </>
  )
}

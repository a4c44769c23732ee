import { Chips } from '../../shared/Chips.tsx'
import { placeLink, usePlace } from '../../shared/place.ts'
import { ThreadView } from './ThreadView.tsx'
import './support.css'
import type { SupportState, SupportThread } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Column, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { quiet, usePolling } from '../../shared/useLive.ts'
import { THREAD_QUEUES, useSupportThreadsQuery } from '../api.ts'

/** The list of conversations, or the one whose member the address names. */
export function SupportTab() {
  const { member } = usePlace()
  if (/^[1-9]\d{0,14}$/.test(member)) return <ThreadView key={member} member={Number(member)} />
  return <SupportThreads />
}

/** Members write at any time. */
const EVERY = 10_000

/** Conversations by whose turn it is; who waits longest comes first. */
function SupportThreads() {
  const { t } = useTranslation(['console/support', 'console/shared'])
  const place = usePlace()
  const state = THREAD_QUEUES.find((name) => name === place.state) ?? 'open'
  const list = quiet(useSupportThreadsQuery({ state, page: place.page }, usePolling(EVERY)))
  const go = (next: SupportState, page = 1) =>
    place.show('support', { state: next === 'open' ? null : next, page })
  return (
    <section className="card">
      <Chips
        label={t('filter')}
        choices={THREAD_QUEUES}
        current={state}
        textOf={(choice) => t(`queue.${choice}`)}
        onChoose={go}
      />
      {list.isStale ? <p className="stale muted small">{t('console/shared:stale')}</p> : null}
      <div className="linked-rows">
        <PagedTable
          list={list}
          caption={t('title')}
          columns={useColumns(state)}
          rowKey={(row) => row.member_id}
          page={place.page}
          onPage={(page) => go(state, page)}
          empty={<EmptyState text={t(`none.${state}`)} />}
        />
      </div>
    </section>
  )
}

function useColumns(state: SupportState): Column<SupportThread>[] {
  const { t } = useTranslation('console/support')
  return [
    {
      header: t('member'),
      cell: (row) => (
        <span className="two-lines">
          <Link
            to={placeLink('support', {
              state: state === 'open' ? null : state,
              member: String(row.member_id),
            })}
            className="row-link"
          >
            <Name text={row.username} />
          </Link>
          <span>
            <Name text={row.email} />
          </span>
        </span>
      ),
    },
    {
      header: t('message'),
      cell: (row) => (
        <span className="thread-excerpt">
          {row.topic === null ? null : <strong>{t(`topics.${row.topic}`)}</strong>}
          <span dir="auto">{row.excerpt}</span>
          {row.unread === 0 ? null : (
            <span className="badge badge-accent">{t('unread', { count: row.unread })}</span>
          )}
        </span>
      ),
    },
    {
      header: t(state === 'open' ? 'waiting' : 'date'),
      cell: (row) => formats.shortStamp(row.waiting_since ?? row.date),
    },
  ]
}

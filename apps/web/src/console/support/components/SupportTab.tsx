import type { SupportQueue, SupportThread } from '@aval/contract'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { type Column, column, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useAgeWords } from '../../shared/DueMark.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { FilteredTable } from '../../shared/FilteredTable.tsx'
import { pagePath, placeLink, usePlace } from '../../shared/place.ts'
import { Shortcuts } from '../../shared/Shortcuts.tsx'
import { quiet, STANDBY, usePolling } from '../../shared/useLive.ts'
import { useRowKeys } from '../../shared/useRowKeys.ts'
import { THREAD_QUEUES, useSupportThreadsQuery } from '../api.ts'
import { AnswerTimes } from './AnswerTimes.tsx'
import { Templates } from './Templates.tsx'
import { ThreadView } from './ThreadView.tsx'
import './support.css'

export const TEMPLATES = `${pagePath('support')}/templates`

/** The list of conversations, the one whose member the address names, or the templates. */
export function SupportTab() {
  const { member } = usePlace()
  const { pathname } = useLocation()
  if (pathname.replace(/\/$/, '') === TEMPLATES) return <Templates />
  if (/^[1-9]\d{0,14}$/.test(member)) return <ThreadView key={member} member={Number(member)} />
  return <SupportThreads />
}

/** Conversations by whose turn it is; who waits longest comes first. */
function SupportThreads() {
  const { t } = useTranslation('console/support')
  const place = usePlace()
  const state = THREAD_QUEUES.find((name) => name === place.state) ?? 'open'
  const list = quiet(useSupportThreadsQuery({ state, page: place.page }, usePolling(STANDBY)))
  const box = useRef<HTMLElement>(null)
  const { move } = useRowKeys(box)
  return (
    <section ref={box} className="card linked-rows">
      <div className="thread-tools">
        <AnswerTimes />
      </div>
      <FilteredTable
        filter={t('filter')}
        choices={THREAD_QUEUES}
        current={state}
        textOf={(choice) => t(`queue.${choice}`)}
        onShow={(next, page) => place.show('support', { state: next === 'open' ? null : next, page })}
        list={list}
        tools={
          <div className="row-12 row-end">
            <Shortcuts
              keys={[
                { name: 'j', does: t('keys.next'), run: () => move(1) },
                { name: 'k', does: t('keys.previous'), run: () => move(-1) },
                { name: 'Enter', does: t('keys.open') },
              ]}
            />
            <Link to={TEMPLATES} className="button button-secondary button-small">
              {t('templates.title')}
            </Link>
            <ExportButton path={`operator/support/export/?state=${state}`} />
          </div>
        }
        caption={t('title')}
        columns={useColumns(state)}
        rowKey={(row) => row.member_id}
        page={place.page}
        empty={<EmptyState text={t(`none.${state}`)} />}
      />
    </section>
  )
}

const isWaiting = (state: SupportQueue) => state === 'open' || state === 'unassigned'

function useColumns(state: SupportQueue): Column<SupportThread>[] {
  const { t } = useTranslation('console/support')
  const sayAge = useAgeWords()
  return [
    column(t('member'), (row) => (
      <TwoLines
        first={
          <Link
            to={placeLink('support', {
              state: state === 'open' ? null : state,
              member: String(row.member_id),
            })}
            className="row-link"
          >
            <Name text={row.username} />
          </Link>
        }
        second={<Name text={row.email} />}
      />
    )),
    column(t('message'), (row) => (
      <span className="thread-excerpt">
        {row.topic === null ? null : <strong>{t(`topics.${row.topic}`)}</strong>}
        <span dir="auto">{row.excerpt}</span>
        {row.unread === 0 ? null : (
          <span className="badge badge-accent">{t('unread', { count: row.unread })}</span>
        )}
      </span>
    )),
    column(t('assigned'), (row) =>
      row.assigned === null ? (
        <span className="faint">{t('nobody')}</span>
      ) : (
        <Name text={row.assigned.operator} />
      ),
    ),
    column(t(isWaiting(state) ? 'waiting' : 'date'), (row) => (
      <TwoLines
        first={formats.shortStamp(row.waiting_since ?? row.date)}
        second={row.waited_seconds === null ? null : sayAge(row.waited_seconds)}
      />
    )),
  ]
}

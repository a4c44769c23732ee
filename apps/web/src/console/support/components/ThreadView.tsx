import type { SupportConversation } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Conversation, type Spoken } from '../../../ui/Conversation.tsx'
import { IconChevronLeft } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState, Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { useReadMark } from '../../../ui/useReadMark.ts'
import { useScrollback } from '../../../ui/useScrollback.ts'
import { useAbilities } from '../../shared/abilities.ts'
import { EndSessions } from '../../shared/EndSessions.tsx'
import { Notes } from '../../shared/Notes.tsx'
import { placeLink, usePlace } from '../../shared/place.ts'
import { type Shortcut, Shortcuts } from '../../shared/Shortcuts.tsx'
import { quiet, STANDBY } from '../../shared/useLive.ts'
import {
  THREAD_QUEUES,
  useMarkThreadSeenMutation,
  useSupportConversationQuery,
  useSupportThreadsQuery,
} from '../api.ts'
import { AboutMember } from './AboutMember.tsx'
import { AnswerForm } from './AnswerForm.tsx'
import { Assigned } from './Assigned.tsx'
import './support.css'

interface ThreadViewProps {
  member: number
  /** On the member's own page: nothing leads back to the list, who it is stands around it, and there may be no conversation yet. */
  within?: boolean
}

/** One member's conversation, and what an operator may do about it. */
export function ThreadView({ member, within = false }: ThreadViewProps) {
  const { t } = useTranslation('console/support')
  const place = usePlace()
  const [, setPage] = useQueryState('page', parseAsPage)
  const input = useRef<HTMLTextAreaElement>(null)
  const keys = useThreadKeys(member, input)
  const { may } = useAbilities()
  const visible = usePageVisible()
  const state = place.state
  const query = useSupportConversationQuery(
    { member, page: place.page },
    { pollingInterval: visible ? STANDBY : 0, refetchOnMountOrArgChange: true },
  )
  const shown = quiet(query)
  const [mark] = useMarkThreadSeenMutation()
  const newest = place.page === 1 ? query.currentData : undefined
  const read = { id: newest?.results[0]?.id ?? 0, unread: newest?.thread.unread ?? 0 }
  // Who may not answer has not seen it for the company.
  useReadMark(read, visible && may('support.answer'), (id) => mark({ member, id }))
  if (within && (query.error as Failure | undefined)?.status === 404)
    return (
      <section className="card">
        <EmptyState text={t('noThread')} />
      </section>
    )
  return (
    <>
      {within ? null : (
        <div className="row-12 row-apart">
          <Link to={placeLink('support', { state })} className="back-link">
            <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
            <span>{t('back')}</span>
          </Link>
          <Shortcuts keys={keys} />
        </div>
      )}
      <Loaded query={shown} hold={<SkeletonCard bars={HOLD} />} card>
        {(conversation) => (
          <div className={within ? undefined : 'chat-beside'}>
            <section className="card thread" aria-labelledby="thread-title">
              <ThreadHead conversation={conversation} isStale={shown.isStale} />
              <Assigned thread={conversation.thread} />
              <ThreadMessages conversation={conversation} />
              <Pagination page={place.page} total={conversation.total_pages} onPage={setPage} />
              {place.page === 1 && may('support.answer') ? (
                <AnswerForm conversation={conversation} input={input} />
              ) : null}
            </section>
            {within ? null : (
              <aside className="chat-side stack-16">
                <AboutMember member={member} />
                <Notes member={member} />
              </aside>
            )}
          </div>
        )}
      </Loaded>
    </>
  )
}

/** To the conversation before and after it in the queue that it was opened from, and to the answer. */
function useThreadKeys(member: number, input: RefObject<HTMLTextAreaElement | null>): readonly Shortcut[] {
  const { t } = useTranslation('console/support')
  const place = usePlace()
  const state = THREAD_QUEUES.find((name) => name === place.state) ?? 'open'
  const { data } = useSupportThreadsQuery({ state, page: 1 })
  const go = (by: 1 | -1) => {
    const ids = data?.results.map(({ member_id: id }) => id) ?? []
    const at = ids.indexOf(member)
    // Once it is answered it has left the queue: then the first is the next.
    const next = at < 0 ? ids[0] : ids[at + by]
    if (next !== undefined) place.show('support', { state: place.state, member: String(next) })
  }
  return [
    { name: 'j', does: t('keys.next'), run: () => go(1) },
    { name: 'k', does: t('keys.previous'), run: () => go(-1) },
    { name: 'r', does: t('keys.answer'), run: () => input.current?.focus() },
  ]
}

const HOLD = [
  [240, 24],
  ['60%', 44],
  ['50%', 44],
] as const

interface ThreadHeadProps {
  conversation: SupportConversation
  isStale: boolean
}

const BADGES = { open: 'badge-wait', answered: 'badge-ok', closed: '' } as const

function ThreadHead({ conversation: { thread }, isStale }: ThreadHeadProps) {
  const { t } = useTranslation(['console/support', 'console/shared'])
  const title = useRef<HTMLHeadingElement>(null)
  // The link that led here is gone: the focus would be nowhere.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="thread-head row-12 row-apart one-line">
      <div>
        <h2 id="thread-title" ref={title} tabIndex={-1}>
          <span className="visually-hidden">{t('conversation', { member: thread.username })}</span>
          <span aria-hidden="true">
            <Name text={thread.username} />
          </span>
        </h2>
        <p className="muted small">
          <Name text={thread.email} />
        </p>
        {isStale ? <p className="muted small">{t('console/shared:stale')}</p> : null}
      </div>
      <div className="row-8 row-end">
        <EndSessions member={thread.member_id} username={thread.username} />
        <span className={`badge ${BADGES[thread.state]}`}>{t(`state.${thread.state}`)}</span>
      </div>
    </div>
  )
}

/** As an operator sees it: the company's words are one's own, with the name of who wrote them. */
function ThreadMessages({ conversation: { results, thread } }: { conversation: SupportConversation }) {
  const { t } = useTranslation('console/support')
  const spoken = [...results].reverse().map((message): Spoken => {
    const isOwn = message.from === 'support'
    return {
      key: String(message.id),
      own: isOwn,
      author: isOwn ? (message.operator ?? '') : thread.username,
      date: message.date,
      text: message.text,
      tag: message.topic === null ? undefined : t(`topics.${message.topic}`),
      note: isOwn ? <span>{`${message.operator} · ${t(message.seen ? 'seen' : 'sent')}`}</span> : null,
    }
  })
  const { log } = useScrollback(spoken)
  return (
    <div {...log} role="log" className="thread-messages" aria-label={t('messages')}>
      <Conversation messages={spoken} />
    </div>
  )
}

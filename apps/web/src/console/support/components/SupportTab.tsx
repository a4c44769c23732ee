import type { SupportConversation, SupportState, SupportThread } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { type Failure, isUnanswered } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Composer } from '../../../ui/Composer.tsx'
import { Conversation, type Spoken } from '../../../ui/Conversation.tsx'
import { type Column, column, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { IconChevronLeft } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState, Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { useReadMark } from '../../../ui/useReadMark.ts'
import { useScrollback } from '../../../ui/useScrollback.ts'
import { FailureNotice } from '../../shared/DecisionForm.tsx'
import { EndSessions } from '../../shared/EndSessions.tsx'
import { FilteredTable } from '../../shared/FilteredTable.tsx'
import { memberLink } from '../../shared/memberLink.ts'
import { placeLink, usePlace } from '../../shared/place.ts'
import { useElevated } from '../../shared/useElevated.ts'
import { quiet, usePolling } from '../../shared/useLive.ts'
import {
  THREAD_QUEUES,
  useAnswerMemberMutation,
  useCloseThreadMutation,
  useMarkThreadSeenMutation,
  useSupportConversationQuery,
  useSupportThreadsQuery,
} from '../api.ts'
import './support.css'

/** The list of conversations, or the one whose member the address names. */
export function SupportTab() {
  const { member } = usePlace()
  if (/^[1-9]\d{0,14}$/.test(member)) return <ThreadView key={member} member={Number(member)} />
  return <SupportThreads />
}

/** Members write at any time. */
const LIST_EVERY = 10_000

/** Conversations by whose turn it is; who waits longest comes first. */
function SupportThreads() {
  const { t } = useTranslation('console/support')
  const place = usePlace()
  const state = THREAD_QUEUES.find((name) => name === place.state) ?? 'open'
  const list = quiet(useSupportThreadsQuery({ state, page: place.page }, usePolling(LIST_EVERY)))
  return (
    <section className="card linked-rows">
      <FilteredTable
        filter={t('filter')}
        choices={THREAD_QUEUES}
        current={state}
        textOf={(choice) => t(`queue.${choice}`)}
        onShow={(next, page) => place.show('support', { state: next === 'open' ? null : next, page })}
        list={list}
        caption={t('title')}
        columns={useColumns(state)}
        rowKey={(row) => row.member_id}
        page={place.page}
        empty={<EmptyState text={t(`none.${state}`)} />}
      />
    </section>
  )
}

function useColumns(state: SupportState): Column<SupportThread>[] {
  const { t } = useTranslation('console/support')
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
    column(t(state === 'open' ? 'waiting' : 'date'), (row) =>
      formats.shortStamp(row.waiting_since ?? row.date),
    ),
  ]
}

/** The member may write while the answer is written. */
const THREAD_EVERY = 5000

interface ThreadViewProps {
  member: number
  /** On the member's own page: nothing leads back to the list, and there may be no conversation yet. */
  within?: boolean
}

/** One member's conversation, and what an operator may do about it. */
export function ThreadView({ member, within = false }: ThreadViewProps) {
  const { t } = useTranslation('console/support')
  const place = usePlace()
  const [, setPage] = useQueryState('page', parseAsPage)
  const visible = usePageVisible()
  const state = place.state
  const query = useSupportConversationQuery(
    { member, page: place.page },
    { pollingInterval: visible ? THREAD_EVERY : 0, refetchOnMountOrArgChange: true },
  )
  const shown = quiet(query)
  const [mark] = useMarkThreadSeenMutation()
  const newest = place.page === 1 ? query.currentData : undefined
  const read = { id: newest?.results[0]?.id ?? 0, unread: newest?.thread.unread ?? 0 }
  useReadMark(read, visible, (id) => mark({ member, id }))
  if (within && (query.error as Failure | undefined)?.status === 404)
    return (
      <section className="card">
        <EmptyState text={t('noThread')} />
      </section>
    )
  return (
    <>
      {within ? null : (
        <Link to={placeLink('support', { state })} className="back-link">
          <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
          {t('back')}
        </Link>
      )}
      <Loaded query={shown} hold={<SkeletonCard bars={HOLD} />} card>
        {(conversation) => (
          <section className="card thread" aria-labelledby="thread-title">
            <ThreadHead conversation={conversation} isStale={shown.isStale} />
            <ThreadMessages conversation={conversation} />
            <Pagination page={place.page} total={conversation.total_pages} onPage={setPage} />
            {place.page === 1 ? <AnswerForm conversation={conversation} /> : null}
          </section>
        )}
      </Loaded>
    </>
  )
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
        <p className="small">
          <Link to={memberLink(thread.member_id)}>{t('memberPage')}</Link>
        </p>
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
      note: isOwn ? (
        <span>
          {message.operator} · {t(message.seen ? 'seen' : 'sent')}
        </span>
      ) : null,
    }
  })
  const { log } = useScrollback(spoken)
  return (
    <div {...log} role="log" className="thread-messages" aria-label={t('messages')}>
      <Conversation messages={spoken} />
    </div>
  )
}

/** As the server counts. */
const LONGEST = 2000

/** Answers, or sets aside, what was read so far: what the member writes meanwhile goes on waiting. */
function AnswerForm({ conversation }: { conversation: SupportConversation }) {
  const { t } = useTranslation('console/support')
  const { thread, results } = conversation
  const member = thread.member_id
  const seen = results[0]?.id ?? 0
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [answer, { isLoading: isAnswering }] = useAnswerMemberMutation()
  const [close, { isLoading: isClosing }] = useCloseThreadMutation()
  const elevated = useElevated()
  const attempt = useRef(new AttemptKey())
  const input = useRef<HTMLTextAreaElement>(null)
  /** What was read when the present words were first sent: trying them again is the same attempt. */
  const tried = useRef<{ text: string; seen: number } | null>(null)

  const send = async (words: string) => {
    if (tried.current?.text !== words) tried.current = { text: words, seen }
    const body = { member, ...tried.current }
    const idempotencyKey = attempt.current.for(body)
    const outcome = await elevated(() => answer({ ...body, idempotencyKey }))
    const refused = (outcome.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    if (refused === null || !isUnanswered(refused)) tried.current = null
    if (refused !== null) return
    setText('')
    toast.success(t('answered'))
    input.current?.focus({ preventScroll: true })
  }
  const setAside = async () => {
    const outcome = await elevated(() => close({ member, id: seen }))
    setFailure((outcome.error as Failure | undefined) ?? null)
    if (outcome.data !== undefined) toast.success(outcome.data.message)
  }
  return (
    <div className="thread-answer stack-8">
      <Composer
        ref={input}
        label={t('answer')}
        placeholder={t('placeholder')}
        sendLabel={t('send')}
        longest={LONGEST}
        enterSends={false}
        busy={isAnswering}
        value={text}
        onChange={setText}
        onSend={(words) => void send(words)}
      />
      <FailureNotice failure={failure} />
      <div className="row-8 row-apart">
        <p className="muted small">{t('hint')}</p>
        {thread.state === 'closed' ? null : (
          <Button size="small" busy={isClosing} onClick={() => void setAside()}>
            {t(thread.state === 'open' ? 'close' : 'closeAnswered')}
          </Button>
        )}
      </div>
    </div>
  )
}

import type { CurrentUser, SupportMessage, SupportTopic } from '@aval/contract'
import { firstCharacters } from '@aval/contract/characters'
import { useFocusTrap, useMediaQuery } from '@mantine/hooks'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { storage } from '../../../api/storage.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Composer } from '../../../ui/Composer.tsx'
import { Conversation, type Spoken } from '../../../ui/Conversation.tsx'
import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2, IconX } from '../../../ui/icons.ts'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useScrollback } from '../../../ui/useScrollback.ts'
import { type Draft, loadDraft, NO_DRAFT, saveDraft, TOPICS } from '../keeping.ts'
import type { Unsent } from '../outbox.ts'
import { useConversation } from '../useConversation.ts'
import './chatWindow.css'

/** As the server counts. */
const LONGEST = 2000
const PHONE = '(max-width: 575px)'

export interface ChatWindowProps {
  user: CurrentUser
  onClose: () => void
}

export function ChatWindow({ user, onClose }: ChatWindowProps) {
  const { t } = useTranslation('support')
  const id = useId()
  const isPhone = useMediaQuery(PHONE, window.matchMedia(PHONE).matches)
  const [isWide, setWide] = useState(false)
  const trap = useFocusTrap(isPhone === true)
  const input = useRef<HTMLTextAreaElement>(null)
  const chat = useConversation(user.id)
  const { draft, setDraft, choose } = useDraft(user, input)

  // On a phone its keyboard would cover half of what is to be read: there the trap begins at the title.
  useEffect(() => {
    if (!window.matchMedia(PHONE).matches) input.current?.focus({ preventScroll: true })
  }, [])

  const send = (text: string) => {
    void chat.outbox.add(text, draft.topic, new Date().toISOString())
    setDraft(NO_DRAFT)
    input.current?.focus({ preventScroll: true })
  }
  return (
    <div
      ref={trap}
      className="chat"
      role="dialog"
      aria-modal={isPhone === true || undefined}
      aria-labelledby={id}
      tabIndex={-1}
      data-wide={isWide}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <ChatHead titleId={id} isWide={isWide} onWiden={() => setWide(!isWide)} onClose={onClose} />
      <ChatThread chat={chat} topic={draft.topic} onTopic={choose} />
      <div className="stack-8 chat-foot">
        {draft.topic === null ? null : (
          <Topic topic={draft.topic} onRemove={() => setDraft({ ...draft, topic: null })} />
        )}
        <Composer
          ref={input}
          label={t('message')}
          placeholder={t('placeholder')}
          sendLabel={t('send')}
          longest={LONGEST}
          enterSends
          value={draft.text}
          onChange={(text) => setDraft({ ...draft, text })}
          onSend={send}
        />
      </div>
    </div>
  )
}

interface ChatHeadProps {
  titleId: string
  isWide: boolean
  onWiden: () => void
  onClose: () => void
}

function ChatHead({ titleId, isWide, onWiden, onClose }: ChatHeadProps) {
  const { t } = useTranslation('support')
  return (
    <div className="chat-head">
      <h2 id={titleId} tabIndex={-1} data-autofocus>
        {t('title')}
      </h2>
      <IconButton
        Icon={isWide ? IconArrowsDiagonalMinimize2 : IconArrowsDiagonal}
        size={18}
        className="chat-widen"
        label={t(isWide ? 'narrow' : 'widen')}
        tip
        onClick={onWiden}
      />
      <IconButton Icon={IconX} label={t('close')} onClick={onClose} />
    </div>
  )
}

function Topic({ topic, onRemove }: { topic: SupportTopic; onRemove: () => void }) {
  const { t } = useTranslation('support')
  return (
    <p className="card-head chat-topic muted small">
      <span>
        <span>{`${t('topic')}: `}</span>
        <strong>{t(`topics.${topic}`)}</strong>
      </span>
      <IconButton Icon={IconX} size={14} stroke={1.8} label={t('removeTopic')} onClick={onRemove} />
    </p>
  )
}

/** What is typed outlives the chat, the page and the visit; a quick reply begins it. */
function useDraft(user: CurrentUser, input: RefObject<HTMLTextAreaElement | null>) {
  const { t } = useTranslation('support')
  const [draft, setDraftState] = useState(() => loadDraft(storage, user.id))
  const setDraft = (next: Draft) => {
    setDraftState(next)
    saveDraft(storage, user.id, next)
  }
  const beginningOf = (topic: SupportTopic) => {
    if (topic === 'callback' && user.phone_number !== '')
      return t('begin.callbackTo', { phone: user.phone_number })
    return t(`begin.${topic}`)
  }
  // Typed text is never replaced; an untouched suggestion is.
  const choose = (topic: SupportTopic) => {
    const isUntouched =
      draft.text.trim() === '' || (draft.topic !== null && draft.text === beginningOf(draft.topic))
    const text = isUntouched ? beginningOf(topic) : draft.text
    setDraft({ text, topic })
    input.current?.focus({ preventScroll: true })
  }
  return { draft, setDraft, choose }
}

type Chat = ReturnType<typeof useConversation>

interface ChatThreadProps {
  chat: Chat
  topic: SupportTopic | null
  onTopic: (topic: SupportTopic) => void
}

function ChatThread({ chat, topic, onTopic }: ChatThreadProps) {
  const { t } = useTranslation('support')
  const spoken = useSpoken(chat)
  const isEmpty = chat.state === null && spoken.length === 0
  const { log, hasNews, toEnd } = useScrollback(spoken)
  return (
    <div className="chat-middle">
      <div {...log} role="log" className="chat-scroll" aria-label={t('messages')}>
        <ChatIntro topic={topic} onTopic={onTopic} />
        <Before chat={chat} />
        {spoken.length === 0 ? null : <Conversation messages={spoken} />}
        {chat.state === undefined && chat.failure === undefined ? <Hold /> : null}
        {isEmpty ? null : <After chat={chat} isOwnLast={spoken.at(-1)?.own === true} />}
      </div>
      {hasNews ? (
        <Button size="small" kind="primary" className="chat-news" onClick={toEnd}>
          {t('news')}
        </Button>
      ) : null}
      <Announced messages={chat.messages} isThere={chat.state !== undefined} />
    </div>
  )
}

function Before({ chat }: { chat: Chat }) {
  const sayFailure = useFailureText()
  if (chat.state === undefined && chat.failure !== undefined)
    return <ErrorState failure={chat.failure} onRetry={chat.refetch} retrying={chat.isFetching} />
  if (!chat.hasOlder) return null
  return (
    <div className="stack-6 chat-older">
      <LoadMore busy={chat.isLoadingOlder} onLoad={() => void chat.loadOlder()} />
      {chat.olderFailure === undefined ? null : (
        <p role="alert" className="muted small">
          {sayFailure(chat.olderFailure)}
        </p>
      )}
    </div>
  )
}

function After({ chat, isOwnLast }: { chat: Chat; isOwnLast: boolean }) {
  const { t } = useTranslation('support')
  const isStale = chat.state !== undefined && chat.failure !== undefined
  if (!isStale && chat.unsent.length > 0) return null
  const text = isStale
    ? 'stale'
    : chat.state === 'closed'
      ? 'closed'
      : chat.state === 'open' && isOwnLast
        ? 'waiting'
        : null
  if (text === null) return null
  return (
    <p className="chat-after muted small" role={isStale ? 'status' : undefined}>
      {t(text)}
    </p>
  )
}

function Hold() {
  return (
    <div className="stack-12 chat-hold" aria-hidden="true">
      <Skeleton width="62%" height={40} />
      <Skeleton width="54%" height={40} />
    </div>
  )
}

/** Says new answers aloud, and nothing that was there before. */
function Announced({ messages, isThere }: { messages: readonly SupportMessage[]; isThere: boolean }) {
  const { t } = useTranslation('support')
  const [text, setText] = useState('')
  const heard = useRef<number | null>(null)
  const newest = messages.findLast(({ from }) => from === 'support')
  const id = newest?.id ?? 0
  const words = newest?.text ?? ''
  useEffect(() => {
    if (!isThere) return
    if (heard.current !== null && id > heard.current) setText(`${t('agent')}: ${words}`)
    heard.current = Math.max(heard.current ?? 0, id)
  }, [isThere, id, words, t])
  return (
    <p className="visually-hidden" aria-live="polite">
      {text}
    </p>
  )
}

function useSpoken({ messages, unsent, outbox }: Chat): Spoken[] {
  const { t } = useTranslation('support')
  const lastOwn = messages.findLast(({ from }) => from === 'member')
  const lineOf = ({ date, text, topic }: SupportMessage | Unsent) => ({
    date,
    text,
    tag: topic === null ? undefined : t(`topics.${topic}`),
  })
  const said = messages.map(
    (message): Spoken => ({
      ...lineOf(message),
      key: String(message.id),
      own: message.from === 'member',
      author: t(message.from === 'member' ? 'you' : 'agent'),
      note: message === lastOwn ? <span>{t(message.seen ? 'seen' : 'sent')}</span> : null,
    }),
  )
  const waiting = unsent.map(
    (message): Spoken => ({
      ...lineOf(message),
      key: message.key,
      own: true,
      author: t('you'),
      note: <UnsentNote message={message} />,
      failed: message.state === 'failed',
      actions:
        message.state === 'failed' ? (
          <span className="message-actions">
            <button type="button" className="link-button" onClick={() => void outbox.retry()}>
              {t('retry')}
            </button>
            <button type="button" className="link-button" onClick={() => outbox.drop(message.key)}>
              {t('drop')}
            </button>
          </span>
        ) : null,
    }),
  )
  return [...said, ...waiting]
}

function UnsentNote({ message }: { message: Unsent }) {
  const { t } = useTranslation('support')
  const sayFailure = useFailureText()
  if (message.state === 'sending') return <span>{t('sending')}</span>
  const why = message.failure === null ? '' : ` ${sayFailure(message.failure)}`
  return (
    <span className="message-note" role="alert">
      {`${t('failed')}${why}`}
    </span>
  )
}

/** Who answers: teams of the company, by name. Nobody poses for a picture. */
const TEAMS = ['support', 'payments', 'accounts'] as const

interface ChatIntroProps {
  topic: SupportTopic | null
  onTopic: (topic: SupportTopic) => void
}

function ChatIntro({ topic, onTopic }: ChatIntroProps) {
  const { t } = useTranslation('support')
  return (
    <section className="stack-6" aria-labelledby="chat-agents">
      <ul className="chat-agents">
        {TEAMS.map((team) => {
          const name = t(`teams.${team}`)
          return (
            <li key={team} title={name}>
              <span className="centred chat-agent" data-team={team} data-initials={initialsOf(name)} />
              <span className="visually-hidden">{name}</span>
            </li>
          )
        })}
      </ul>
      <h3 id="chat-agents">{t('agents')}</h3>
      <p className="muted">{t('promise')}</p>
      <ul className="row-8 chat-topics">
        {TOPICS.map((name) => (
          <li key={name}>
            <button
              type="button"
              className="small chat-quick"
              aria-pressed={name === topic}
              onClick={() => onTopic(name)}
            >
              {t(`topics.${name}`)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const initialsOf = (name: string) =>
  name
    .split(' ')
    .slice(0, 2)
    .map((word) => firstCharacters(word, 1))
    .join('')

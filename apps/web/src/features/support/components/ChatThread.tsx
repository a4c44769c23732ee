import type { SupportMessage, SupportTopic } from '@aval/contract'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Conversation, type Spoken } from '../../../ui/Conversation.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useScrollback } from '../../../ui/useScrollback.ts'
import { TOPICS } from '../keeping.ts'
import type { Unsent } from '../outbox.ts'
import type { useConversation } from '../useConversation.ts'

type Chat = ReturnType<typeof useConversation>

interface ChatThreadProps {
  chat: Chat
  topic: SupportTopic | null
  onTopic: (topic: SupportTopic) => void
}

/** Who is there, and what was said; it scrolls, and the newest is at its end. */
export function ChatThread({ chat, topic, onTopic }: ChatThreadProps) {
  const { t } = useTranslation('support')
  const spoken = useSpoken(chat)
  const last = spoken.at(-1)
  const isEmpty = chat.state === null && spoken.length === 0
  const { box, onScroll, hasNews, toEnd } = useScrollback(
    { first: spoken[0]?.key, last: last?.key },
    last?.own === true,
  )
  return (
    <div className="chat-middle">
      <div
        ref={box}
        className="chat-scroll"
        role="log"
        aria-live="off"
        aria-label={t('messages')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        <ChatIntro topic={topic} onTopic={onTopic} />
        <Before chat={chat} />
        {spoken.length === 0 ? null : <Conversation messages={spoken} />}
        {chat.state === undefined && chat.failure === undefined ? <Hold /> : null}
        {isEmpty ? null : <After chat={chat} isOwnLast={last?.own === true} />}
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

/** What came before what is shown, or why nothing is shown. */
function Before({ chat }: { chat: Chat }) {
  const sayFailure = useFailureText()
  if (chat.state === undefined && chat.failure !== undefined)
    return <ErrorState failure={chat.failure} onRetry={chat.refetch} retrying={chat.isFetching} />
  if (!chat.hasOlder) return null
  return (
    <div className="chat-older">
      <LoadMore busy={chat.isLoadingOlder} onLoad={() => void chat.loadOlder()} />
      {chat.olderFailure === undefined ? null : (
        <p role="alert" className="muted small">
          {sayFailure(chat.olderFailure)}
        </p>
      )}
    </div>
  )
}

/** Whose turn it is. */
function After({ chat, isOwnLast }: { chat: Chat; isOwnLast: boolean }) {
  const { t } = useTranslation('support')
  if (chat.state !== undefined && chat.failure !== undefined)
    return (
      <p className="chat-after" role="status">
        {t('stale')}
      </p>
    )
  if (chat.unsent.length > 0) return null
  if (chat.state === 'closed') return <p className="chat-after">{t('closed')}</p>
  return chat.state === 'open' && isOwnLast ? <p className="chat-after">{t('waiting')}</p> : null
}

/** In the shape of a short conversation. */
function Hold() {
  return (
    <div className="chat-hold" aria-hidden="true">
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

/** What was said and what is still to get through, as the conversation shows it. */
function useSpoken({ messages, unsent, outbox }: Chat): Spoken[] {
  const { t } = useTranslation('support')
  const lastOwn = messages.findLast(({ from }) => from === 'member')
  const said = messages.map(
    (message): Spoken => ({
      key: String(message.id),
      own: message.from === 'member',
      author: t(message.from === 'member' ? 'you' : 'agent'),
      date: message.date,
      text: message.text,
      tag: message.topic === null ? undefined : t(`topics.${message.topic}`),
      note: message === lastOwn ? <span>{t(message.seen ? 'seen' : 'sent')}</span> : null,
    }),
  )
  const waiting = unsent.map(
    (message): Spoken => ({
      key: message.key,
      own: true,
      author: t('you'),
      date: message.date,
      text: message.text,
      tag: message.topic === null ? undefined : t(`topics.${message.topic}`),
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
      {t('failed')}
      {why}
    </span>
  )
}

/** Who answers: teams of the company, by name. Nobody poses for a picture. */
const TEAMS = ['support', 'payments', 'accounts'] as const

interface ChatIntroProps {
  topic: SupportTopic | null
  onTopic: (topic: SupportTopic) => void
}

/** Who is there, what they promise, and four ways to begin. */
function ChatIntro({ topic, onTopic }: ChatIntroProps) {
  const { t } = useTranslation('support')
  return (
    <section className="chat-intro" aria-labelledby="chat-agents">
      <ul className="chat-agents">
        {TEAMS.map((team) => {
          const name = t(`teams.${team}`)
          return (
            <li key={team} title={name}>
              <span className="chat-agent" data-team={team} data-initials={initialsOf(name)} />
              <span className="visually-hidden">{name}</span>
            </li>
          )
        })}
      </ul>
      <h3 id="chat-agents">{t('agents')}</h3>
      <p className="muted">{t('promise')}</p>
      <ul className="chat-topics">
        {TOPICS.map((name) => (
          <li key={name}>
            <button
              type="button"
              className="chat-quick"
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
    .map((word) => [...word][0] ?? '')
    .join('')

import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import './conversation.css'
import { byDay, namedDay } from './days.ts'
import { formats } from './format.ts'

/** One message of a conversation, as it is shown. */
export interface Spoken {
  key: string
  /** Written by the reader. */
  own: boolean
  /** The author; for the reader's own messages only screen readers hear it. */
  author: string
  /** ISO 8601 */
  date: string
  /** Plain text; it is never taken for markup. */
  text: string
  /** What it is about. */
  tag?: string | undefined
  /** What became of it; stands next to its time. */
  note?: ReactNode
  /** It is not out. */
  failed?: boolean
  /** What can be done about it. */
  actions?: ReactNode
}

/** Messages between two sides, oldest first, with the days between them. */
export function Conversation({ messages }: { messages: readonly Spoken[] }) {
  const { t } = useTranslation('ui')
  const now = new Date()
  return (
    <div className="stack-12">
      {byDay(messages).map(({ day, date, items }) => {
        const name = namedDay(new Date(date), now)
        return (
          <section key={day} className="stack-12">
            <p className="conversation-date faint tiny">{name === null ? formats.date(date) : t(name)}</p>
            <ol className="stack-12">
              {items.map((message) => (
                <Message key={message.key} message={message} />
              ))}
            </ol>
          </section>
        )
      })}
    </div>
  )
}

function Message({ message }: { message: Spoken }) {
  const { own, author, date, text, tag, note, failed, actions } = message
  return (
    <li className="message" data-own={own} data-failed={failed === true}>
      <span className={own ? 'visually-hidden' : 'message-author muted tiny'}>{author}</span>
      <div className="message-bubble">
        {tag === undefined ? null : <span className="message-tag muted tiny">{tag}</span>}
        <p dir="auto">{text}</p>
      </div>
      <div className="message-foot row-8 faint tiny">
        <time dateTime={date}>{formats.time(date)}</time>
        {note}
      </div>
      {actions}
    </li>
  )
}

import {
  type OperatorSupportMessage,
  SUPPORT_STATES,
  SUPPORT_TOPICS,
  type SupportMessage,
  type SupportThread,
} from '@aval/contract'
import type { Marks, MessageRow, QueuedRow } from './support.queries.ts'

const topicOf = (text: string | null) => SUPPORT_TOPICS.find((topic) => topic === text) ?? null

/** A message as its member sees it: who of the company wrote is nobody's name. */
export function presentMessage(row: MessageRow, marks: Marks): SupportMessage {
  const isOwn = row.operator_id === null
  return {
    id: Number(row.id),
    from: isOwn ? 'member' : 'support',
    topic: topicOf(row.topic),
    text: row.text,
    date: row.at.toISOString(),
    seen: row.id <= (isOwn ? marks.operators : marks.member),
  }
}

export function presentForOperators(row: MessageRow, marks: Marks): OperatorSupportMessage {
  return { ...presentMessage(row, marks), operator: row.operator }
}

/** A row of GET operator/support/ */
export function presentThread(row: QueuedRow): SupportThread {
  const state = SUPPORT_STATES.find((name) => name === row.state)
  if (state === undefined) throw new Error(`a conversation is not ${row.state}`)
  return {
    member_id: Number(row.member_id),
    username: row.username,
    email: row.email,
    state,
    topic: topicOf(row.topic),
    waiting_since: row.waiting_since?.toISOString() ?? null,
    date: row.last_at.toISOString(),
    excerpt: row.excerpt ?? '',
    unread: row.unread,
  }
}

import { SUPPORT_TOPICS, type SupportMessage } from '@aval/contract'
import type { Marks, MessageRow } from './support.queries.ts'

export const topicOf = (text: string | null) => SUPPORT_TOPICS.find((topic) => topic === text) ?? null

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

import type { SupportMessage, SupportMessages } from '@aval/contract'

/** What is known of the conversation: its newest part, without gaps. */
interface Known {
  /** Oldest first. */
  readonly messages: readonly SupportMessage[]
  /** How many came before these. */
  readonly older: number
}

export const NOTHING: Known = { messages: [], older: 0 }

/** One of each number, in order; the latest state of a message counts. */
function merged(...lists: readonly (readonly SupportMessage[])[]): SupportMessage[] {
  const byId = new Map(lists.flat().map((message) => [message.id, message]))
  return [...byId.values()].sort((one, other) => one.id - other.id)
}

/** The newest page came in. Where it does not reach what was known, that is let go: between them may be more. */
export function withNewest(known: Known, { results, count, total_pages }: SupportMessages): Known {
  const ids = new Set(known.messages.map(({ id }) => id))
  const reaches = total_pages === 1 || results.some(({ id }) => ids.has(id))
  const messages = merged(reaches ? known.messages : [], results)
  return { messages, older: Math.max(0, count - messages.length) }
}

export function withOlder(known: Known, { results, count }: SupportMessages): Known {
  const messages = merged(results, known.messages)
  return { messages, older: Math.max(0, count - messages.length) }
}

/** Messages of one's own were taken. What the newest page says of one that it has counts more. */
export function withSent(known: Known, sent: readonly SupportMessage[]): Known {
  return { messages: merged(sent, known.messages), older: known.older }
}

/** The page on which the newest of the unknown messages stands. */
export function nextPage(known: Known, pageSize: number): number {
  return Math.floor(known.messages.length / pageSize) + 1
}

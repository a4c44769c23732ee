/** Notices of the database, and the events that members get for them. */
import type { MemberEvent } from '@aval/contract'

/** The notices that are passed on to members; `sessions` says that one of their sessions ended, `console` is about what operators do. */
const TOLD = ['money', 'withdrawals', 'deposits'] as const satisfies MemberEvent[]
export type NoticeKind = (typeof TOLD)[number] | 'sessions' | 'console'
const KINDS: readonly NoticeKind[] = [...TOLD, 'sessions', 'console']

/** That something changed for a range of members, both ends included, or for each of a list. */
export type Notice = { readonly kind: NoticeKind } & (
  | { readonly first: bigint; readonly last: bigint }
  | { readonly ids: readonly bigint[] }
)

const NOTICE = /^(\w+) (?:(\d{1,19})-(\d{1,19})|(\d{1,19}(?:,\d{1,19})*))$/

/** A payload of `member_notices`, see migration 0019; null for one that is none. */
export function parseNotice(payload: string): Notice | null {
  const [, name, first, last, list] = NOTICE.exec(payload) ?? []
  const kind = KINDS.find((known) => known === name)
  if (kind === undefined) return null
  if (list !== undefined) return { kind, ids: list.split(',').map(BigInt) }
  if (first === undefined || last === undefined) return null
  return first === last ? { kind, ids: [BigInt(first)] } : { kind, first: BigInt(first), last: BigInt(last) }
}

/** Whether operators' pages may show it. Not what a batch of a run pays, nor each confirmation of a block: a list shows neither. */
export const isForOperators = (notice: Notice): boolean =>
  notice.kind === 'console' || (notice.kind !== 'deposits' && notice.kind !== 'sessions' && 'ids' in notice)

/** What one member's change waits for at most, so that a slow phone too has it on the screen within a second. */
const SOON_MS = 300
const LATEST_MS = 10_000

/**
 * Within how many milliseconds so many clients are to ask again: a thousand a second, who each make a few calls.
 * @param told clients that get an event at once
 */
export const spreadMs = (told: number): number => Math.min(LATEST_MS, Math.max(SOON_MS, told))

/** Milliseconds after which a client that lost its stream opens the next one, and one that has too many. */
const RETRY_MS = 3_000
const REPLACED_RETRY_MS = 300_000

/** An event as it travels. */
export const eventText = (event: MemberEvent, withinMs: number): string =>
  `event: ${event}\ndata: {"within_ms":${withinMs}}\n\n`

/** How a stream begins: its client may have missed something before. */
export const openingText = (withinMs: number): string =>
  `retry: ${RETRY_MS}\n${eventText('refresh', withinMs)}`

/** How one ends that makes room for another. */
export const REPLACED = `retry: ${REPLACED_RETRY_MS}\n${eventText('replaced', 0)}`

/** A comment, which says that the stream is alive. */
export const HEARTBEAT = ': \n\n'

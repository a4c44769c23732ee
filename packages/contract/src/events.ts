import { z } from 'zod'

/**
 * What the stream of GET core/events/ tells: what kind of thing changed, never how much. `console` is for operators
 * alone, and says that something of what they work on did. `refresh` comes first, and whenever
 * something may have been missed; `replaced` comes last, when the member opened too many streams.
 */
export const MEMBER_EVENTS = ['money', 'withdrawals', 'deposits', 'console', 'refresh', 'replaced'] as const
export type MemberEvent = (typeof MEMBER_EVENTS)[number]

/** The data of every event: a client asks again at a random moment within so many milliseconds. */
export const memberEventData = z.object({ within_ms: z.int().nonnegative() })

/** When everything happens on the measured day. Nothing depends on the date of the machine. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Midnight in America/Bogota, the time zone of the first plan: up to here a member's principal earns the day. */
export const CUTOFF = new Date('2026-06-15T05:00:00Z')

const before = (ms: number) => new Date(CUTOFF.getTime() - ms)

export const dayLater = (date: Date): Date => new Date(date.getTime() + DAY_MS)

/** The midnight before is paid already: passive profit of the day it began, the match of the day it ended. */
export const PAID = { day: '2026-06-14', matched: '2026-06-13', cutoff: before(DAY_MS) } as const

export const LOAD_DATES = {
  joined: [before(400 * DAY_MS), before(40 * DAY_MS)],
  earlier: [before(30 * DAY_MS), before(30 * HOUR_MS)],
  today: [before(20 * HOUR_MS), before(4 * HOUR_MS)],
} as const

/** When the company paid in what the pools pay from. */
export const ENDOWED_AT = before(31 * DAY_MS)

/** Business time at which the day is paid: minutes after it has begun. */
export const NOW = before(-HOUR_MS / 6)

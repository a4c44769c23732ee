/**
 * By when a withdrawal is to have arrived, counted from its request: no wait of ours stops that clock. A member whose account is frozen is
 * promised no date (decision 095). No schemas in this file: pages import it without them.
 */
export const WITHDRAWAL_HOURS = 72
/** So many hours before the end operators are notified: a night, and time to find a second operator. */
export const WITHDRAWAL_DUE_SOON_HOURS = 12

const HOUR_MS = 3_600_000

export type DueState = 'late' | 'soon' | 'later'

export interface Due {
  readonly at: Date
  readonly state: DueState
  /** Whole seconds until then; below zero once it is late. */
  readonly seconds: number
}

export function withdrawalDue(requestedAt: Date, now: Date): Due {
  const at = new Date(requestedAt.getTime() + WITHDRAWAL_HOURS * HOUR_MS)
  const left = at.getTime() - now.getTime()
  const state = left < 0 ? 'late' : left < WITHDRAWAL_DUE_SOON_HOURS * HOUR_MS ? 'soon' : 'later'
  return { at, state, seconds: Math.floor(left / 1000) }
}

/** The request that a state begins with at a moment: those before it are late, or late or due soon. */
export const requestedBefore = (state: 'late' | 'soon', now: Date): Date =>
  new Date(now.getTime() - (WITHDRAWAL_HOURS - (state === 'late' ? 0 : WITHDRAWAL_DUE_SOON_HOURS)) * HOUR_MS)

const MINUTES_AN_HOUR = 60
/** In hours up to here: four days are no clearer than 95 hours to who promised 72. */
const LONGEST_IN_HOURS = 120

/** How long something lasts in the one unit that says it: `40 min`, `23 h`, `6 d`; less than a minute is none. */
export function inOneUnit(seconds: number): {
  readonly value: number
  readonly unit: 'minute' | 'hour' | 'day'
} {
  const minutes = Math.floor(Math.abs(seconds) / 60)
  if (minutes < MINUTES_AN_HOUR) return { value: minutes, unit: 'minute' }
  const hours = Math.floor(minutes / MINUTES_AN_HOUR)
  return hours < LONGEST_IN_HOURS
    ? { value: hours, unit: 'hour' }
    : { value: Math.floor(hours / 24), unit: 'day' }
}

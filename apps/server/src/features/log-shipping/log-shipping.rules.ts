/**
 * Until when what was committed is kept apart from the database. PostgreSQL knows up to which place of its log a receiver has it, and
 * not since when: so the places it had written up to are noted as they are looked at.
 */

/** The database had written its log up to `place` at `at`. */
export interface Mark {
  readonly at: Date
  readonly place: bigint
}

/** Of one receiver. */
export interface Followed {
  /** All that was committed until then is there. */
  readonly until: Date
  /** What is asked for next. */
  readonly next: Mark
}

/**
 * Of a receiver that was not looked at before, `until` is now: how long it has been behind is not known, and is counted from here.
 *
 * @param kept up to where the receiver has the log; null where the database keeps nothing for it any more
 */
export function follow(before: Followed | null, now: Mark, kept: bigint | null): Followed {
  const has = (mark: Mark) => kept !== null && kept >= mark.place
  if (before === null || has(now)) return { until: now.at, next: now }
  return has(before.next) ? { until: before.next.at, next: now } : before
}

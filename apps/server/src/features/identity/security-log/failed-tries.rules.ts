/**
 * Tries that failed: wrong passwords, wrong second factors, wrong codes of a reset. They are counted by member, hour, kind and network,
 * so that a hundred thousand guesses are a few rows.
 */

/** Who is meant by a name that nobody has. */
export const NOBODY = 0n

const HOUR = 3_600_000
/** How long they are shown. */
export const KEPT = 90 * 24 * HOUR

/** So many within an hour or two are an attack, and no person who has forgotten a password. */
export const ATTACK = 15
/** The hours that are looked at: the present one, and the one before. */
export const attackSince = (now: Date): Date => new Date(Math.floor(now.getTime() / HOUR) * HOUR - HOUR)

/** How often a member is told of attacks. */
export const TOLD_EVERY = 24 * HOUR

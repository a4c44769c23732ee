/**
 * Resets of a forgotten password.
 *
 * Terms. Each request that is answered by e-mail makes a *reset*: a code of seven digits, and a link that works by itself. Both are good
 * for ten minutes and once. Wrong codes end codes: each counts against all that are live, and five end one. Nothing that a stranger
 * does ends a link. A reset is *live* until it is used or over, whatever became of its code.
 *
 * Whoever knows an address can ask for e-mails to it, so they are few: three, then one when the last is about to lapse. A request that is
 * not answered by e-mail changes nothing, and what was sent last stays live: there is always a way in that was sent within seven minutes.
 */
import { EMAIL_CODE_LIFETIME } from '../../../core/email-code.rules.ts'
import { MAX_TRIES } from './email-codes.rules.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
export const RESET_LIFETIME = EMAIL_CODE_LIFETIME
/** Live at once. */
const MOST_LIVE = 3
/** Sent in an hour before they are sent one at a time. */
const FREE_AN_HOUR = 3
/** What has less time left is about to lapse: its mail may still be on its way. */
const LAPSES = 3 * MINUTE

export interface StoredReset {
  readonly madeAt: Date
  readonly expiresAt: Date
  readonly usedAt: Date | null
  readonly wrongTries: number
}

const isLive = ({ expiresAt, usedAt }: StoredReset, now: Date) =>
  usedAt === null && now.getTime() < expiresAt.getTime()

/** From when on resets matter to the next request. */
export const lookBack = (now: Date): Date => new Date(now.getTime() - HOUR)

/** Whether a request is answered by e-mail. @param resets those of the last hour */
export function isSent(resets: readonly StoredReset[], now: Date): boolean {
  const live = resets.filter((reset) => isLive(reset, now))
  const lasting = live.filter(({ expiresAt }) => expiresAt.getTime() - now.getTime() > LAPSES)
  if (lasting.length === 0) return true
  const recent = resets.filter(({ madeAt }) => madeAt.getTime() > now.getTime() - HOUR)
  return live.length < MOST_LIVE && recent.length < FREE_AN_HOUR
}

/** The resets whose code can still be right. */
export function withLiveCode<Reset extends StoredReset>(resets: readonly Reset[], now: Date): Reset[] {
  return resets.filter((reset) => isLive(reset, now) && reset.wrongTries < MAX_TRIES)
}

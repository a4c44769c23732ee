import type { Db } from '@aval/db'
import { inBatches } from '../../core/batches.ts'
import { deleteCodesExpiredBefore } from './email-codes/email-codes.sql.ts'
import { deleteResetsExpiredBefore } from './email-codes/resets.sql.ts'
import { deleteDevicesUsedBefore } from './known-devices/known-devices.sql.ts'
import { releaseEmailsLeftBefore } from './members/members.sql.ts'
import { deleteExpiredChallenges } from './passkeys/passkeys.sql.ts'
import { deleteExpiredCaptchas } from './registration/registration.sql.ts'
import { TRIES } from './second-factor/second-factor.rules.ts'
import { deleteOldTries } from './second-factor/second-factor.sql.ts'
import { KEPT, TOLD_EVERY } from './security-log/failed-tries.rules.ts'
import { deleteToldBefore, deleteTriesBefore } from './security-log/failed-tries.sql.ts'
import { LINK_LIFETIME } from './security-log/not-me-link.ts'
import { SESSION_LIFETIME } from './sessions/sessions.rules.ts'
import { deleteSessionsStartedBefore, deleteTokensIssuedBefore } from './sessions/sessions.sql.ts'
import { deleteEndedCounts, deleteOldLevels } from './sign-in/guesses.sql.ts'
import { deleteViewsEndedBefore } from './views/views.sql.ts'

/** How long ended sessions and expired codes are kept for investigation. */
export const RETENTION = 3 * SESSION_LIFETIME
/** Half a year: as long as the cookie. */
export const DEVICES_KEPT = 180 * 86_400_000
/** Twelve halvings: the highest level has become less than one guess by then. */
const LEVELS_KEPT = 3 * 3_600_000

/** Deletes what has no further use: spent captchas, tokens, challenges, e-mails that were left, and much later codes and sessions. */
export async function purgeExpired(db: Db, now: Date): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await deleteExpiredCaptchas(db, now)
  await deleteExpiredChallenges(db, now)
  await deleteOldTries(db, now, ago(TRIES.within))
  await deleteCodesExpiredBefore(db, ago(RETENTION))
  await deleteResetsExpiredBefore(db, ago(RETENTION))
  await releaseEmailsLeftBefore(db, ago(LINK_LIFETIME))
  await deleteToldBefore(db, ago(TOLD_EVERY))
  await inBatches((most) => deleteTriesBefore(db, ago(KEPT), most))
  await inBatches((most) => deleteDevicesUsedBefore(db, ago(DEVICES_KEPT), most))
  await deleteViewsEndedBefore(db, ago(RETENTION))
  await deleteTokensIssuedBefore(db, ago(SESSION_LIFETIME))
  await deleteSessionsStartedBefore(db, ago(RETENTION))
}

/** Deletes levels that have halved to nothing, and counts that are over. Every hour: each name that anybody guesses at has one. */
export async function purgeLevels(db: Db, now: Date): Promise<void> {
  await inBatches((most) => deleteOldLevels(db, new Date(now.getTime() - LEVELS_KEPT), most))
  await inBatches((most) => deleteEndedCounts(db, now, most))
}

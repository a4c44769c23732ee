import type { Db } from '@aval/db'
import { deleteCodesExpiredBefore } from './email-codes/email-codes.sql.ts'
import { deleteExpiredChallenges } from './passkeys/passkeys.sql.ts'
import { deleteExpiredCaptchas } from './registration/registration.sql.ts'
import { TRIES } from './second-factor/second-factor.rules.ts'
import { deleteOldTries } from './second-factor/second-factor.sql.ts'
import { SESSION_LIFETIME } from './sessions/sessions.rules.ts'
import { deleteSessionsStartedBefore, deleteTokensIssuedBefore } from './sessions/sessions.sql.ts'

/** How long ended sessions and expired codes are kept for investigation. */
const RETENTION = 3 * SESSION_LIFETIME

/** Deletes what has no further use: spent captchas, tokens, challenges, and much later e-mail codes and sessions. */
export async function purgeExpired(db: Db, now: Date): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await deleteExpiredCaptchas(db, now)
  await deleteExpiredChallenges(db, now)
  await deleteOldTries(db, now, ago(TRIES.within))
  await deleteCodesExpiredBefore(db, ago(RETENTION))
  await deleteTokensIssuedBefore(db, ago(SESSION_LIFETIME))
  await deleteSessionsStartedBefore(db, ago(RETENTION))
}

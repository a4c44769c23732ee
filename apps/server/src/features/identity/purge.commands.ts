import type { Db } from '@aval/db'
import { purgeEmailCodes } from './email-codes/email-codes.commands.ts'
import { purgeCaptchas } from './registration/captcha.commands.ts'
import { purgeTries } from './second-factor/second-factor.commands.ts'
import { purgeSessions } from './sessions/sessions.commands.ts'
import { SESSION_LIFETIME } from './sessions/sessions.rules.ts'

/** How long ended sessions and expired codes are kept for investigation. */
const RETENTION = 3 * SESSION_LIFETIME

/** Deletes what has no further use: spent captchas, tokens, challenges, and much later e-mail codes and sessions. */
export async function purgeExpired(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION)
  await purgeCaptchas(db, now)
  await purgeTries(db, now)
  await purgeEmailCodes(db, before)
  await purgeSessions(db, before, now)
}

/** Tells what became of a change of a member's key. The signer decides and writes no mail: the worker reads it from the rows. */
import { type Database, inTransaction, type Tx } from '@aval/db'
import type { Config } from '../../../config.ts'
import { eachIsolated } from '../../../core/isolated.ts'
import { type Reader, say } from '../../../core/messages.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { alertOperators } from '../../operator-alerts/alert.commands.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { outcomeOf } from './member-key.rules.ts'
import { type DecidedKey, selectUnannounced } from './member-key.sql.ts'

/** What is older was told, and the mail about it may be purged. */
const KEPT_MS = 30 * 86_400_000
const AT_ONCE = 200

interface AnnounceContext {
  readonly db: Database
  readonly config: Pick<Config, 'jwtKey' | 'publicUrl'>
}

/** A refusal is rare: the API has verified what was signed before the signer saw it. */
async function alertOfRefusal(tx: Tx, key: DecidedKey, code: string, now: Date): Promise<void> {
  const { memberId: member, username, version } = key
  const words = { member: String(member), username, version: String(version), code }
  const letter = ({ locale }: Reader) => ({
    subject: say(locale, 'member_key_alert_subject'),
    lines: [say(locale, 'member_key_alert_text', words), say(locale, 'member_key_alert_what')],
  })
  await alertOperators(tx, { event: `member_key:${member}:${version}:refused`, letter }, now)
}

function announceOne({ db, config }: AnnounceContext, key: DecidedKey, now: Date): Promise<void> {
  const { memberId, version, email: to, locale, decidedAt: at, usableFrom, refusal } = key
  const event = `member_key:${version}:decided`
  const outcome = outcomeOf(key)
  const params = {
    outcome,
    at,
    notMeUrl: notMeUrl(config, memberId, event, now),
    ...(outcome === 'waits' && usableFrom !== null && { usableFrom }),
  }
  return inTransaction(db, async (tx) => {
    await queueMail(tx, { memberId, to, locale, event, template: 'member_key_decided', params }, now)
    if (outcome === 'refused' && refusal !== null) await alertOfRefusal(tx, key, refusal, now)
  })
}

/**
 * Mails members what was decided about their keys, and operators what the signer refused. Each is told once, however often this runs.
 * @param now system time
 */
export async function announceMemberKeys(context: AnnounceContext, now: Date): Promise<void> {
  const since = new Date(now.getTime() - KEPT_MS)
  const decided = await selectUnannounced(context.db, since, AT_ONCE)
  await eachIsolated(decided, (key) => announceOne(context, key, now))
}

/** Links that say "this was not me": signed, valid for a week, not stored. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../../config.ts'
import { keyFor } from '../../../core/seal.ts'

const DAY = 86_400_000
/** A week, for which an e-mail that was left is kept, too. */
export const LINK_LIFETIME = 7 * DAY
const MAC_BYTES = 32
const CONTENT = /^([1-9]\d{0,18})\.(\d{1,16})\.([\w:.-]{1,150})$/

type Signing = Pick<Config, 'jwtKey' | 'publicUrl'>

const macOf = (config: Signing, content: string) =>
  createHmac('sha256', keyFor(config.jwtKey, 'not me')).update(content).digest()

/**
 * The link for an e-mail about `event`.
 * @param event names what the e-mail is about: letters, digits and `:.-_`, 150 at most. `email_changed:17` and the like, with
 * the number of a security event, also take that change back
 * @param now system time
 */
export function notMeUrl(config: Signing, memberId: bigint, event: string, now = new Date()): string {
  const content = `${memberId}.${now.getTime() + LINK_LIFETIME}.${event}`
  if (!CONTENT.test(content)) throw new Error(`${event} cannot stand in a link`)
  const token = Buffer.concat([macOf(config, content), Buffer.from(content)]).toString('base64url')
  // Behind the #, which no server's log and no other site sees.
  return `${config.publicUrl}/auth/not-me#${token}`
}

/** The member and event of a link, and when it was written; null when it is not ours, was changed, or has expired. */
export function readNotMe(config: Signing, token: string, now: Date) {
  const bytes = Buffer.from(token, 'base64url')
  const content = bytes.subarray(MAC_BYTES).toString('utf8')
  const mac = Buffer.alloc(MAC_BYTES)
  bytes.copy(mac, 0, 0, MAC_BYTES)
  if (!timingSafeEqual(mac, macOf(config, content))) return null
  const [, memberId, expires, event] = CONTENT.exec(content) ?? []
  if (memberId === undefined || event === undefined || now.getTime() > Number(expires)) return null
  return { memberId: BigInt(memberId), event, at: new Date(Number(expires) - LINK_LIFETIME) }
}

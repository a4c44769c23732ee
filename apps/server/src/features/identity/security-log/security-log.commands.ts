import type { Db, Tx } from '@aval/db'
import type { Config } from '../../../config.ts'
import { Refusal } from '../../../core/refusal.ts'
import { lockOf, type MoneyLock } from './security-log.rules.ts'
import { holdSession, insertSecurityEvent, type SecurityEvent, selectLastEvents } from './security-log.sql.ts'

export type { MoneyLock } from './security-log.rules.ts'

/** Writes down what happened to an account. @returns the event's number, for the name of the e-mail about it */
export async function recordSecurityEvent(tx: Tx, event: SecurityEvent): Promise<bigint> {
  const id = await insertSecurityEvent(tx, event)
  if (id === null) throw new Error('a link of "this was not me" is followed by its own command')
  return id
}

type Cooling = Pick<Config, 'coolingHours'>

/** What keeps this member's money in; null when nothing does. @param now system time */
export async function moneyLock(
  db: Db,
  memberId: bigint,
  config: Cooling,
  now = new Date(),
): Promise<MoneyLock | null> {
  return lockOf(await selectLastEvents(db, memberId), config.coolingHours, now)
}

/** Before when no money of this member's leaves; null when it can. The year 9999: until the password is reset. */
export async function coolsUntil(
  db: Db,
  memberId: bigint,
  config: Cooling,
  now = new Date(),
): Promise<Date | null> {
  return (await moneyLock(db, memberId, config, now))?.until ?? null
}

/** For what moves money out. @throws Refusal `cooling`, `account_locked` */
export async function requireUnlocked(
  db: Db,
  memberId: bigint,
  config: Cooling,
  now = new Date(),
): Promise<void> {
  const lock = await moneyLock(db, memberId, config, now)
  if (lock === null) return
  if (lock.because === 'not_me') throw new Refusal('account_locked')
  throw new Refusal('cooling', { until: lock.until })
}

/**
 * For what moves money out: the session lives, and goes on to live until this transaction ends. A call is looked up when
 * it arrives; whoever ends all sessions meanwhile is heard first, or waits.
 * @throws Refusal `not_signed_in`
 */
export async function requireLiveSession(
  tx: Tx,
  caller: { readonly memberId: bigint; readonly sessionId: string },
): Promise<void> {
  if ((await holdSession(tx, caller.memberId, caller.sessionId)) === undefined)
    throw new Refusal('not_signed_in')
}

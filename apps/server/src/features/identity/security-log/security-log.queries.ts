/** What happened to an account, and what it keeps the member from doing. */
import type { Db } from '@aval/db'
import type { Config } from '../../../config.ts'
import { Refusal } from '../../../core/refusal.ts'
import { lockOf, type MoneyLock } from './security-log.rules.ts'
import { countSecurityEvents, selectLastEvents, selectSecurityEvents } from './security-log.sql.ts'

type Cooling = Pick<Config, 'coolingHours'>

/** What keeps this member's money in; null when nothing does. @param now system time */
export async function findMoneyLock(
  db: Db,
  memberId: bigint,
  config: Cooling,
  now = new Date(),
): Promise<MoneyLock | null> {
  return lockOf(await selectLastEvents(db, memberId), config.coolingHours, now)
}

/** When this member's money may leave again; null when it may now. The year 9999: after the password was reset. */
export async function findCoolingEnd(
  db: Db,
  memberId: bigint,
  config: Cooling,
  now = new Date(),
): Promise<Date | null> {
  return (await findMoneyLock(db, memberId, config, now))?.until ?? null
}

/** For what moves money out. @throws Refusal `cooling`, `account_locked` */
export async function requireUnlocked(
  db: Db,
  memberId: bigint,
  config: Cooling,
  now = new Date(),
): Promise<void> {
  const lock = await findMoneyLock(db, memberId, config, now)
  if (lock === null) return
  if (lock.because === 'not_me') throw new Refusal('account_locked')
  throw new Refusal('cooling', { until: lock.until })
}

/** What happened to an account, newest first. */
export async function listSecurityEvents(
  db: Db,
  memberId: bigint,
  { offset, pageSize: limit }: { readonly offset: number; readonly pageSize: number },
) {
  const results = await selectSecurityEvents(db, memberId, { offset, limit })
  return { results, count: await countSecurityEvents(db, memberId) }
}

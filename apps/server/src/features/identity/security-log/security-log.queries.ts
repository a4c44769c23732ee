/** What happened to an account, and what it keeps the member from doing. */
import { FAILED_TRY_KINDS, SECURITY_EVENT_KINDS, type SecurityEventItem } from '@aval/contract'
import type { Db } from '@aval/db'
import type { Config } from '../../../config.ts'
import { namesOfDevice } from '../../../core/device-names.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { KEPT } from './failed-tries.rules.ts'
import { selectTryCounts } from './failed-tries.sql.ts'
import { lockOf } from './security-log.rules.ts'
import { countSecurityEvents, selectLastEvents, selectSecurityEvents } from './security-log.sql.ts'

type Cooling = Pick<Config, 'coolingHours'>
type StoredEvent = Awaited<ReturnType<typeof selectSecurityEvents>>[number]

/** What keeps this member's money in; null when nothing does. @param now system time */
export async function findMoneyLock(db: Db, memberId: bigint, config: Cooling, now = new Date()) {
  return lockOf(await selectLastEvents(db, memberId), config.coolingHours, now)
}

/** When this member's money may leave again; null when it may now. The year 9999: after the password was reset. */
export async function findCoolingEnd(db: Db, memberId: bigint, config: Cooling, now = new Date()) {
  return (await findMoneyLock(db, memberId, config, now))?.until ?? null
}

/** For what moves money out. @throws Refusal `cooling`, `account_locked` */
export async function requireUnlocked(db: Db, memberId: bigint, config: Cooling, now = new Date()) {
  const lock = await findMoneyLock(db, memberId, config, now)
  if (lock === null) return
  if (lock.because === 'not_me') throw new Refusal('account_locked')
  throw new Refusal('cooling', { until: lock.until })
}

function detailOf(details: unknown, name: string): unknown {
  return typeof details === 'object' && details !== null ? Reflect.get(details, name) : undefined
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

const KINDS = [...SECURITY_EVENT_KINDS, ...FAILED_TRY_KINDS] as const

/** @throws where the database holds a kind that the contract does not know */
function presentSecurityEvent(event: StoredEvent): SecurityEventItem {
  const { details } = event
  const kind = KINDS.find((known) => known === event.kind)
  if (kind === undefined) throw new Error(`there is no security event ${event.kind}`)
  const count = detailOf(details, 'count')
  return {
    id: Number(event.id),
    kind,
    date: event.at.toISOString(),
    device: namesOfDevice(event.user_agent),
    ip: event.ip,
    previous: textOf(detailOf(details, 'previous')),
    next: textOf(detailOf(details, 'wallet')) ?? textOf(detailOf(details, 'email')),
    takes_back: detailOf(details, 'takes_back') === true,
    by_operator: detailOf(details, 'by') === 'operator',
    count: typeof count === 'number' ? count : null,
  }
}

/** What happened to an account, newest first, and what was tried and failed. */
export async function listSecurityEvents(
  db: Db,
  memberId: bigint,
  { offset, pageSize: limit }: { readonly offset: number; readonly pageSize: number },
  now: Date,
) {
  const since = new Date(now.getTime() - KEPT)
  const events = await selectSecurityEvents(db, memberId, { since, offset, limit })
  return { results: events.map(presentSecurityEvent), count: await countSecurityEvents(db, memberId, since) }
}

const HOUR = 3_600_000

/** Tries that failed within two hours, by kind; those at names that nobody has end in `_unknown`. */
export async function countFailedTries(db: Db, now: Date): Promise<Record<string, number>> {
  const rows = await selectTryCounts(db, new Date(now.getTime() - 2 * HOUR))
  return Object.fromEntries(rows.map(({ label, count }) => [label, count]))
}

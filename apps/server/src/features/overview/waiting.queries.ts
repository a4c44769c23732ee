/** What waits for a person. Each part reads a partial index, a thousand rows of it at most. */
import { REVIEWED_FATES, type ReviewedFate, requestedBefore, withdrawalDue } from '@aval/contract'
import type { Db } from '@aval/db'
import { addDays, type Day, dayStart } from '@aval/plan'
import { type RawBuilder, sql } from 'kysely'
import { queryOne } from '../../core/query.sql.ts'
import { waitingDeposits } from '../deposits/deposits.queries.ts'
import { readStop } from '../reserves/reserves.queries.ts'
import { poolsCovered } from './cover.queries.ts'
import { findFailing } from './failures.queries.ts'

/** Counted up to so many. */
export const MOST_COUNTED = 1000

export interface Counted {
  readonly count: number
  readonly oldest: Date | null
  readonly sum: bigint
}

/** @param rows a query of `at` and `amount` */
const count = (db: Db, rows: RawBuilder<unknown>) =>
  queryOne<Counted>(
    db,
  )`SELECT count(*)::int AS count, min(at) AS oldest, coalesce(sum(amount), 0)::bigint AS sum
    FROM (${rows} LIMIT ${MOST_COUNTED + 1}) waiting`

/** Foreign tokens are nobody's until a person acts: a month. What lies in a balance already: a week. */
const LOOKED_BACK: Readonly<Record<ReviewedFate, number>> = {
  unclaimed: 30,
  wrong_token: 30,
  wrong_asset: 30,
  late: 7,
  no_invoice: 7,
  overpaid: 7,
}

/** Open withdrawals that are late or due soon: those of a frozen account wait for what froze it, and are neither. */
async function readDeadlines(db: Db, businessNow: Date) {
  const counts = (['late', 'soon'] as const).flatMap((due) =>
    (['requested', 'approved'] as const).map(async (state) => {
      const from = due === 'late' ? new Date(0) : requestedBefore('late', businessNow)
      const counted = await count(
        db,
        sql`SELECT requested_at AS at, amount FROM withdrawal WHERE state = ${sql.lit(state)} AND state IN ('requested', 'approved')
          AND requested_at >= ${from} AND requested_at < ${requestedBefore(due, businessNow)} AND NOT is_frozen(member_id) ORDER BY id`,
      )
      const seconds = counted.oldest === null ? 0 : withdrawalDue(counted.oldest, businessNow).seconds
      return { due, state, seconds, ...counted }
    }),
  )
  return (await Promise.all(counts)).filter(({ oldest }) => oldest !== null)
}

/**
 * @param today the company's
 * @param businessNow by which requests are dated
 * @param now system time
 */
export async function readWaiting(
  db: Db,
  { today, timeZone, businessNow }: { today: Day; timeZone: string; businessNow: Date },
  now: Date,
) {
  const deposits = REVIEWED_FATES.map(async (fate) => {
    const since = dayStart(addDays(today, -LOOKED_BACK[fate]), timeZone)
    return { fate, ...(await count(db, waitingDeposits(fate, since))) }
  })
  const [withdrawals, deadlines, runs, decisions, chats, stop, failing, pools, odd] = await Promise.all([
    count(
      db,
      sql`SELECT requested_at AS at, amount FROM withdrawal WHERE state = 'requested' AND state IN ('requested', 'approved') ORDER BY id`,
    ),
    readDeadlines(db, businessNow),
    count(
      db,
      sql`SELECT at, missing AS amount FROM payout_run WHERE state = 'held' AND state NOT IN ('done', 'cancelled') ORDER BY id`,
    ),
    count(
      db,
      sql`SELECT proposed_at AS at, 0 AS amount FROM decision WHERE state = 'open' AND expires_at > ${now}`,
    ),
    count(
      db,
      sql`SELECT waiting_since AS at, 0 AS amount FROM support_thread WHERE waiting_since IS NOT NULL ORDER BY waiting_since`,
    ),
    readStop(db),
    findFailing(db, now),
    poolsCovered(db, today),
    Promise.all(deposits),
  ])
  return {
    withdrawals,
    deadlines,
    runs,
    decisions,
    chats,
    stop,
    failing,
    pools: pools.filter(({ low }) => low),
    deposits: odd,
  }
}
export type Waiting = Awaited<ReturnType<typeof readWaiting>>

import type { OperatorToday, OperatorWaiting, PaymentsStop, PoolCover } from '@aval/contract'
import { formatAmount } from '@aval/money'
import { addDays, type Day } from '@aval/plan'
import type { StopNow } from '../reserves/reserves.queries.ts'
import { coverage } from '../reserves/reserves.rules.ts'

import type { CoveredPool } from './cover.queries.ts'
import type { Failing } from './failures.queries.ts'
import { SHOWN_DAYS, type Today } from './today.queries.ts'
import { type Counted, MOST_COUNTED, type Waiting } from './waiting.queries.ts'

const WEEKS = 12
/** Members were paid so many days back, in what is called the last month. */
const MONTH = 30

export const presentCover = ({ pool, amount, awaiting, rate, days, until, low }: CoveredPool): PoolCover => ({
  pool,
  amount: formatAmount(amount),
  awaiting: formatAmount(awaiting),
  rate: formatAmount(rate),
  days,
  until,
  low,
})

export const presentFailing = (failing: readonly Failing[]) =>
  failing.map(({ what, since, detail }) => ({ what, since: since?.toISOString() ?? null, detail }))

/** Null while payments go on. */
export function presentStop({
  stopped,
  since,
  byReserves,
  byIntegrity,
  byRestoration,
  byOperator,
}: StopNow): PaymentsStop | null {
  if (!stopped) return null
  const causes = {
    operator: byOperator !== null,
    reserves: byReserves,
    integrity: byIntegrity,
    restoration: byRestoration,
  }
  return {
    since: (since ?? new Date(0)).toISOString(),
    causes: (['operator', 'reserves', 'integrity', 'restoration'] as const).filter((cause) => causes[cause]),
    operator:
      byOperator === null
        ? null
        : { ...byOperator, id: Number(byOperator.id), at: byOperator.at.toISOString() },
  }
}

const presentCounted = ({ count, oldest }: Counted) => ({
  count: Math.min(count, MOST_COUNTED),
  more: count > MOST_COUNTED,
  oldest_at: oldest?.toISOString() ?? null,
})

/** GET operator/waiting/ @param seesTreasury whether the caller's role may see how full the pools are */
export function presentWaiting(waiting: Waiting, seesTreasury: boolean): OperatorWaiting {
  const { withdrawals, deadlines, runs, decisions, chats, stop, failing, pools, deposits } = waiting
  return {
    withdrawals: { ...presentCounted(withdrawals), sum: formatAmount(withdrawals.sum) },
    deadlines: deadlines.map(({ due, state, seconds, ...counted }) => ({
      ...{ due, state, seconds },
      ...presentCounted(counted),
      sum: formatAmount(counted.sum),
    })),
    runs: { ...presentCounted(runs), missing: formatAmount(runs.sum) },
    decisions: presentCounted(decisions),
    chats: presentCounted(chats),
    deposits: deposits
      .filter(({ count }) => count > 0)
      .map(({ fate, ...counted }) => ({ fate, ...presentCounted(counted) })),
    stop: presentStop(stop),
    failing: presentFailing(failing),
    pools: seesTreasury ? pools.map(presentCover) : [],
  }
}

function presentCustody(check: Today['check']): OperatorToday['custody'] {
  if (check === null) return null
  const total = check.hot + check.cold + check.deposits
  const covered = coverage(total, check.owed)
  return {
    checked_at: check.at.toISOString(),
    verdict: check.verdict as NonNullable<OperatorToday['custody']>['verdict'],
    hot: formatAmount(check.hot),
    cold: formatAmount(check.cold),
    deposits: formatAmount(check.deposits),
    total: formatAmount(total),
    principal: formatAmount(check.principal),
    balances: formatAmount(check.balances),
    held: formatAmount(check.held),
    pending: formatAmount(check.pending),
    due: formatAmount(check.due),
    owed: formatAmount(check.owed),
    coverage: covered === null ? null : Number(covered) / 100,
  }
}

const monday = (day: Day): Day => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

function presentUnlocks({ unlocking, today }: Today) {
  const first = monday(today)
  const weeks = Array.from({ length: WEEKS }, (_, week) => addDays(first, week * 7))
  const end = addDays(first, WEEKS * 7)
  const sumOf = (rows: Today['unlocking']) => ({
    members: rows.reduce((sum, { members }) => sum + Number(members), 0),
    amount: formatAmount(rows.reduce((sum, { amount }) => sum + amount, 0n)),
  })
  // What was to unlock in a week that is over since the sum was made can be withdrawn now.
  return {
    unlocked: sumOf(unlocking.filter(({ week }) => week === null || week < first)),
    unlocks: weeks.map((week) => ({ week, ...sumOf(unlocking.filter((each) => each.week === week)) })),
    unlocks_later: sumOf(unlocking.filter(({ week }) => week !== null && week >= end)),
  }
}

const PAID_IN = new Set(['deposit_to_principal', 'deposit_to_balance', 'deposit_to_pending', 'deposit_fee'])

/** The days of the charts, oldest first. */
const shownDays = (today: Day) =>
  Array.from({ length: SHOWN_DAYS }, (_, day) => addDays(today, day + 1 - SHOWN_DAYS))

function presentFlow({ days, today }: Today): OperatorToday['flow'] {
  const paid = { in: new Map<string, bigint>(), out: new Map<string, bigint>() }
  for (const { day, kind, amount } of days) {
    const way = PAID_IN.has(kind) ? paid.in : kind === 'withdraw' ? paid.out : null
    way?.set(day, (way.get(day) ?? 0n) + amount)
  }
  return shownDays(today).map((day) => ({
    day,
    in: formatAmount(paid.in.get(day) ?? 0n),
    out: formatAmount(paid.out.get(day) ?? 0n),
  }))
}

function presentPayouts({ days, today }: Today): OperatorToday['payouts'] {
  const from = addDays(today, 1 - MONTH)
  const sumOf = (...kinds: string[]) =>
    formatAmount(
      days.reduce(
        (sum, { day, kind, amount }) => (day >= from && kinds.includes(kind) ? sum + amount : sum),
        0n,
      ),
    )
  return {
    passive: sumOf('passive'),
    direct: sumOf('direct'),
    master: sumOf('master'),
    binary: sumOf('binary'),
    total: sumOf('passive', 'direct', 'master', 'binary'),
  }
}

function presentGrowth({ growth, today }: Today): OperatorToday['growth'] {
  const byDay = new Map(growth.days.map((joined) => [joined.day, joined]))
  return {
    members: Number(growth.members),
    investors: Number(growth.investors),
    days: shownDays(today).map((day) => ({
      day,
      members: Number(byDay.get(day)?.members ?? 0n),
      investors: Number(byDay.get(day)?.investors ?? 0n),
    })),
  }
}

/** GET operator/today/ */
export function presentToday(read: Today): OperatorToday {
  const asOf = (name: string) => read.asOf.get(name)?.toISOString() ?? null
  return {
    day: read.today,
    as_of: { days: asOf('days'), unlocks: asOf('unlocks'), growth: asOf('growth') },
    custody: presentCustody(read.check),
    capital: formatAmount(read.capital),
    pools: read.pools.map(presentCover),
    ...presentUnlocks(read),
    flow: presentFlow(read),
    payouts: presentPayouts(read),
    growth: presentGrowth(read),
  }
}

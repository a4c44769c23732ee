/** How long a pool lasts. */
import { LOW_POOL_DAYS, type PoolName } from '@aval/contract'
import type { Day } from '@aval/plan'

/** What each pool pays members, by kind of posting. */
const PAID_BY: Readonly<Record<PoolName, readonly string[]>> = {
  profit: ['passive'],
  commission: ['direct', 'master', 'binary'],
}

/** The kinds of run that a pool pays. */
export const RUNS_OF_POOL: Readonly<Record<PoolName, readonly string[]>> = {
  profit: ['passive'],
  commission: ['direct', 'binary'],
}

/** So many of the last days on which a pool paid make its rate; */
const RATE_DAYS = 7
/** looked for in so many. */
export const LOOKED_BACK_DAYS = 60

export interface Amount {
  readonly day: string
  readonly kind: string
  readonly amount: bigint
}

/** The average of the last seven days, before today, on which a pool paid, rounded up; 0 where it paid on none. */
export function rateOf(pool: PoolName, amounts: readonly Amount[], today: Day): bigint {
  const paid = new Map<string, bigint>()
  for (const { day, kind, amount } of amounts)
    if (day < today && PAID_BY[pool].includes(kind)) paid.set(day, (paid.get(day) ?? 0n) + amount)
  const last = [...paid].sort(([a], [b]) => (a < b ? 1 : -1)).slice(0, RATE_DAYS)
  const count = BigInt(last.length)
  return count === 0n ? 0n : (last.reduce((sum, [, amount]) => sum + amount, 0n) + count - 1n) / count
}

/** A hundred years: beyond, days say nothing. */
const MOST_DAYS = 36_500n
const LOW_DAYS = BigInt(LOW_POOL_DAYS)

export interface Cover {
  readonly rate: bigint
  /** Whole days; null where nothing is paid. */
  readonly days: bigint | null
  readonly low: boolean
}

/** @param awaiting what held runs take of it first, whatever holds them: the days are what the rest lasts */
export function coverOf(amount: bigint, awaiting: bigint, rate: bigint): Cover {
  const isShort = awaiting > amount
  if (rate === 0n) return { rate, days: null, low: isShort }
  const whole = isShort ? 0n : (amount - awaiting) / rate
  return { rate, days: whole < MOST_DAYS ? whole : MOST_DAYS, low: isShort || whole < LOW_DAYS }
}

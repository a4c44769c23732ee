/** The profit of a day, on what each member had invested when it began. */
import { least, percentOf, timesOf } from './exact.rules.ts'
import type { Plan } from './plan.rules.ts'
import { BLOCK, type Missed, type Page } from './seal.rules.ts'

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

export interface Day {
  readonly percent: bigint
  /** The percentage is of so many days. */
  readonly days: bigint
  readonly capMultiple: bigint | null
}

/** @param declared the percentage that was declared for the day, in millionths; null where none was */
export function dayOf({ passive }: Plan, day: string, declared: bigint | null): Day {
  const { capMultiple, percentPerPeriod, periodDays, weekdaysOnly } = passive
  if (weekdaysOnly && isWeekend(day)) return { percent: 0n, days: 1n, capMultiple }
  if (declared !== null) return { percent: declared, days: 1n, capMultiple }
  return { percent: percentPerPeriod, days: periodDays, capMultiple }
}

/** A page after the other, with what the cap took off. Both arrays by member id. @param earned needed where there is a cap */
export function* pagesOf(
  { percent, days, capMultiple }: Day,
  principals: BigInt64Array,
  earned: BigInt64Array | null,
): Generator<Page & { readonly missed: readonly Missed[] }> {
  for (let start = 0; start < principals.length; start += BLOCK) {
    const page = {
      block: start / BLOCK,
      members: [] as number[],
      bases: [] as bigint[],
      amounts: [] as bigint[],
      earned: capMultiple === null ? null : ([] as bigint[]),
      missed: [] as Missed[],
    }
    const end = Math.min(start + BLOCK, principals.length)
    for (let member = start; member < end; member += 1) {
      const principal = principals[member] ?? 0n
      if (principal === 0n) continue
      const whole = percentOf(principal, percent, days)
      const before = earned?.[member] ?? 0n
      const amount = capMultiple === null ? whole : least(whole, timesOf(principal, capMultiple) - before)
      if (amount <= 0n) continue
      page.members.push(member)
      page.bases.push(principal)
      page.amounts.push(amount)
      page.earned?.push(before)
      if (amount === whole) continue
      const cut = { member, leg: 0, kind: 'passive', reason: 'capped', amount: whole - amount } as const
      page.missed.push({ ...cut, level: null, investment: null, from: null })
    }
    if (page.members.length > 0) yield page
  }
}

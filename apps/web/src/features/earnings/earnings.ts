import type {
  BinaryPoints,
  BinaryStanding,
  MonthEarnings,
  NotPaidReason,
  PaymentKind,
  PaymentState,
} from '@aval/contract'
import { plainTyped } from '@aval/contract/typed'
import { formatMicro, micro, microToJsonNumber } from '@aval/money'
import { parseAsString, parseAsStringLiteral, type Values } from 'nuqs'
import { isSome, microOf } from '../../ui/amount.ts'
import { dayOf } from '../../ui/days.ts'
import { parseAsMatch, parseAsPage } from '../../ui/place.ts'

/** Nobody was paid before. */
export const FIRST_YEAR = 2020

/** The year in a URL: one from the first to the current, anything else is the current. */
export function yearFrom(text: string | null, current: number): number {
  if (text === null || !/^\d{4}$/.test(text)) return current
  const year = Number(text)
  return year >= FIRST_YEAR && year <= current ? year : current
}

/** The parts of a month, in the order in which they stand on one another. */
export const PARTS = ['passive', 'direct', 'binary'] as const
export type Part = (typeof PARTS)[number]

type Sums = Record<Part | 'amount', string>

export function sumsOf(months: readonly MonthEarnings[]): Sums {
  const sum = (key: keyof Sums) =>
    formatMicro(micro(months.reduce((total, month) => total + microOf(month[key]), 0n)))
  return { amount: sum('amount'), passive: sum('passive'), direct: sum('direct'), binary: sum('binary') }
}

/** Parts of a month as heights are drawn from: pixels need no micro-USDT. */
export function drawnParts(month: MonthEarnings): number[] {
  return PARTS.map((part) => Math.max(0, microToJsonNumber(microOf(month[part]))))
}

/** A leg's points in percent of the stronger leg's. A reversal may leave a leg below nothing, which draws as nothing. */
export function shareOfStronger(points: string, other: string): number {
  const own = microOf(points)
  const rest = microOf(other)
  if (own <= 0n) return 0
  return own >= rest ? 100 : Number((own * 1000n) / rest) / 10
}

/** Whether there is anything binary to show: a day was matched, or points wait on a leg. */
export function hasBinary(summary: BinaryStanding): boolean {
  return summary.as_of !== null || isSome(summary.left_points) || isSome(summary.right_points)
}

/** The lists of the page, as the URL names them. */
export const TABS = ['direct', 'passive', 'all', 'binary', 'points', 'not-paid'] as const
export type Tab = (typeof TABS)[number]

/** Kinds that all payments can be cut down to, in the order in which they are offered. */
export const KINDS = ['passive', 'direct', 'master', 'binary'] as const satisfies readonly PaymentKind[]

const DAY = parseAsMatch(/^2\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)

/** What the page shows, as its address keeps it; the filters are of all payments. */
export const PLACE = {
  tab: parseAsStringLiteral(TABS).withDefault('direct'),
  page: parseAsPage,
  kind: parseAsStringLiteral(KINDS),
  from: DAY,
  to: DAY,
  q: parseAsString.withDefault(''),
}
export type Place = Values<typeof PLACE>

export const NO_FILTER = { kind: null, from: null, to: null, q: null } as const

/** Of all payments, which. */
export type Filter = Pick<Place, 'kind' | 'from' | 'to' | 'q'>

/** A person is looked for from two letters on. */
const SEARCH_FROM = 2

/** As a question to the server; what is no search yet is left out, and so is what would be refused. */
export function filterQuery({ kind, from, to, q }: Filter): string {
  const person = plainTyped(q).slice(0, 64)
  const asked = new URLSearchParams()
  if (kind !== null) asked.set('kind', kind)
  if (from !== null) asked.set('from', from)
  if (to !== null && (from === null || from <= to)) asked.set('to', to)
  if (person.length >= SEARCH_FROM) asked.set('q', person)
  return asked.toString()
}

/**
 * The tabs to show. What a member has never had to do with is left out, unless the URL asks for it; until that is known
 * (`binary` undefined) the later tabs wait, so that none moves under the pointer.
 */
export function shownTabs(current: Tab, binary: boolean | undefined): Tab[] {
  const isBinary = (tab: Tab) => tab === 'binary' || tab === 'points'
  const withBinary = binary === true || isBinary(current)
  return TABS.filter((tab) => {
    if (tab === current || tab === 'direct' || tab === 'passive' || tab === 'all') return true
    if (isBinary(tab)) return withBinary
    return binary !== undefined
  })
}

/** Days as the calendar writes them, "2026-11-20", both inclusive. */
export interface DayRange {
  from: string
  to: string
}

/** From the first of January until today, by the member's own calendar. */
export function thisYear(now: Date): DayRange {
  return { from: `${now.getFullYear()}-01-01`, to: dayOf(now) }
}

/** The rule a day breaks within its range, or null. An empty day is one that could not be read, too. */
export function brokenDayRule(which: keyof DayRange, { from, to }: DayRange) {
  if ((which === 'from' ? from : to) === '') return 'required'
  // Days of one length compare as text.
  return which === 'to' && from !== '' && from > to ? 'order' : null
}

/** Days that are chosen at a press: a month by its number, or a whole year. */
export interface Preset extends DayRange {
  name: 'thisMonth' | 'lastMonth' | 'month' | 'thisYear'
  /** From 1. */
  month: number
  year: number
}

/** Whole months before the current one that are offered. */
const MONTHS_BACK = 5

/** The current month and year until today, and the months before, each whole, by the member's own calendar. */
export function presetsOf(now: Date): Preset[] {
  const months = Array.from({ length: MONTHS_BACK + 1 }, (_, back): Preset => {
    const first = new Date(now.getFullYear(), now.getMonth() - back, 1)
    const last = back === 0 ? now : new Date(first.getFullYear(), first.getMonth() + 1, 0)
    return {
      name: back === 0 ? 'thisMonth' : back === 1 ? 'lastMonth' : 'month',
      month: first.getMonth() + 1,
      year: first.getFullYear(),
      from: dayOf(first),
      to: dayOf(last),
    }
  })
  return [...months, { name: 'thisYear', month: 12, year: now.getFullYear(), ...thisYear(now) }]
}

export const FORMATS = ['pdf', 'csv'] as const
export type Format = (typeof FORMATS)[number]

export function statementName({ from, to }: DayRange, format: Format): string {
  return `aval-${from}-${to}.${format}`
}

type Waiting = Exclude<PaymentState, 'paid'>

/** How a payment that has not arrived is marked. Nothing but money missing calls for attention. */
export const WAITING_TONES: Record<Waiting, string> = {
  posting: '',
  awaiting_funding: 'badge-wait',
  in_review: '',
}

export const POINTS_TONES: Record<BinaryPoints['state'], string> = {
  open: '',
  counted: 'badge-ok',
  reversed: 'badge-bad',
}

/** A newer server's state of points says no more than that they are there. */
export const pointsState = (state: BinaryPoints['state']) => (state in POINTS_TONES ? state : 'open')

/** A waiting state the interface has words for; a newer server's waits like any other. */
export function waitingState(state: PaymentState): Waiting | null {
  if (state === 'paid') return null
  return state in WAITING_TONES ? state : 'posting'
}

/** What a member can do about it, or that it is nothing to do with the member. */
type Remedy = 'activate' | 'refer' | 'limit' | 'company'

export const REMEDIES: Record<NotPaidReason, Remedy> = {
  inactive: 'activate',
  skipped: 'activate',
  no_active_left: 'refer',
  no_active_right: 'refer',
  no_active_referrals: 'refer',
  flushed: 'limit',
  capped: 'limit',
  pro_rata: 'company',
}

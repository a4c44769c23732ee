/** The list of withdrawals as the page keeps it: what is chosen stays as it was read, however the list changes. */
import type { ApprovalRow } from '@aval/approvals'

export interface Approver {
  readonly operator: string
  readonly name: string
}

/** A withdrawal as an operator sees it. Amounts are micro-USDT. */
export interface Row {
  readonly id: string
  readonly memberId: string
  readonly username: string
  readonly name: string
  readonly amount: bigint
  readonly fee: bigint
  readonly wallet: string
  readonly requestedAt: string
  /** By when it is to have arrived, and from when on that is soon; null while the account is frozen. */
  readonly dueAt: string | null
  readonly soonAt: string | null
  readonly risks: readonly string[]
  /** What the member asked for in 24 hours. */
  readonly daySum: bigint
  readonly walletChangedAt: string | null
  /** How many operators the plan asks for; the signer's key file may ask for more. */
  readonly needed: number
  readonly approvals: readonly Approver[]
  readonly waiting: readonly Approver[]
}

/** How what was chosen differs from what is there now. */
export type Mark = 'gone' | 'changed'

export interface ShownRow {
  readonly row: Row
  readonly mark: Mark | null
}

/** Why an operator cannot approve a row. */
export type Bar = Mark | 'own' | 'approved' | 'waiting'

const sameContent = (one: Row, other: Row): boolean =>
  one.memberId === other.memberId &&
  one.amount === other.amount &&
  one.fee === other.fee &&
  one.wallet === other.wallet

/** The fresh list, and before it what was chosen and is there no more. Nothing that changed is shown as if it were what was chosen. */
export function shownRows(fresh: readonly Row[], chosen: ReadonlyMap<string, Row>): readonly ShownRow[] {
  const present = new Set(fresh.map(({ id }) => id))
  const gone = [...chosen.values()].filter(({ id }) => !present.has(id))
  return [
    ...gone.map((row): ShownRow => ({ row, mark: 'gone' })),
    ...fresh.map((row): ShownRow => {
      const before = chosen.get(row.id)
      return { row, mark: before !== undefined && !sameContent(before, row) ? 'changed' : null }
    }),
  ]
}

/** @param operator member number; null while nobody said who they are */
export function barOf({ row, mark }: ShownRow, operator: string | null): Bar | null {
  if (mark !== null) return mark
  if (operator === null) return null
  if (row.memberId === operator) return 'own'
  if (row.approvals.some((approval) => approval.operator === operator)) return 'approved'
  return row.waiting.some((approval) => approval.operator === operator) ? 'waiting' : null
}

export const FILTERS = ['all', 'risky', 'second'] as const
export type Filter = (typeof FILTERS)[number]

/** Everybody withdraws a first time: that alone warns of nothing. */
export const isRisky = (risks: readonly string[]): boolean =>
  risks.some((risk) => risk !== 'first_withdrawal')

function isOf(row: Row, filter: Filter): boolean {
  if (filter === 'risky') return isRisky(row.risks)
  return filter === 'all' || row.needed > 1 || row.approvals.length > 0
}

/** Whether a row has every word of what was typed: in its number, names or wallet. */
function matches(row: Row, typed: string): boolean {
  const text = [row.id, row.username, row.name, row.wallet].join(' ').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export const ORDERS = ['oldest', 'largest', 'member'] as const
export type Order = (typeof ORDERS)[number]

const larger = (one: bigint, other: bigint): number => (one === other ? 0 : one > other ? -1 : 1)
const BY: Readonly<Record<Order, (one: Row, other: Row) => number>> = {
  oldest: (one, other) => -larger(BigInt(one.id), BigInt(other.id)),
  largest: (one, other) => larger(one.amount, other.amount) || BY.oldest(one, other),
  member: (one, other) => one.username.localeCompare(other.username) || BY.oldest(one, other),
}

/** More numbers than an operator opens at once. */
const MOST_ASKED = 100

/** The withdrawals that an address asks to be shown alone, `#withdrawals=3,15`; null for every other address. */
export function askedIn(hash: string): ReadonlySet<string> | null {
  const ids = /^#withdrawals=([1-9]\d{0,17}(?:,[1-9]\d{0,17})*)$/.exec(hash)?.[1]?.split(',') ?? []
  return ids.length === 0 || ids.length > MOST_ASKED ? null : new Set(ids)
}

export interface Looked {
  /** Shown alone, as an address asked; null for all. It chooses none of them. */
  readonly asked: ReadonlySet<string> | null
  readonly typed: string
  readonly filter: Filter
  readonly order: Order
}

/** What differs from what was chosen comes first, whatever is looked for. */
export function lookedFor(
  rows: readonly ShownRow[],
  { asked, typed, filter, order }: Looked,
): readonly ShownRow[] {
  const marked = rows.filter(({ mark }) => mark !== null)
  const rest = rows.filter(
    ({ row, mark }) =>
      mark === null &&
      (asked === null || asked.has(row.id)) &&
      isOf(row, filter) &&
      matches(row, typed.trim()),
  )
  return [...marked, ...rest.toSorted((one, other) => BY[order](one.row, other.row))]
}

export interface Sums {
  readonly count: number
  readonly members: number
  readonly amount: bigint
  readonly fee: bigint
}

export function sumsOf(rows: readonly Row[]): Sums {
  return {
    count: rows.length,
    members: new Set(rows.map(({ memberId }) => memberId)).size,
    amount: rows.reduce((sum, row) => sum + row.amount, 0n),
    fee: rows.reduce((sum, row) => sum + row.fee, 0n),
  }
}

export interface ReviewedRow {
  readonly row: Row
  /** Of the member's rows in this list; null but on the first of several. */
  readonly member: { readonly count: number; readonly amount: bigint } | null
}

/** By member, who gets most first, each member's largest first. */
export function reviewed(rows: readonly Row[]): readonly ReviewedRow[] {
  const byMember = Map.groupBy(rows, ({ memberId }) => memberId)
  const groups = [...byMember.values()].map((own) => ({
    own: own.toSorted(BY.largest),
    amount: sumsOf(own).amount,
  }))
  return groups
    .toSorted((one, other) => larger(one.amount, other.amount))
    .flatMap(({ own, amount }) =>
      own.map((row, at) => ({
        row,
        member: at === 0 && own.length > 1 ? { count: own.length, amount } : null,
      })),
    )
}

/** What is signed, in the order in which it is signed: by number. */
export function approvalRows(rows: readonly Row[]): readonly ApprovalRow[] {
  return rows.toSorted(BY.oldest).map((row) => ({
    withdrawalId: BigInt(row.id),
    memberId: BigInt(row.memberId),
    amount: row.amount,
    fee: row.fee,
    wallet: row.wallet,
  }))
}

/**
 * Which rows of a long list are drawn.
 *
 * @param top pixels by which the list has been scrolled out of the window; below zero where it begins further down
 * @param window height of the window
 * @returns the first, and the one after the last
 */
export function windowOf(
  top: number,
  window: number,
  rowHeight: number,
  count: number,
): readonly [number, number] {
  const spare = 6
  const first = Math.floor(top / rowHeight) - spare
  const after = Math.ceil((top + window) / rowHeight) + spare
  const within = (at: number) => Math.min(count, Math.max(0, at))
  return [within(first), within(after)]
}

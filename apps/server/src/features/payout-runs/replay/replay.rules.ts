/** Comparing what a run sealed with what is recomputed: row by row, in the order of members, a part at a time. */
import { formatAmount } from '@aval/money'
import type { Item, Missed } from '../runs/runs.rules.ts'

export interface Difference {
  /** Null where it is of the run itself. */
  readonly memberId: bigint | null
  /** What of theirs: "item", "item of investment 12", "missed", "carry". */
  readonly of: string
  readonly field: string
  /** Null where there is nothing of the kind. Amounts and points are decimal text. */
  readonly sealed: string | null
  readonly recomputed: string | null
}

const MOST_KEPT = 20

/** Differences as they are found: the first few of them, and how many there are. */
export class Differences {
  readonly first: Difference[] = []
  count = 0
  /** Rows that are alike but numbered otherwise: worth telling only where nothing else differs. */
  readonly #order: Difference[] = []

  add(difference: Difference): void {
    this.count += 1
    if (this.first.length < MOST_KEPT) this.first.push(difference)
  }

  addOrder(difference: Difference): void {
    if (this.#order.length < MOST_KEPT) this.#order.push(difference)
  }

  /** Adds what differs between two values, if anything does. */
  compare(
    where: Pick<Difference, 'memberId' | 'of' | 'field'>,
    sealed: string | null,
    recomputed: string | null,
  ): void {
    if (sealed !== recomputed) this.add({ ...where, sealed, recomputed })
  }

  settle(): void {
    if (this.count === 0) for (const difference of this.#order) this.add(difference)
  }
}

/** How rows of one sort are identified and compared. */
interface Shape<Row> {
  readonly of: (row: Row) => string
  /** What a row is known by among those of its member. */
  readonly key: (row: Row) => string
  /** By field; the first stands for the whole row where there is none on the other side. */
  readonly fields: (row: Row) => Readonly<Record<string, string>>
}

const points = (value: bigint | null): string => (value === null ? 'none' : formatAmount(value))
const plain = (value: bigint | number | null): string => (value === null ? 'none' : String(value))
const named = (sort: string, investmentId: bigint | null): string =>
  investmentId === null ? sort : `${sort} of investment ${investmentId}`

export const ITEMS: Shape<Item> = {
  of: (row) => named('item', row.investmentId),
  key: (row) => String(row.investmentId),
  fields: (row) => ({
    amount: formatAmount(row.amount),
    kind: row.kind,
    basis: formatAmount(row.basis),
    percentage: row.percentage,
    level: plain(row.level),
    from_member_id: plain(row.fromMemberId),
    left_points: points(row.leftPoints),
    right_points: points(row.rightPoints),
    flushed: formatAmount(row.flushed),
    leg: plain(row.leg),
  }),
}

export const MISSED: Shape<Missed> = {
  of: (row) => named('missed', row.investmentId),
  key: (row) => String(row.investmentId),
  fields: (row) => ({
    amount: formatAmount(row.amount),
    kind: row.kind,
    reason: row.reason,
    level: plain(row.level),
    from_member_id: plain(row.fromMemberId),
    leg: plain(row.leg),
  }),
}

/** An item of a day of passive profit, as a page keeps it. */
export interface PassiveItem {
  readonly memberId: bigint
  readonly basis: bigint
  readonly amount: bigint
  readonly earned: bigint | null
}

export const PASSIVE: Shape<PassiveItem> = {
  of: () => 'item',
  key: () => '',
  fields: (row) => ({
    amount: formatAmount(row.amount),
    basis: formatAmount(row.basis),
    earned: points(row.earned),
  }),
}

export interface CarryItem {
  readonly memberId: bigint
  readonly left: bigint
  readonly right: bigint
  readonly events: number
}

export const CARRY: Shape<CarryItem> = {
  of: () => 'carry',
  key: () => '',
  fields: (row) => ({
    left: formatAmount(row.left),
    right: formatAmount(row.right),
    events: plain(row.events),
  }),
}

function compareRow<Row extends { readonly memberId: bigint }>(
  shape: Shape<Row>,
  sealed: Row | undefined,
  recomputed: Row | undefined,
  found: Differences,
): void {
  const row = sealed ?? recomputed
  if (row === undefined) return
  const where = { memberId: row.memberId, of: shape.of(row) }
  const [left, right] = [sealed && shape.fields(sealed), recomputed && shape.fields(recomputed)]
  for (const field of Object.keys(shape.fields(row))) {
    const [was, is] = [left?.[field] ?? null, right?.[field] ?? null]
    if (left === undefined || right === undefined) {
      found.add({ ...where, field, sealed: was, recomputed: is })
      return
    }
    if (field !== 'leg') found.compare({ ...where, field }, was, is)
    else if (was !== is) found.addOrder({ ...where, field, sealed: was, recomputed: is })
  }
}

function compareMember<Row extends { readonly memberId: bigint }>(
  shape: Shape<Row>,
  sealed: readonly Row[],
  recomputed: readonly Row[],
  found: Differences,
): void {
  const waiting = new Map<string, Row[]>()
  for (const row of recomputed) {
    const alike = waiting.get(shape.key(row))
    if (alike === undefined) waiting.set(shape.key(row), [row])
    else alike.push(row)
  }
  for (const row of sealed) compareRow(shape, row, waiting.get(shape.key(row))?.shift(), found)
  for (const rows of waiting.values()) for (const row of rows) compareRow(shape, undefined, row, found)
}

/** Compares sealed rows, given part by part in the order of members, with all that were recomputed, in the same order. */
export function comparison<Row extends { readonly memberId: bigint }>(
  shape: Shape<Row>,
  recomputed: readonly Row[],
  found: Differences,
) {
  let at = 0
  let sealed: Row[] = []
  const upTo = (memberId: bigint | null): Row[] => {
    const start = at
    while (at < recomputed.length && (memberId === null || (recomputed[at]?.memberId ?? 0n) < memberId))
      at += 1
    return recomputed.slice(start, at)
  }
  const settle = (): void => {
    const memberId = sealed[0]?.memberId
    if (memberId === undefined) return
    for (const row of upTo(memberId)) compareRow(shape, undefined, row, found)
    compareMember(shape, sealed, upTo(memberId + 1n), found)
    sealed = []
  }
  return {
    take(rows: readonly Row[]): void {
      for (const row of rows) {
        if (sealed[0] !== undefined && sealed[0].memberId !== row.memberId) settle()
        sealed.push(row)
      }
    },
    end(): void {
      settle()
      for (const row of upTo(null)) compareRow(shape, undefined, row, found)
    },
  }
}

/** The figures that a run states of itself. */
export interface Figures {
  readonly count: number
  readonly sum: bigint
  readonly largest: bigint
  readonly notPaid: bigint
}

/** The figures of commissions; a member's items count together. */
export function figuresOf(items: readonly Item[], missed: readonly Missed[]): Figures {
  let [sum, largest, ofMember] = [0n, 0n, 0n]
  for (const [index, { memberId, amount }] of items.entries()) {
    sum += amount
    ofMember = amount + (items[index - 1]?.memberId === memberId ? ofMember : 0n)
    if (ofMember > largest) largest = ofMember
  }
  return {
    count: items.length,
    sum,
    largest,
    notPaid: missed.reduce<bigint>((all, { amount }) => all + amount, 0n),
  }
}

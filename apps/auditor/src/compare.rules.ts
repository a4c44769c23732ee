/** Names what differs between what a run sealed and what it was computed to again: the first ten things, for a person to read. */
import { asDecimal } from './exact.rules.ts'
import { BLOCK, type Carry, type Item, type Missed, type Page } from './seal.rules.ts'

export interface Difference {
  readonly member: number
  /** "item", "missed", "carry", and of which investment. */
  readonly of: string
  readonly field: string
  /** Null where there is nothing of the kind. */
  readonly sealed: string | null
  readonly recomputed: string | null
}

/** One thing that has an amount and other fields, as texts by name; the amount comes first. */
interface Compared {
  readonly member: number
  readonly of: string
  readonly fields: Readonly<Record<string, string>>
}

const MOST = 10

const usd = (amount: bigint | null): string => (amount === null ? 'none' : asDecimal(amount))
const plain = (value: bigint | number | string | null): string => (value === null ? 'none' : String(value))
const named = (sort: string, investment: bigint | null): string =>
  investment === null ? sort : `${sort} of investment ${investment}`

const ofItem = (item: Item): Compared => ({
  member: item.member,
  of: named('item', item.investment),
  fields: {
    amount: usd(item.amount),
    kind: item.kind,
    basis: usd(item.basis),
    percentage: item.percentage,
    level: plain(item.level),
    from: plain(item.from),
    left_points: usd(item.leftPoints),
    right_points: usd(item.rightPoints),
    flushed: usd(item.flushed),
    leg: plain(item.leg),
  },
})

const ofMissed = (missed: Missed): Compared => ({
  member: missed.member,
  of: named('missed', missed.investment),
  fields: {
    amount: usd(missed.amount),
    kind: missed.kind,
    reason: missed.reason,
    level: plain(missed.level),
    from: plain(missed.from),
    leg: plain(missed.leg),
  },
})

const ofPage = ({ members, bases, amounts, earned }: Page): Compared[] =>
  members.map((member, at) => ({
    member,
    of: 'item',
    fields: {
      amount: usd(amounts[at] ?? 0n),
      basis: usd(bases[at] ?? 0n),
      earned: usd(earned?.[at] ?? null),
    },
  }))

const ofCarry = ({ block, lefts, rights, events }: Carry): Compared[] =>
  [...lefts.entries()].map(([at, left]) => ({
    member: block * BLOCK + at,
    of: 'carry',
    fields: { left: usd(left), right: usd(rights[at] ?? 0n), events: plain(events[at] ?? 0) },
  }))

/** Rows of both sides of one sort; a part of a run, or all of it. */
export interface Rows {
  readonly items?: readonly Item[]
  readonly missed?: readonly Missed[]
  readonly pages?: readonly Page[]
  readonly carries?: readonly Carry[]
}

function comparedOf({ items = [], missed = [], pages = [], carries = [] }: Rows): Map<string, Compared> {
  const all = [
    ...pages.flatMap(ofPage),
    ...items.map(ofItem),
    ...missed.map(ofMissed),
    ...carries.flatMap(ofCarry),
  ]
  return new Map(all.map((one) => [`${one.member} ${one.of}`, one]))
}

/** Adds what differs to what was found before, up to ten. */
export function compare(sealed: Rows, recomputed: Rows, found: Difference[]): void {
  const [was, is] = [comparedOf(sealed), comparedOf(recomputed)]
  for (const key of [...new Set([...was.keys(), ...is.keys()])]) {
    const [before, after] = [was.get(key), is.get(key)]
    const { member, of, fields } = before ?? after ?? { member: 0, of: '', fields: {} }
    for (const field of Object.keys(fields)) {
      const [one, other] = [before?.fields[field] ?? null, after?.fields[field] ?? null]
      if (one === other) continue
      if (found.length === MOST) return
      found.push({ member, of, field, sealed: one, recomputed: other })
      if (before === undefined || after === undefined) break
    }
  }
}

/**
 * The match of a day. The tree is numbered from the root down, left before right, so that everybody below a member is a stretch of
 * numbers, and what they invested is the difference of two running sums.
 */
import { asDecimal, least, percentOf } from './exact.rules.ts'
import type { Plan } from './plan.rules.ts'
import { BLOCK, type Carry, type Item, type Missed } from './seal.rules.ts'

/** Both trees, by member id; 0: nobody. */
export interface Trees {
  readonly parent: Int32Array
  /** 1: left, 2: right. */
  readonly side: Uint8Array
  readonly sponsor: Int32Array
}

export interface MatchInputs extends Trees {
  /** At the midnight that ends the day. */
  readonly principals: BigInt64Array
  /** What was invested on the day, and, below zero, taken back. */
  readonly movements: readonly { readonly member: number; readonly amount: bigint }[]
  /** Carried into the day, with room for the last block whole. Holds afterwards what is carried out. */
  readonly lefts: BigInt64Array
  readonly rights: BigInt64Array
  readonly events: Int32Array
}

function numberTree({ parent, side }: Trees) {
  const size = parent.length
  const [left, right] = [new Int32Array(size), new Int32Array(size)]
  for (let id = 1; id < size; id += 1) (side[id] === 1 ? left : right)[parent[id] ?? 0] = id
  const [enters, order, stack] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)]
  let count = 0
  for (let root = 1; root < size; root += 1) {
    if (parent[root] !== 0) continue
    let open = 1
    stack[0] = root
    while (open > 0) {
      const id = stack[--open] ?? 0
      enters[id] = count
      order[count++] = id
      for (const child of [right[id] ?? 0, left[id] ?? 0]) if (child !== 0) stack[open++] = child
    }
  }
  const sizes = new Int32Array(size).fill(1)
  for (let at = count - 1; at >= 0; at -= 1) {
    const up = parent[order[at] ?? 0] ?? 0
    if (up !== 0) sizes[up] = (sizes[up] ?? 0) + (sizes[order[at] ?? 0] ?? 0)
  }
  return { left, right, enters, sizes, order, count }
}

/** Running sums over the numbered tree, of what moved, who moved, and how many investments there were. */
function sumsOf(inputs: MatchInputs) {
  const { left, right, enters, sizes, order, count } = numberTree(inputs)
  const own = new BigInt64Array(inputs.parent.length)
  const moves = new Int32Array(inputs.parent.length)
  const made = new Int32Array(inputs.parent.length)
  for (const { member, amount } of inputs.movements) {
    own[member] = (own[member] ?? 0n) + amount
    moves[member] = (moves[member] ?? 0) + 1
    if (amount > 0n) made[member] = (made[member] ?? 0) + 1
  }
  const amounts = new BigInt64Array(count + 1)
  const [movers, investments] = [new Int32Array(count + 1), new Int32Array(count + 1)]
  for (let at = 0; at < count; at += 1) {
    const id = order[at] ?? 0
    amounts[at + 1] = (amounts[at] ?? 0n) + (own[id] ?? 0n)
    movers[at + 1] = (movers[at] ?? 0) + (moves[id] ?? 0)
    investments[at + 1] = (investments[at] ?? 0) + (made[id] ?? 0)
  }
  const below = (sums: Int32Array, id: number): number => {
    const first = (enters[id] ?? 0) + 1
    return (sums[first - 1 + (sizes[id] ?? 1)] ?? 0) - (sums[first] ?? 0)
  }
  const withAll = (child: number): bigint => {
    if (child === 0) return 0n
    const first = enters[child] ?? 0
    return (amounts[first + (sizes[child] ?? 0)] ?? 0n) - (amounts[first] ?? 0n)
  }
  return {
    newLeft: (id: number) => withAll(left[id] ?? 0),
    newRight: (id: number) => withAll(right[id] ?? 0),
    movesBelow: (id: number) => below(movers, id),
    madeBelow: (id: number) => below(investments, id),
  }
}

/** The sides on which a member has a direct referral with principal: 1 left, 2 right, 3 both. */
function activeSides({ sponsor, side, principals }: MatchInputs): Uint8Array {
  const sides = new Uint8Array(sponsor.length)
  for (const [id, up] of sponsor.entries())
    if (up !== 0 && (principals[id] ?? 0n) > 0n) sides[up] = (sides[up] ?? 0) | (side[id] ?? 0)
  return sides
}

const WHY = ['no_active_referrals', 'no_active_right', 'no_active_left'] as const

/** What is paid, what is not and why, and the blocks of carried points that the day changed. */
export function matchOf({ binary }: Plan, inputs: MatchInputs) {
  const { lefts, rights, events, principals } = inputs
  const sums = sumsOf(inputs)
  const sides = activeSides(inputs)
  const changed = new Set<number>()
  const items: Item[] = []
  const missed: Missed[] = []
  const none = { leg: 0, kind: 'binary', level: null, investment: null, from: null } as const
  for (let member = 1; member < principals.length; member += 1) {
    if (sums.movesBelow(member) > 0) changed.add(Math.floor(member / BLOCK))
    events[member] = (events[member] ?? 0) + sums.madeBelow(member)
    const [newLeft, newRight] = [sums.newLeft(member), sums.newRight(member)]
    const leftPoints = (lefts[member] ?? 0n) + newLeft
    const rightPoints = (rights[member] ?? 0n) + newRight
    lefts[member] = leftPoints
    rights[member] = rightPoints
    const basis = least(leftPoints, rightPoints)
    if (basis <= 0n) continue
    const earned = percentOf(basis, binary.percent)
    const principal = principals[member] ?? 0n
    const reason = principal <= 0n ? 'inactive' : WHY[sides[member] ?? 0]
    if (reason !== undefined) {
      const amount = least(earned, binary.dailyCap)
      if ((newLeft !== 0n || newRight !== 0n) && amount > 0n) missed.push({ ...none, member, reason, amount })
      continue
    }
    lefts[member] = leftPoints - basis
    rights[member] = rightPoints - basis
    changed.add(Math.floor(member / BLOCK))
    const amount = least(earned, least(binary.dailyCap, principal))
    const flushed = earned - amount
    const percentage = asDecimal(binary.percent)
    if (amount > 0n)
      items.push({ ...none, member, amount, basis, percentage, leftPoints, rightPoints, flushed })
    if (flushed > 0n) missed.push({ ...none, member, reason: 'flushed', amount: flushed })
  }
  const carries = [...changed]
    .toSorted((first, second) => first - second)
    .map((block): Carry => {
      const part = <Values extends BigInt64Array | Int32Array>(values: Values) =>
        values.subarray(block * BLOCK, (block + 1) * BLOCK) as Values
      return { block, lefts: part(lefts), rights: part(rights), events: part(events) }
    })
  return { items, missed, carries }
}

/**
 * The engine: the plan's rules applied to a whole network at once. Networks, principals and points are arrays indexed by
 * member id, so that a sweep over a million members is a loop over memory.
 */
import {
  depths,
  indexOf,
  nearestMasters,
  type Placements,
  type Sponsors,
  sidesWith,
  sumLegs,
} from '@aval/genealogy'
import { type Micro, micro, percent, ratioToPercentText } from '@aval/money'
import {
  cutByCap,
  type DayTerms,
  directCommissions,
  forgone,
  matchable,
  matchLegs,
  type Plan,
  passiveProfit,
  type Upline,
  unqualified,
} from '@aval/plan'
import type { Item, Missed, PassiveBlock } from '../runs/runs.rules.ts'

export interface Network extends Placements, Sponsors {}

type Unnumbered<Row> = Omit<Row, 'leg'>

/** By member, in the order given; each member's rows numbered from 0. */
function numbered<Row extends { readonly memberId: bigint }>(
  rows: readonly Row[],
): (Row & { leg: number })[] {
  const sorted = rows.toSorted((left, right) =>
    left.memberId < right.memberId ? -1 : left.memberId > right.memberId ? 1 : 0,
  )
  let leg = -1
  return sorted.map((row, index) => {
    leg = sorted[index - 1]?.memberId === row.memberId ? leg + 1 : 0
    return { ...row, leg }
  })
}

export interface Invested {
  readonly id: bigint
  readonly memberId: bigint
  readonly amount: Micro
}

/** The commissions of a batch of investments, in the order in which they were made. */
export function commissions(
  plan: Plan,
  batch: readonly Invested[],
  uplinesOf: (memberId: bigint) => readonly Upline[],
): { items: Item[]; missed: Missed[] } {
  const items: Unnumbered<Item>[] = []
  const missed: Unnumbered<Missed>[] = []
  for (const { id, memberId: fromMemberId, amount: invested } of batch) {
    const commissions = directCommissions(plan, invested, uplinesOf(fromMemberId))
    for (const payable of commissions.payables) {
      items.push({
        ...payable,
        basis: invested,
        investmentId: id,
        fromMemberId,
        leftPoints: null,
        rightPoints: null,
        flushed: micro(0n),
      })
    }
    for (const { memberId, kind, reason, amount, level } of commissions.missed)
      missed.push({ memberId, kind, reason, amount, level, investmentId: id, fromMemberId })
  }
  return { items: numbered(items), missed: numbered(missed) }
}

/**
 * The sponsor chain above members of a network, each step found without walking past those who cannot be paid. Under
 * compression it is walked whole, as far as anybody up there can be paid.
 */
export function climber(
  plan: Plan,
  network: Sponsors,
  active: (id: number) => boolean,
  extraPercents: ReadonlyMap<number, string>,
): (memberId: bigint) => Upline[] {
  const { sponsor, master } = network
  const nearest = nearestMasters(network)
  const depth = depths(sponsor)
  const { levels, compression } = plan.direct
  return (memberId) => {
    const start = indexOf(memberId)
    const chain: Upline[] = []
    let counted = 0
    for (let below = start; ; ) {
      const up = sponsor[below] ?? 0
      if (up === 0) return chain
      const isActive = active(up)
      chain.push({
        memberId: BigInt(up),
        level: (depth[start] ?? 0) - (depth[up] ?? 0),
        active: isActive,
        extraPercent: extraPercents.get(up) ?? '0',
        masterLink: master[below] === 1,
      })
      if (isActive || !compression) counted += 1
      const next = counted < levels.length ? up : (nearest[up] ?? 0)
      if (next === 0) return chain
      below = compression ? up : next
    }
  }
}

/** What goes into the match of a day. Points are micro-points; `left` and `right` are what was carried in. */
export interface MatchInputs {
  readonly plan: Plan
  readonly network: Network
  /** At the midnight that ends the day. */
  readonly principals: BigInt64Array
  /** Invested during the day, and, below zero, taken back during it. */
  readonly movements: readonly { readonly memberId: bigint; readonly amount: bigint }[]
  /** Carried in; turned into what is carried out. */
  readonly left: BigInt64Array
  readonly right: BigInt64Array
}

export interface Matched {
  readonly items: Item[]
  readonly missed: Missed[]
  /** Members whose carry was changed by the day: 1 or 0. */
  readonly changed: Uint8Array
}

function sweep({ network, movements }: MatchInputs) {
  const own = new BigInt64Array(network.parent.length)
  const marked = new Uint8Array(network.parent.length)
  for (const { memberId, amount } of movements) {
    const id = indexOf(memberId)
    own[id] = (own[id] ?? 0n) + amount
    marked[id] = 1
  }
  return sumLegs(network, own, marked)
}

/** Matches every member's legs for a day: new points are added to what was carried in, and what is left is carried out. */
export function matchDay(inputs: MatchInputs): Matched {
  const { plan, network, principals, left, right } = inputs
  const sums = sweep(inputs)
  const sides = sidesWith(network.sponsor, network.leg, (id) => (principals[id] ?? 0n) > 0n)
  const percentage = ratioToPercentText(percent(plan.binary.percent), 6)
  const items: Item[] = []
  const missed: Missed[] = []
  const binary = { leg: 0, kind: 'binary', level: null, investmentId: null, fromMemberId: null } as const
  for (let id = 1; id < left.length; id += 1) {
    const fresh = sums.touched[id] === 1 && (sums.left[id] !== 0n || sums.right[id] !== 0n)
    if (fresh) {
      left[id] = (left[id] ?? 0n) + (sums.left[id] ?? 0n)
      right[id] = (right[id] ?? 0n) + (sums.right[id] ?? 0n)
    }
    const legs = { left: left[id] ?? 0n, right: right[id] ?? 0n }
    if (matchable(legs) === 0n) continue
    const side = sides[id] ?? 0
    const standing = {
      ...legs,
      principal: micro(principals[id] ?? 0n),
      activeLeft: (side & 1) !== 0,
      activeRight: (side & 2) !== 0,
    }
    const memberId = BigInt(id)
    const reason = unqualified(standing)
    if (reason !== null) {
      const amount = forgone(plan, standing)
      if (fresh && amount > 0n) missed.push({ ...binary, memberId, reason, amount })
      continue
    }
    const match = matchLegs(plan, standing)
    left[id] = match.carryLeft
    right[id] = match.carryRight
    sums.touched[id] = 1
    const points = { leftPoints: legs.left, rightPoints: legs.right }
    const basis = micro(match.matched)
    if (match.paid > 0n)
      items.push({
        ...binary,
        memberId,
        amount: match.paid,
        basis,
        percentage,
        ...points,
        flushed: match.flushed,
      })
    if (match.flushed > 0n) missed.push({ ...binary, memberId, reason: 'flushed', amount: match.flushed })
  }
  return { items, missed, changed: sums.touched }
}

/** Passive profit of some members; `earned` is what they had of it before, needed where the plan has a cap. */
export function passiveBlock(
  terms: DayTerms,
  members: readonly bigint[],
  principals: readonly bigint[],
  earned: readonly bigint[] | null,
): PassiveBlock {
  const capped = terms.capMultiple !== null
  const block = {
    members: [] as bigint[],
    bases: [] as bigint[],
    amounts: [] as bigint[],
    earned: capped ? ([] as bigint[]) : null,
    missed: [] as Missed[],
  }
  let sum = 0n
  let largest = 0n
  for (const [index, memberId] of members.entries()) {
    const principal = micro(principals[index] ?? 0n)
    const before = micro(earned?.[index] ?? 0n)
    const amount = passiveProfit(terms, principal, before)
    if (amount === 0n) continue
    block.members.push(memberId)
    block.bases.push(principal)
    block.amounts.push(amount)
    block.earned?.push(before)
    sum += amount
    if (amount > largest) largest = amount
    const cut = capped ? cutByCap(terms, principal, amount) : micro(0n)
    if (cut > 0n)
      block.missed.push({
        memberId,
        leg: 0,
        kind: 'passive',
        reason: 'capped',
        amount: cut,
        level: null,
        investmentId: null,
        fromMemberId: null,
      })
  }
  return { ...block, sum, largest }
}

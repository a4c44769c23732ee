import fc from 'fast-check'
import { Draft, type Wish } from './draft.ts'
import { asDecimal } from './exact.ts'
import type { History, Member, PlanRules, Side } from './history.ts'

interface Size {
  readonly members: number
  readonly wishes: number
  readonly steps: number
}

const FULL: Size = { members: 25, wishes: 40, steps: 60 }
/** What a database plays in a second. */
export const SMALL: Size = { members: 10, wishes: 16, steps: 40 }

/**
 * Random valid histories. What is drawn is numbers and wishes, mapped onto whatever is possible at that moment,
 * so that every draw is valid and shrinks to something smaller that is valid too.
 */
export function histories(most = FULL): fc.Arbitrary<History> {
  return fc
    .record({
      // a Monday, a Friday, the end of a year and the days before a leap day
      firstDay: fc.constantFrom('2026-05-04', '2026-05-08', '2026-12-30', '2028-02-26'),
      rules: planRules(),
      members: networks(most.members),
      wishes: fc.array(wishes(), { minLength: 5, maxLength: most.wishes, size: 'max' }),
    })
    .map(({ firstDay, rules, members, wishes }) => {
      const draft = new Draft(firstDay, rules, members, most.steps)
      for (const wish of wishes) draft.grant(wish)
      return { firstDay, rules, members, steps: draft.steps }
    })
}

const USD = 1_000_000n

/** Decimal text from 0 up to this many percent, often round, sometimes with all six decimals. */
function percents(most: number): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: most }).map(String) },
    { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: BigInt(most) * 1_000_000n }).map(asDecimal) },
  )
}

function planRules(): fc.Arbitrary<PlanRules> {
  return fc.record({
    passive: passiveRules(),
    direct: fc.record({
      // at most six levels of at most 10 %, so never more than 60 % together
      levels: fc.oneof(
        { weight: 2, arbitrary: fc.constant(['5', '2', '1']) },
        { weight: 1, arbitrary: fc.constant(['4']) },
        { weight: 3, arbitrary: fc.array(percents(10), { minLength: 1, maxLength: 6 }) },
      ),
      masterPercent: fc.oneof(fc.constant('1'), percents(5)),
      compression: fc.boolean(),
    }),
    binary: fc.record({
      percent: fc.oneof(fc.constant('10'), percents(30)),
      dailyCap: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(1_000n * USD, 50n * USD, USD) },
        { weight: 1, arbitrary: fc.constantFrom(1n, 1_234_567n) },
      ),
    }),
  })
}

function passiveRules(): fc.Arbitrary<PlanRules['passive']> {
  return fc.constantFrom(1, 7, 30, 31).chain((periodDays) =>
    fc.record({
      // at most 3 % a day
      percentPerPeriod: fc.oneof(
        fc.constant(periodDays < 30 ? '1' : '10'),
        percents(Math.min(periodDays * 3, 90)),
      ),
      periodDays: fc.constant(periodDays),
      weekdaysOnly: fc.boolean(),
      capMultiple: fc.constantFrom(null, null, '0.01', '0.033333', '0.1', '1', '2.5'),
    }),
  )
}

/** From one member to so many, in the shape of a chain, a star, a single leg, a full tree or a bush. */
function networks(most: number): fc.Arbitrary<Member[]> {
  const seats = fc.record({
    pick: fc.nat(1_000),
    side: fc.constantFrom<Side>('L', 'R'),
  })
  return fc
    .record({
      shape: fc.constantFrom<Shape>(...SHAPES),
      seats: fc.array(seats, { minLength: 1, maxLength: most, size: 'max' }),
    })
    .map(({ shape, seats }) => {
      const members: Member[] = []
      for (const { pick, side } of seats) members.push(placed(members, shape, pick, side))
      return members
    })
}

type Shape = 'fullTree' | 'bush' | 'chain' | 'star' | 'oneLeg'

/** Most of them with two legs, without which there is no binary match. */
const SHAPES: Shape[] = [
  'fullTree',
  'fullTree',
  'fullTree',
  'bush',
  'bush',
  'bush',
  'chain',
  'chain',
  'star',
  'oneLeg',
]

function placed(members: readonly Member[], shape: Shape, pick: number, drawnSide: Side): Member {
  const id = members.length + 1
  if (id === 1) return { id, sponsorId: null, parentId: null, side: null }
  const sponsorId = {
    fullTree: Math.floor(id / 2),
    bush: 1 + (pick % (id - 1)),
    chain: id - 1,
    star: 1,
    oneLeg: 1 + (pick % (id - 1)),
  }[shape]
  const sideInTree = id % 2 === 0 ? 'L' : 'R'
  const side = shape === 'fullTree' ? sideInTree : shape === 'oneLeg' ? 'L' : drawnSide
  return { id, sponsorId, parentId: outerEnd(members, sponsorId, side), side }
}

function outerEnd(members: readonly Member[], from: number, side: Side): number {
  const next = members.find((one) => one.parentId === from && one.side === side)
  return next ? outerEnd(members, next.id, side) : from
}

function wishes(): fc.Arbitrary<Wish> {
  // the first few members often, so that much happens to the same ones
  const pick = fc.oneof(fc.nat(1_000), fc.nat(2))
  const thousandths = fc.bigInt({ min: 0n, max: 1_000n })
  const upTo = (most: number) => fc.integer({ min: 1, max: most })
  const referrals = fc.constantFrom<[boolean, boolean]>(
    [true, true],
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  )
  return fc.oneof(
    wish(5, 'days', { count: upTo(3) }),
    wish(5, 'commissions', {}),
    wish(7, 'bothLegs', { pick, amounts: fc.tuple(amounts(), amounts(), amounts()), referrals }),
    wish(4, 'invest', { pick, amount: amounts() }),
    wish(3, 'reinvest', { pick, thousandths: fc.oneof(fc.constant(1_000n), thousandths) }),
    wish(2, 'complete', { pick, thousandths, received: thousandths }),
    wish(1, 'cancel', { pick, amount: amounts() }),
    wish(4, 'reverse', { pick }),
    wish(2, 'topUpAndUndo', { pick, amounts: fc.tuple(amounts(), amounts()), latterFirst: fc.boolean() }),
    wish(3, 'owedCommission', { pick }),
    wish(2, 'owedProfit', { pick, days: fc.integer({ min: 2, max: 4 }) }),
    wish(3, 'masters', { pick, links: upTo(5) }),
    wish(3, 'extra', { pick, percents: fc.tuple(extraPercents(), extraPercents()), amount: amounts() }),
    wish(2, 'investAtCap', { pick, off: fc.constantFrom(-1n, 0n, 1n) }),
    wish(2, 'declare', { thousandthsOfTarget: thousandths }),
    wish(2, 'plan', { rules: planRules() }),
  )
}

/** At most two decimals, and 20: the database keeps no more. */
const extraPercents = () => fc.constantFrom('0', '0.5', '1', '2.01', '20')

/** One kind of wish, drawn so many times as often as one of weight 1. */
function wish<Want extends Wish['want'], Fields extends object>(
  weight: number,
  want: Want,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
  return { weight, arbitrary: fc.record<Fields>(fields).map((drawn) => ({ want, ...drawn })) }
}

function amounts(): fc.Arbitrary<bigint> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.bigInt({ min: 1n, max: 40n }).map((n) => n * 50n * USD) },
    { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 20_000n * USD }) },
    { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: 2_000n }) },
    { weight: 1, arbitrary: fc.constant(1n) },
  )
}

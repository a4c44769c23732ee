import { micro, ratio } from '@aval/money'
import { DEFAULT_PLAN, type Plan, parsePlan } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { climber, commissions, matchDay, passiveBlock } from './engine.rules.ts'

const plan = parsePlan(DEFAULT_PLAN)
const upline = { level: 1, active: true, extraPercent: '0', masterLink: false }

describe('the commissions of a batch', () => {
  const uplines = (memberId: bigint) =>
    memberId === 9n
      ? [
          { ...upline, memberId: 5n },
          { ...upline, memberId: 2n, level: 2, active: false },
        ]
      : [
          { ...upline, memberId: 2n },
          { ...upline, memberId: 5n, level: 2 },
        ]
  const made = (id: bigint, memberId: bigint) => ({ id, memberId, amount: micro(1_000n) })

  it('are in the order of members, and each member’s are numbered from 0 in the order of investments', () => {
    const { items, missed } = commissions(plan, [made(1n, 9n), made(2n, 8n), made(3n, 9n)], uplines)
    expect(
      items.map((one) => [one.memberId, one.leg, one.investmentId, one.fromMemberId, one.amount]),
    ).toEqual([
      [2n, 0, 2n, 8n, 50n],
      [5n, 0, 1n, 9n, 50n],
      [5n, 1, 2n, 8n, 20n],
      [5n, 2, 3n, 9n, 50n],
    ])
    expect(items[0]).toMatchObject({
      kind: 'direct',
      basis: 1_000n,
      percentage: '5',
      level: 1,
      leftPoints: null,
      rightPoints: null,
      flushed: 0n,
    })
    const row = { memberId: 2n, kind: 'direct', reason: 'inactive', amount: 20n, level: 2, fromMemberId: 9n }
    expect(missed).toEqual([
      { ...row, leg: 0, investmentId: 1n },
      { ...row, leg: 1, investmentId: 3n },
    ])
  })
})

describe('the chain above a member', () => {
  // 1 is the root; each was introduced by the one before. The link from 3 up to 2 is a master link.
  const network = {
    sponsor: Int32Array.of(0, 0, 1, 2, 3, 4, 5, 6, 7),
    master: Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0),
  }
  const withLevels = (levels: readonly string[], compression: boolean): Plan => ({
    ...plan,
    direct: { ...plan.direct, levels: [...levels], compression },
  })
  const chain = (rules: Plan, inactive: readonly number[]) =>
    climber(rules, network, (id) => !inactive.includes(id), new Map([[7, '2.5']]))(8n)

  it('is the flat levels, then jumps to the member a master link leads up to', () => {
    expect(chain(withLevels(['5', '2'], false), [7])).toEqual([
      { memberId: 7n, level: 1, active: false, extraPercent: '2.5', masterLink: false },
      { memberId: 6n, level: 2, active: true, extraPercent: '0', masterLink: false },
      { memberId: 2n, level: 6, active: true, extraPercent: '0', masterLink: true },
    ])
  })

  it('under compression is whole as far as somebody can be paid, and counts only the active', () => {
    const ids = (inactive: readonly number[]) =>
      chain(withLevels(['5', '2', '1', '1', '1', '1'], true), inactive).map(({ memberId }) => memberId)
    expect(ids([])).toEqual([7n, 6n, 5n, 4n, 3n, 2n])
    expect(ids([7, 5])).toEqual([7n, 6n, 5n, 4n, 3n, 2n, 1n])
    expect(chain(withLevels(['5'], true), []).map(({ memberId }) => memberId)).toEqual([
      7n,
      6n,
      5n,
      4n,
      3n,
      2n,
    ])
  })

  it('ends at the root', () => {
    expect(climber(plan, network, () => true, new Map())(2n)).toHaveLength(1)
    expect(climber(plan, network, () => true, new Map())(1n)).toEqual([])
  })
})

describe('a day of binary', () => {
  // 2 and 3 are below 1, left and right; 4 is below 2 on the left, introduced by 2.
  const network = {
    parent: Int32Array.of(0, 0, 1, 1, 2),
    leg: Uint8Array.of(0, 0, 1, 2, 1),
    sponsor: Int32Array.of(0, 0, 1, 1, 2),
    master: new Uint8Array(5),
  }
  const binary = { leg: 0, kind: 'binary', level: null, investmentId: null, fromMemberId: null }
  const cheap = { ...plan, binary: { percent: '10', dailyCap: micro(100n) } }

  function match(
    principals: readonly bigint[],
    movements: readonly (readonly [member: bigint, amount: bigint])[],
    carried: readonly [left: bigint, right: bigint] = [0n, 0n],
  ) {
    const [left, right] = carried.map((points) => BigInt64Array.of(0n, points, 0n, 0n, 0n))
    if (left === undefined || right === undefined) throw new Error('two legs')
    const moved = movements.map(([memberId, amount]) => ({ memberId, amount }))
    const inputs = {
      plan: cheap,
      network,
      principals: BigInt64Array.from(principals),
      movements: moved,
      left,
      right,
    }
    const { items, missed, changed } = matchDay(inputs)
    return { items, missed, changed: [...changed], left: [...left], right: [...right] }
  }

  it('matches what was carried in with what is new, flushes above the cap, and carries out the rest', () => {
    expect(
      match(
        [0n, 9_999n, 9n, 9n, 0n],
        [
          [4n, 1_000n],
          [3n, 1_500n],
          [4n, 500n],
        ],
        [100n, 0n],
      ),
    ).toEqual({
      items: [
        {
          ...binary,
          memberId: 1n,
          amount: 100n,
          basis: 1_500n,
          percentage: '10',
          leftPoints: 1_600n,
          rightPoints: 1_500n,
          flushed: 50n,
        },
      ],
      missed: [{ ...binary, memberId: 1n, reason: 'flushed', amount: 50n }],
      changed: [0, 1, 1, 0, 0],
      left: [0n, 100n, 1_500n, 0n, 0n],
      right: [0n, 0n, 0n, 0n, 0n],
    })
  })

  it('flushes nothing within the cap, and matches what was carried although nothing is new', () => {
    const { items, missed, changed, left } = match([0n, 9_999n, 9n, 9n, 0n], [], [700n, 400n])
    expect(items).toMatchObject([{ memberId: 1n, amount: 40n, basis: 400n, flushed: 0n }])
    expect([missed, changed, left[1]]).toEqual([[], [0, 1, 0, 0, 0], 300n])
  })

  it.each([
    ['principal', [0n, 0n, 9n, 9n, 0n], 'inactive'],
    ['an active referral on the left', [0n, 9n, 0n, 9n, 0n], 'no_active_left'],
    ['an active referral on the right', [0n, 9n, 9n, 0n, 0n], 'no_active_right'],
    ['any active referral', [0n, 9n, 0n, 0n, 0n], 'no_active_referrals'],
  ])('pays nothing without %s, carries all, and notes what was missed', (_name, principals, reason) => {
    const { items, missed, left, right } = match(principals, [[3n, 400n]], [700n, 0n])
    expect(items).toEqual([])
    expect(missed).toEqual([{ ...binary, memberId: 1n, reason, amount: 40n }])
    expect([left[1], right[1]]).toEqual([700n, 400n])
  })

  it('notes a missed match on the day of its points alone, and none of less than a micro', () => {
    expect(match([0n, 0n, 9n, 9n, 0n], [], [700n, 400n]).missed).toEqual([])
    expect(match([0n, 0n, 9n, 9n, 0n], [[3n, 9n]], [9n, 0n]).missed).toEqual([])
  })

  it('marks what was added and taken away on one day, and pays nothing for less than a micro', () => {
    const cancelled = match(
      [0n, 9n, 9n, 9n, 0n],
      [
        [4n, 400n],
        [4n, -400n],
      ],
    )
    expect([cancelled.items, cancelled.changed]).toEqual([[], [0, 1, 1, 0, 0]])
    const { items, changed, right } = match([0n, 9n, 9n, 9n, 0n], [[3n, 9n]], [9n, 0n])
    expect([items, changed[1], right[1]]).toEqual([[], 1, 0n])
  })
})

describe('a block of passive profit', () => {
  const rate = ratio(1n, 100n)
  const members = [3n, 5n, 8n, 9n]
  const principals = [1_000n, 50n, 2_000n, 1_500n]

  it('keeps those who get something, their sum, and the largest payment', () => {
    const terms = { rate, source: 'plan', capMultiple: null } as const
    expect(passiveBlock(terms, members, principals, null)).toEqual({
      members: [3n, 8n, 9n],
      bases: [1_000n, 2_000n, 1_500n],
      amounts: [10n, 20n, 15n],
      earned: null,
      missed: [],
      sum: 45n,
      largest: 20n,
    })
  })

  it('under a cap keeps what was earned before, and notes what the cap cut off', () => {
    const terms = { rate, source: 'plan', capMultiple: ratio(1n, 1n) } as const
    const block = passiveBlock(terms, members, principals, [0n, 0n, 1_993n, 1_500n])
    expect(block).toMatchObject({
      members: [3n, 8n],
      amounts: [10n, 7n],
      earned: [0n, 1_993n],
      sum: 17n,
      largest: 10n,
    })
    const cut = {
      leg: 0,
      kind: 'passive',
      reason: 'capped',
      level: null,
      investmentId: null,
      fromMemberId: null,
    }
    expect(block.missed).toEqual([{ ...cut, memberId: 8n, amount: 13n }])
  })
})

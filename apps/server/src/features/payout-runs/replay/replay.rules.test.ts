import { micro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import type { Item } from '../runs/runs.rules.ts'
import { CARRY, comparison, Differences, figuresOf, ITEMS } from './replay.rules.ts'

const carry = (memberId: number, left: bigint) => ({ memberId: BigInt(memberId), left, right: 0n, events: 0 })

function item(memberId: number, leg: number, investmentId: number, amount: bigint): Item {
  return {
    memberId: BigInt(memberId),
    leg,
    kind: 'direct',
    amount: micro(amount),
    basis: micro(1_000_000n),
    percentage: '5',
    level: 1,
    investmentId: BigInt(investmentId),
    fromMemberId: 9n,
    leftPoints: null,
    rightPoints: null,
    flushed: micro(0n),
  }
}

function differences(sealed: readonly (readonly Item[])[], recomputed: readonly Item[]): Differences {
  const found = new Differences()
  const compared = comparison(ITEMS, recomputed, found)
  for (const part of sealed) compared.take(part)
  compared.end()
  found.settle()
  return found
}

describe('sealed rows and recomputed ones', () => {
  it('are distinguished by their member and investment, wherever a part of them ends', () => {
    const [a, b, c, d] = [item(1, 0, 7, 5n), item(1, 1, 8, 5n), item(2, 0, 7, 5n), item(4, 0, 7, 5n)]
    expect(differences([[a], [b, c], [], [d]], [a, b, c, d]).count).toBe(0)
    expect(differences([[a, b], [d]], [a, item(1, 1, 8, 6n), c]).first).toEqual([
      {
        memberId: 1n,
        of: 'item of investment 8',
        field: 'amount',
        sealed: '0.000005',
        recomputed: '0.000006',
      },
      { memberId: 2n, of: 'item of investment 7', field: 'amount', sealed: null, recomputed: '0.000005' },
      { memberId: 4n, of: 'item of investment 7', field: 'amount', sealed: '0.000005', recomputed: null },
    ])
  })

  it('that one side has twice are one too many', () => {
    const twice = [item(1, 0, 7, 5n), item(1, 1, 7, 5n)]
    expect(differences([twice], twice.slice(0, 1))).toMatchObject({ count: 1 })
    expect(differences([twice.slice(0, 1)], twice)).toMatchObject({ count: 1 })
  })

  it('numbered otherwise differ only where nothing else does', () => {
    const renumbered = [item(1, 1, 7, 5n), item(1, 0, 8, 5n)]
    const told = differences([renumbered], [item(1, 0, 7, 5n), item(1, 1, 8, 5n)])
    expect(told.first.map(({ field }) => field)).toEqual(['leg', 'leg'])
    expect(differences([renumbered], [item(1, 0, 8, 5n)]).first.map(({ field }) => field)).toEqual(['amount'])
  })

  it('are kept to the first twenty that differ, and all of them counted', () => {
    const found = new Differences()
    const compared = comparison(
      CARRY,
      Array.from({ length: 1000 }, (_, id) => carry(id + 1, 1n)),
      found,
    )
    for (let id = 1; id <= 1000; id += 1) compared.take([carry(id, 2n)])
    compared.end()
    expect([found.first.length, found.count]).toEqual([20, 1000])
  })
})

it('the largest payment of a run is what one member gets in all', () => {
  const items = [item(1, 0, 7, 5n), item(1, 1, 8, 5n), item(2, 0, 7, 9n)]
  expect(figuresOf(items, [])).toEqual({ count: 3, sum: 19n, largest: 10n, notPaid: 0n })
})

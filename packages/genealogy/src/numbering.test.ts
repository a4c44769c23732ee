import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Numbering, numberTree } from './numbering.ts'

/** Everybody above a member, nearest first, one step at a time. */
function above(parents: Int32Array, id: number): number[] {
  const found: number[] = []
  for (let up = parents[id] ?? 0; up !== 0; up = parents[up] ?? 0) found.push(up)
  return found
}

/** The member above at a depth, by jumps; and how many steps that took. */
function leap(numbering: Numbering, parents: Int32Array, from: number, depth: number): [number, number] {
  const { depths, jumps } = numbering
  let id = from
  let steps = 0
  while ((depths[id] ?? 0) > depth) {
    const far = jumps[id] ?? 0
    id = (depths[far] ?? 0) >= depth ? far : (parents[id] ?? 0)
    steps += 1
  }
  return [id, steps]
}

function expectTrue(parents: Int32Array, own: BigInt64Array): void {
  const numbering = numberTree(1, parents, own)
  const { enters, sizes, depths, volumes, order, members } = numbering
  const ids = Array.from(parents.keys()).slice(1)
  expect(members).toBe(ids.length)
  expect(new Set(order.subarray(1))).toEqual(new Set(ids))
  const below = new Map(ids.map((id) => [id, { count: 1, volume: own[id] ?? 0n }]))
  for (const id of ids) {
    const ancestors = above(parents, id)
    expect(depths[id]).toBe(ancestors.length)
    expect(order[enters[id] ?? 0]).toBe(id)
    for (const up of ancestors) {
      const sums = below.get(up)
      if (sums === undefined) throw new Error(`${up} is nobody`)
      sums.count += 1
      sums.volume += own[id] ?? 0n
      expect(leap(numbering, parents, id, depths[up] ?? 0)[0]).toBe(up)
    }
    const inside = ids.filter((other) => {
      const at = enters[other] ?? 0
      return at >= (enters[id] ?? 0) && at < (enters[id] ?? 0) + (sizes[id] ?? 0)
    })
    const descendants = ids.filter((other) => other === id || above(parents, other).includes(id))
    expect(inside).toEqual(descendants)
  }
  for (const [id, { count, volume }] of below) {
    expect(sizes[id]).toBe(count)
    expect(volumes[id]).toBe(volume)
  }
}

/** Parents mostly have smaller ids; of two who joined at once it can be the other way. */
const trees = fc.array(fc.nat(), { minLength: 0, maxLength: 40 }).map((draws) => {
  const parents = new Int32Array(draws.length + 2)
  for (const [index, draw] of draws.entries()) parents[index + 2] = 1 + (draw % (index + 1))
  return parents
})

describe('the numbering of a tree', () => {
  it('says of any tree who is below whom, how many they are and what they own', () => {
    fc.assert(
      fc.property(trees, fc.array(fc.bigInt(0n, 1_000_000n), { minLength: 42, maxLength: 42 }), (tree, own) =>
        expectTrue(tree, BigInt64Array.from(own)),
      ),
    )
  })

  it('takes a parent with the higher id as it is', () => {
    expectTrue(Int32Array.from([0, 0, 4, 1, 3]), BigInt64Array.from([0n, 1n, 2n, 3n, 4n]))
  })

  it('leaves out members who do not descend from the root', () => {
    const { members, enters } = numberTree(1, Int32Array.from([0, 0, 1, 0, 3]), new BigInt64Array(5))
    expect(members).toBe(2)
    expect([...enters]).toEqual([0, 1, 2, 0, 0])
  })

  it.each([
    ['a chain', (id: number) => id - 1],
    ['a star', () => 1],
  ])('of %s of 200,000 leaps from its end to anywhere in few steps', (_name, parentOf) => {
    const parents = new Int32Array(200_001)
    for (let id = 2; id < parents.length; id += 1) parents[id] = parentOf(id)
    const numbering = numberTree(1, parents, new BigInt64Array(parents.length))
    expect(numbering.sizes[1]).toBe(200_000)
    for (const depth of [0, 1, 17, 1_000, 65_536, 99_999, 123_456]) {
      const [found, steps] = leap(numbering, parents, 200_000, depth)
      expect(numbering.depths[found]).toBe(Math.min(depth, numbering.depths[200_000] ?? 0))
      expect(steps).toBeLessThanOrEqual(3 * Math.ceil(Math.log2(200_000)))
    }
  })
})

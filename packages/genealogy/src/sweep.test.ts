import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countBelow, sumLegs } from './sweep.ts'

interface Seat {
  readonly parent: number
  readonly leg: 1 | 2
}

/** A tree whose ids say nothing about who stands above whom; 1 is the root. */
const trees = fc
  .array(fc.record({ pick: fc.nat(), leg: fc.constantFrom<1 | 2>(1, 2) }), { maxLength: 40 })
  .chain((seats) =>
    fc.record({
      seats: fc.constant(seats),
      ids: fc.shuffledSubarray([...seats.keys()], { minLength: seats.length, maxLength: seats.length }),
    }),
  )
  .map(({ seats, ids }) => {
    const placed = [1]
    const tree = new Map<number, Seat>()
    for (const [index, { pick, leg }] of seats.entries()) {
      const id = (ids[index] ?? 0) + 2
      tree.set(id, { parent: placed[pick % placed.length] ?? 1, leg })
      placed.push(id)
    }
    return tree
  })

function arrays(tree: ReadonlyMap<number, Seat>) {
  const parent = new Int32Array(tree.size + 2)
  const leg = new Uint8Array(tree.size + 2)
  for (const [id, seat] of tree) {
    parent[id] = seat.parent
    leg[id] = seat.leg
  }
  return { parent, leg }
}

/** Walks up from each member and adds what it owns to every leg on the way. */
function walkUp(tree: ReadonlyMap<number, Seat>, own: (id: number) => bigint) {
  const left = new BigInt64Array(tree.size + 2)
  const right = new BigInt64Array(tree.size + 2)
  for (const id of tree.keys()) {
    for (let seat = tree.get(id); seat !== undefined; seat = tree.get(seat.parent)) {
      const side = seat.leg === 1 ? left : right
      side[seat.parent] = (side[seat.parent] ?? 0n) + own(id)
    }
  }
  return { left, right }
}

describe('the sums of a whole tree', () => {
  it('are those that a walk up from every member gives, in any order of ids', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const own = BigInt64Array.from({ length: tree.size + 2 }, (_, id) => BigInt((id * 7) % 11) - 3n)
        const { parent, leg } = arrays(tree)
        const sums = sumLegs({ parent, leg }, own, new Uint8Array(own.length).fill(1))
        const expected = walkUp(tree, (id) => own[id] ?? 0n)
        expect([sums.left, sums.right]).toEqual([expected.left, expected.right])
        const counts = walkUp(tree, () => 1n)
        const ones = new Int32Array(own.length).fill(1)
        expect([...countBelow(parent, ones)].map(BigInt)).toEqual(
          [...counts.left].map((count, id) => count + (counts.right[id] ?? 0n)),
        )
      }),
    )
  })

  it('reach everybody above a member whose parent registered at the same moment and has the higher id', () => {
    // 1 is the root, 3 stands left of it, and 2 left of 3.
    const tree = { parent: Int32Array.of(0, 0, 3, 1), leg: Uint8Array.of(0, 0, 1, 1) }
    const own = BigInt64Array.of(0n, 0n, 500n, 0n)
    const { left, touched } = sumLegs(tree, own, Uint8Array.of(0, 0, 1, 0))
    expect([...left]).toEqual([0n, 500n, 0n, 500n])
    expect([...touched]).toEqual([0, 1, 0, 1])
    expect([...countBelow(tree.parent, Int32Array.of(0, 0, 1, 0))]).toEqual([0, 1, 0, 1])
  })

  it('of a tree that goes in circles are an error, not an endless walk', () => {
    const tree = { parent: Int32Array.of(0, 0, 3, 4, 3), leg: Uint8Array.of(0, 0, 1, 1, 2) }
    expect(() => sumLegs(tree, new BigInt64Array(5), Uint8Array.of(0, 0, 1, 0, 0))).toThrow(/in circles/)
  })
})

/**
 * Sums over a whole tree at once.
 *
 * A tree is arrays indexed by member id. Sponsors have smaller ids than those they introduce, and parents nearly always
 * smaller ones than children, so one pass from the highest id down sees children before their parents: a million members
 * take a few hundredths of a second, ten million some tenths. Of two who register at once the later id can come to stand
 * above the earlier one; what the pass then meets too late is carried on up at once.
 */

/** Where a member stands in such arrays. */
export const indexOf = (memberId: bigint): number => Number(memberId)

/** The binary tree: whose place is below whom, on which side. 0 stands for nobody. */
export interface Placements {
  readonly parent: Int32Array
  /** 1 left, 2 right, 0 for the root and for ids that nobody has. */
  readonly leg: Uint8Array
}

export interface LegSums {
  readonly left: BigInt64Array
  readonly right: BigInt64Array
  /** Where anything was added, even if it came to zero: 1 or 0. */
  readonly touched: Uint8Array
}

/**
 * For every member what all placement descendants own on each side, the member's own not included.
 *
 * `own` holds one signed 64-bit figure a member; entries of zero cost nothing. `marked` says whose entry counts although it
 * may be zero (what was added and taken away on one day).
 */
export function sumLegs(tree: Placements, own: BigInt64Array, marked: Uint8Array): LegSums {
  const size = tree.parent.length
  const left = new BigInt64Array(size)
  const right = new BigInt64Array(size)
  const touched = new Uint8Array(size)
  for (let id = size - 1; id > 0; id -= 1) {
    if (marked[id] === 0 && touched[id] === 0) continue
    const below = (own[id] ?? 0n) + (left[id] ?? 0n) + (right[id] ?? 0n)
    climb(tree.parent, id, (child, parent) => {
      const side = tree.leg[child] === 1 ? left : right
      side[parent] = (side[parent] ?? 0n) + below
      touched[parent] = 1
    })
  }
  return { left, right, touched }
}

/**
 * From a member to the parent, and on past every parent that the pass had before it.
 *
 * @throws Error where the tree goes in circles: nothing of ours writes one.
 */
function climb(parents: Int32Array, id: number, give: (child: number, parent: number) => void): void {
  let child = id
  for (let steps = 0; steps < parents.length; steps += 1) {
    const parent = parents[child] ?? 0
    if (parent === 0) return
    give(child, parent)
    if (parent < id) return
    child = parent
  }
  throw new Error(`the tree goes in circles above ${id}`)
}

/** How many of `own` stand below each member, over both sides; the member's own not included. */
export function countBelow(parent: Int32Array, own: Int32Array): Int32Array {
  const below = new Int32Array(parent.length)
  for (let id = parent.length - 1; id > 0; id -= 1) {
    const count = (own[id] ?? 0) + (below[id] ?? 0)
    if (count === 0) continue
    climb(parent, id, (_, up) => {
      below[up] = (below[up] ?? 0) + count
    })
  }
  return below
}

/** The sponsor tree. 0 stands for nobody. */
export interface Sponsors {
  readonly sponsor: Int32Array
  /** 1 where the link from this member up to the sponsor is a master link. */
  readonly master: Uint8Array
}

/**
 * For each member the nearest master link on the way up, the own link included: the member below it, or 0. With it a walk
 * up a chain of any length stops only where somebody can be paid.
 */
export function nearestMasters({ sponsor, master }: Sponsors): Int32Array {
  const nearest = new Int32Array(sponsor.length)
  for (let id = 1; id < sponsor.length; id += 1) {
    nearest[id] = master[id] === 1 ? id : (nearest[sponsor[id] ?? 0] ?? 0)
  }
  return nearest
}

/** Distance from the root; 0 for the root and for ids that nobody has. */
export function depths(sponsor: Int32Array): Int32Array {
  const depth = new Int32Array(sponsor.length)
  for (let id = 1; id < sponsor.length; id += 1) {
    const up = sponsor[id] ?? 0
    if (up !== 0) depth[id] = (depth[up] ?? 0) + 1
  }
  return depth
}

/** Which sides have a direct referral that `is` holds for: bit 1 left, bit 2 right. A referral's leg is its sponsor's side. */
export function sidesWith(sponsor: Int32Array, leg: Uint8Array, is: (id: number) => boolean): Uint8Array {
  const sides = new Uint8Array(sponsor.length)
  for (let id = 1; id < sponsor.length; id += 1) {
    const up = sponsor[id] ?? 0
    if (up !== 0 && leg[id] !== 0 && is(id)) sides[up] = (sides[up] ?? 0) | (leg[id] ?? 0)
  }
  return sides
}

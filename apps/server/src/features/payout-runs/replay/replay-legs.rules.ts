/** What changed of a day's points, as the legs tell it. */
import type { Placements } from '@aval/genealogy'

/** For each member and side, how much more was there to match or to carry than was sealed. */
export interface LegChanges {
  readonly left: BigInt64Array
  readonly right: BigInt64Array
}

export interface OwnChange {
  readonly id: number
  readonly points: bigint
}

/**
 * Whose own points changed, and by how much: a leg's change is that of the one who stands there and of both legs below.
 * Nobody is told of the root, whose points nobody gets.
 */
export function ownChanges(tree: Placements, { left, right }: LegChanges): OwnChange[] {
  const changes: OwnChange[] = []
  for (let id = 1; id < tree.parent.length; id += 1) {
    const parent = tree.parent[id] ?? 0
    if (parent === 0) continue
    const side = tree.leg[id] === 1 ? left : right
    const points = (side[parent] ?? 0n) - (left[id] ?? 0n) - (right[id] ?? 0n)
    if (points !== 0n) changes.push({ id, points })
  }
  return changes
}

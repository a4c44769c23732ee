/**
 * Where the subtrees of one node's children lie, for those who ask which of them are in view: a tree of segments over the
 * children, so that of a hundred thousand only those near the view are looked at.
 *
 * Segment 1 is all children, and segment `s` the union of `2s` and `2s + 1`; the segments from `size` on are single children.
 */
export interface Spread {
  readonly size: number
  readonly kids: Int32Array
  /** Edges, relative to the parent's centre. An empty segment has its left edge right of its right one. */
  readonly left: Int32Array
  readonly right: Int32Array
  /** Levels below the children. */
  readonly height: Int32Array
  readonly count: Int32Array
}

/** From how many children on it pays. */
export const SPREAD_FROM = 32

export interface Extents {
  readonly offset: Int32Array
  readonly minX: Int32Array
  readonly maxX: Int32Array
  readonly height: Int32Array
  readonly size: Int32Array
}

const NONE_LEFT = 0x7fffffff
const NONE_RIGHT = -0x80000000

export function spreadOf(kids: Int32Array, extents: Extents): Spread {
  const size = 2 ** Math.ceil(Math.log2(kids.length))
  const spread: Spread = {
    size,
    kids,
    left: new Int32Array(2 * size).fill(NONE_LEFT),
    right: new Int32Array(2 * size).fill(NONE_RIGHT),
    height: new Int32Array(2 * size),
    count: new Int32Array(2 * size),
  }
  for (let index = 0; index < kids.length; index += 1) {
    const kid = kids[index] ?? 0
    const x = extents.offset[kid] ?? 0
    spread.left[size + index] = x + (extents.minX[kid] ?? 0)
    spread.right[size + index] = x + (extents.maxX[kid] ?? 0)
    spread.height[size + index] = extents.height[kid] ?? 0
    spread.count[size + index] = extents.size[kid] ?? 0
  }
  for (let segment = size - 1; segment > 0; segment -= 1) {
    const one = 2 * segment
    spread.left[segment] = Math.min(spread.left[one] ?? 0, spread.left[one + 1] ?? 0)
    spread.right[segment] = Math.max(spread.right[one] ?? 0, spread.right[one + 1] ?? 0)
    spread.height[segment] = Math.max(spread.height[one] ?? 0, spread.height[one + 1] ?? 0)
    spread.count[segment] = (spread.count[one] ?? 0) + (spread.count[one + 1] ?? 0)
  }
  return spread
}

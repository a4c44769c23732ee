/**
 * What of a drawing lies in a view, found from the top down: a subtree whose extents miss the view is left out whole, and one
 * too narrow to be distinguished is a *blob*. Many children of one node are asked for by segments.
 */
import type { Box, TreeLayout } from './layout.ts'
import type { Spread } from './layout-spread.ts'

export interface Visible {
  /** Nodes in view, with the middle of their upper edges. */
  readonly nodes: number[]
  readonly xs: number[]
  readonly ys: number[]
  /** Parents whose line to their children crosses the view: their x, and how far the line reaches to both sides. */
  readonly parents: number[]
  readonly parentXs: number[]
  readonly lineLefts: number[]
  readonly lineRights: number[]
  /** Children that such a line goes down to. */
  readonly drops: number[]
  readonly dropXs: number[]
  /** Left, top, right, bottom and number of nodes of what is narrower than the resolution, five entries each. */
  readonly blobs: number[]
}

interface Walk {
  readonly layout: TreeLayout
  readonly view: Box
  readonly resolution: number
  readonly found: Visible
  /** What is still to be looked at: nodes with their x, or segments (from 1) of a parent's children with the parent's x. */
  readonly nodes: number[]
  readonly xs: number[]
  readonly segments: number[]
}

/** @param resolution widths up to this one are not distinguished; 0 distinguishes everything */
export function visible(layout: TreeLayout, view: Box, resolution = 0): Visible {
  const walk: Walk = {
    layout,
    view,
    resolution,
    found: {
      nodes: [],
      xs: [],
      ys: [],
      parents: [],
      parentXs: [],
      lineLefts: [],
      lineRights: [],
      drops: [],
      dropXs: [],
      blobs: [],
    },
    nodes: [],
    xs: [],
    segments: [],
  }
  if (layout.count > 0) push(walk, 0, 0, 0)
  while (walk.nodes.length > 0) {
    const node = walk.nodes.pop() ?? 0
    const x = walk.xs.pop() ?? 0
    const segment = walk.segments.pop() ?? 0
    if (segment === 0) lookAtNode(walk, node, x)
    else lookAtSegment(walk, node, x, segment)
  }
  return walk.found
}

function push(walk: Walk, node: number, x: number, segment: number): void {
  walk.nodes.push(node)
  walk.xs.push(x)
  walk.segments.push(segment)
}

/** Whether something that begins at `level` and reaches `height` levels down, its line from above included, is in view. */
function misses(walk: Walk, left: number, right: number, level: number, height: number): boolean {
  const { view, layout } = walk
  const top = level * layout.rise
  return (
    right < view.left ||
    left > view.right ||
    top - layout.sizes.childGap > view.bottom ||
    top + height * layout.rise + layout.sizes.height < view.top
  )
}

/** Down an unbranched line of nodes above the view, which may be long: the last of them. */
function below(walk: Walk, start: number): number {
  const { layout, view } = walk
  const { kids, first, level } = layout.columns
  const ends = Math.floor((view.top - layout.sizes.height - layout.sizes.childGap) / layout.rise)
  let node = start
  for (let at = level[start] ?? 0; at < ends && kids[node] === 1; at += 1) node = first[node] ?? 0
  return node
}

function lookAtNode(walk: Walk, start: number, x: number): void {
  const { layout, view, found } = walk
  // An only child stands straight below: the x stays.
  const node = walk.resolution === 0 || walk.resolution < layout.sizes.width ? below(walk, start) : start
  const { level: levels, minX, maxX, height: heights, size } = layout.columns
  const level = levels[node] ?? 0
  const height = heights[node] ?? 0
  const left = x + (minX[node] ?? 0)
  const right = x + (maxX[node] ?? 0)
  if (misses(walk, left, right, level, height)) return
  const top = level * layout.rise
  lookAtDrop(walk, node, x, top)
  if (right - left <= walk.resolution) {
    found.blobs.push(left, top, right, top + height * layout.rise + layout.sizes.height, size[node] ?? 1)
    return
  }
  const half = layout.sizes.width / 2
  if (x + half >= view.left && x - half <= view.right && top <= view.bottom) {
    if (top + layout.sizes.height >= view.top) {
      found.nodes.push(node)
      found.xs.push(x)
      found.ys.push(top)
    }
  }
  if (height > 0) lookBelow(walk, node, x, top)
}

function lookAtDrop(walk: Walk, node: number, x: number, top: number): void {
  const { view, layout, found } = walk
  if (node === 0 || x < view.left || x > view.right) return
  if (top < view.top || top - layout.sizes.childGap > view.bottom) return
  found.drops.push(node)
  found.dropXs.push(x)
}

function lookBelow(walk: Walk, node: number, x: number, top: number): void {
  const { layout, view, found } = walk
  const { first, last, next, offset } = layout.columns
  const lineLeft = x + (offset[first[node] ?? 0] ?? 0)
  const lineRight = x + (offset[last[node] ?? 0] ?? 0)
  const lineTop = top + layout.sizes.height
  const crossesLevel = lineTop <= view.bottom && lineTop + layout.sizes.childGap >= view.top
  if (crossesLevel && lineLeft <= view.right && lineRight >= view.left) {
    found.parents.push(node)
    found.parentXs.push(x)
    found.lineLefts.push(lineLeft)
    found.lineRights.push(lineRight)
  }
  if (layout.spreads.has(node)) {
    push(walk, node, x, 1)
    return
  }
  for (let kid = first[node] ?? -1; kid !== -1; kid = next[kid] ?? -1)
    push(walk, kid, x + (offset[kid] ?? 0), 0)
}

function lookAtSegment(walk: Walk, node: number, x: number, segment: number): void {
  const { layout, found } = walk
  const spread = layout.spreads.get(node) as Spread
  const left = x + (spread.left[segment] ?? 0)
  const right = x + (spread.right[segment] ?? 0)
  const level = (layout.columns.level[node] ?? 0) + 1
  const height = spread.height[segment] ?? 0
  if ((spread.count[segment] ?? 0) === 0 || misses(walk, left, right, level, height)) return
  if (segment >= spread.size) {
    const kid = spread.kids[segment - spread.size] ?? 0
    push(walk, kid, x + (layout.columns.offset[kid] ?? 0), 0)
    return
  }
  if (right - left <= walk.resolution) {
    const top = level * layout.rise
    const bottom = top + height * layout.rise + layout.sizes.height
    found.blobs.push(left, top, right, bottom, spread.count[segment] ?? 1)
    return
  }
  push(walk, node, x, 2 * segment + 1)
  push(walk, node, x, 2 * segment)
}

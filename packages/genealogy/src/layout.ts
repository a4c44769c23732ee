/**
 * A tidy drawing of a tree that people open and close: top-down, a level to each generation, parents centred over their
 * children, nothing overlapping.
 *
 * Every node keeps where it stands relative to its parent, and the outline and the extents of the subtree that is shown
 * below it. Opening or closing a node therefore computes that node and those above it again, and nothing else: whatever lies
 * beside the way to the root moves as a whole. Coordinates are whole pixels; absolute ones are summed up for what is looked
 * at. Nothing here calls itself: a chain of a hundred thousand is a tree as well.
 */
import { type Cell, type Outlines, pack } from './layout-outline.ts'
import { SPREAD_FROM, type Spread, spreadOf } from './layout-spread.ts'

/** In pixels. */
export interface NodeSizes {
  readonly width: number
  readonly height: number
  /** Between a node and its children. */
  readonly childGap: number
  /** Between neighbours on a level. */
  readonly neighbourGap: number
}

/** The middle of a node's upper edge; the first node's is 0, 0. */
export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** No node: above the first one, beside the last one. */
export const NOBODY = -1

const START_CAPACITY = 1024

/** Each a column over nodes; grown together. */
class Columns {
  parent = new Int32Array(START_CAPACITY)
  level = new Int32Array(START_CAPACITY)
  /** 1 where the node is among the shown children of its parent. */
  linked = new Int32Array(START_CAPACITY)
  first = new Int32Array(START_CAPACITY)
  last = new Int32Array(START_CAPACITY)
  next = new Int32Array(START_CAPACITY)
  previous = new Int32Array(START_CAPACITY)
  kids = new Int32Array(START_CAPACITY)
  /** From the parent's centre to this node's. */
  offset = new Int32Array(START_CAPACITY)
  /** Edges of the shown subtree, relative to the node's centre. */
  minX = new Int32Array(START_CAPACITY)
  maxX = new Int32Array(START_CAPACITY)
  /** Levels shown below. */
  height = new Int32Array(START_CAPACITY)
  /** Nodes shown in the subtree, itself included. */
  size = new Int32Array(START_CAPACITY)
  mark = new Int32Array(START_CAPACITY)

  grow(): void {
    for (const [name, column] of Object.entries(this) as [string, Int32Array][]) {
      const wider = new Int32Array(column.length * 2)
      wider.set(column)
      Object.assign(this, { [name]: wider })
    }
  }
}

export class TreeLayout {
  readonly sizes: NodeSizes
  /** Read by `visible`; written here alone. */
  readonly columns = new Columns()
  readonly spreads = new Map<number, Spread>()
  readonly #left: (Cell | null)[] = []
  readonly #right: (Cell | null)[] = []
  readonly #dirty: number[] = []
  #count = 0
  #round = 0
  #kids = new Int32Array(64)
  #x = new Int32Array(64)

  constructor(sizes: NodeSizes) {
    this.sizes = sizes
  }

  get count(): number {
    return this.#count
  }

  /** From one level to the next. */
  get rise(): number {
    return this.sizes.height + this.sizes.childGap
  }

  /** A node that is not shown yet. The first one has no parent, and is shown from the beginning. */
  add(parent: number): number {
    const node = this.#count
    const columns = this.columns
    if (node === columns.parent.length) columns.grow()
    this.#count += 1
    columns.parent[node] = parent
    columns.level[node] = parent === NOBODY ? 0 : (columns.level[parent] ?? 0) + 1
    columns.linked[node] = parent === NOBODY ? 1 : 0
    columns.first[node] = NOBODY
    columns.last[node] = NOBODY
    columns.next[node] = NOBODY
    columns.previous[node] = NOBODY
    this.#measureLeaf(node)
    return node
  }

  /** Shows these children under their parent, in this order, and no others; none closes it. Nothing moves before `settle`. */
  show(parent: number, kids: ArrayLike<number>): void {
    const columns = this.columns
    for (let kid = columns.first[parent] ?? NOBODY; kid !== NOBODY; kid = columns.next[kid] ?? NOBODY)
      columns.linked[kid] = 0
    let before = NOBODY
    for (let index = 0; index < kids.length; index += 1) {
      const kid = kids[index] ?? NOBODY
      columns.linked[kid] = 1
      columns.previous[kid] = before
      columns.next[kid] = NOBODY
      if (before === NOBODY) columns.first[parent] = kid
      else columns.next[before] = kid
      before = kid
    }
    columns.last[parent] = before
    if (before === NOBODY) columns.first[parent] = NOBODY
    columns.kids[parent] = kids.length
    this.#dirty.push(parent)
  }

  /** Computes what changed and what stands above it. */
  settle(): void {
    const affected = this.#affected()
    if (this.#dirty.length > 1) deepestFirst(affected, this.columns.level)
    this.#dirty.length = 0
    for (const node of affected) this.#measure(node)
  }

  /** Nodes to compute: those that changed and everybody above who shows them; each way from below upwards. */
  #affected(): number[] {
    const { parent, linked, mark } = this.columns
    this.#round += 1
    const affected: number[] = []
    for (const changed of this.#dirty) {
      for (let node = changed; node !== NOBODY && mark[node] !== this.#round; ) {
        mark[node] = this.#round
        affected.push(node)
        node = linked[node] === 1 ? (parent[node] ?? NOBODY) : NOBODY
      }
    }
    return affected
  }

  #measure(node: number): void {
    const columns = this.columns
    const count = columns.kids[node] ?? 0
    this.spreads.delete(node)
    if (count === 0) {
      this.#measureLeaf(node)
      return
    }
    if (count === 1) {
      this.#measureAbove(node, columns.first[node] ?? NOBODY)
      return
    }
    this.#gather(node, count)
    const outlines: Outlines = { left: this.#left, right: this.#right, height: columns.height }
    const step = this.sizes.width + this.sizes.neighbourGap
    const packed = pack(this.#kids, count, outlines, step, this.#x)
    const end = this.#x[count - 1] ?? 0
    const middle = Math.round(end / 2)
    this.#left[node] = { dx: -middle, next: packed.left }
    this.#right[node] = { dx: end - middle, next: packed.right }
    columns.height[node] = packed.height + 1
    this.#place(node, count, middle)
  }

  /** A parent stands straight above an only child. */
  #measureAbove(node: number, kid: number): void {
    const { offset, minX, maxX, height, size } = this.columns
    offset[kid] = 0
    minX[node] = minX[kid] ?? 0
    maxX[node] = maxX[kid] ?? 0
    height[node] = (height[kid] ?? 0) + 1
    size[node] = (size[kid] ?? 0) + 1
    this.#left[node] = { dx: 0, next: this.#left[kid] ?? null }
    this.#right[node] = { dx: 0, next: this.#right[kid] ?? null }
  }

  #gather(node: number, count: number): void {
    if (this.#kids.length < count) {
      this.#kids = new Int32Array(count * 2)
      this.#x = new Int32Array(count * 2)
    }
    let index = 0
    const { first, next } = this.columns
    for (let kid = first[node] ?? NOBODY; kid !== NOBODY; kid = next[kid] ?? NOBODY) {
      this.#kids[index] = kid
      index += 1
    }
  }

  #place(node: number, count: number, middle: number): void {
    const { offset, minX, maxX, size } = this.columns
    let left = -this.sizes.width / 2
    let right = this.sizes.width / 2
    let total = 1
    for (let index = 0; index < count; index += 1) {
      const kid = this.#kids[index] ?? 0
      const x = (this.#x[index] ?? 0) - middle
      offset[kid] = x
      left = Math.min(left, x + (minX[kid] ?? 0))
      right = Math.max(right, x + (maxX[kid] ?? 0))
      total += size[kid] ?? 0
    }
    minX[node] = left
    maxX[node] = right
    size[node] = total
    if (count >= SPREAD_FROM) this.spreads.set(node, spreadOf(this.#kids.slice(0, count), this.columns))
  }

  #measureLeaf(node: number): void {
    const { minX, maxX, height, size } = this.columns
    minX[node] = -this.sizes.width / 2
    maxX[node] = this.sizes.width / 2
    height[node] = 0
    size[node] = 1
    this.#left[node] = null
    this.#right[node] = null
  }

  /** Null where the node, or one above it, is not shown. */
  place(node: number): Point | null {
    const { parent, linked, offset, level } = this.columns
    let x = 0
    for (let at = node; at !== NOBODY; at = parent[at] ?? NOBODY) {
      if (linked[at] !== 1) return null
      if (parent[at] !== NOBODY) x += offset[at] ?? 0
    }
    return { x, y: (level[node] ?? 0) * this.rise }
  }

  box(): Box {
    const { minX, maxX, height } = this.columns
    const bottom = (height[0] ?? 0) * this.rise + this.sizes.height
    return { left: minX[0] ?? 0, top: 0, right: maxX[0] ?? 0, bottom }
  }
}

/** Sorts in place: a count for each level, no comparisons. */
function deepestFirst(nodes: number[], level: Int32Array): void {
  let deepest = 0
  for (const node of nodes) deepest = Math.max(deepest, level[node] ?? 0)
  const starts = new Int32Array(deepest + 2)
  for (const node of nodes) {
    const slot = deepest - (level[node] ?? 0) + 1
    starts[slot] = (starts[slot] ?? 0) + 1
  }
  for (let slot = 1; slot < starts.length; slot += 1)
    starts[slot] = (starts[slot] ?? 0) + (starts[slot - 1] ?? 0)
  const unsorted = Int32Array.from(nodes)
  for (const node of unsorted) {
    const slot = deepest - (level[node] ?? 0)
    const at = starts[slot] ?? 0
    nodes[at] = node
    starts[slot] = at + 1
  }
}

export const parentOf = (layout: TreeLayout, node: number): number => layout.columns.parent[node] ?? NOBODY

/** The shown children, in order. */
export function* kidsOf(layout: TreeLayout, node: number): Generator<number> {
  const { first, next } = layout.columns
  for (let kid = first[node] ?? NOBODY; kid !== NOBODY; kid = next[kid] ?? NOBODY) yield kid
}

/** The shown node beside this one on its level, under any parent; -1 at the end of the level. */
export function beside(layout: TreeLayout, node: number, direction: 'left' | 'right'): number {
  const { parent, next, previous, height } = layout.columns
  const onward = direction === 'right' ? next : previous
  let levels = 0
  for (let at = node; at !== NOBODY; at = parent[at] ?? NOBODY) {
    if (parent[at] === NOBODY) return NOBODY
    for (let other = onward[at] ?? NOBODY; other !== NOBODY; other = onward[other] ?? NOBODY)
      if ((height[other] ?? 0) >= levels) return descend(layout, other, levels, direction)
    levels += 1
  }
  return NOBODY
}

/** The nearest node that many levels below, coming from the other side. */
function descend(layout: TreeLayout, from: number, levels: number, direction: 'left' | 'right'): number {
  const { first, last, next, previous, height } = layout.columns
  const [near, onward] = direction === 'right' ? [first, next] : [last, previous]
  let node = from
  for (let left = levels - 1; left >= 0; left -= 1) {
    let kid = near[node] ?? NOBODY
    while (kid !== NOBODY && (height[kid] ?? 0) < left) kid = onward[kid] ?? NOBODY
    node = kid
  }
  return node
}

/** Top first, the node itself last. */
export function pathTo(layout: TreeLayout, node: number): number[] {
  const path: number[] = []
  for (let at = node; at !== NOBODY; at = parentOf(layout, at)) path.push(at)
  return path.reverse()
}

/**
 * Setting subtrees side by side.
 *
 * A subtree's *outline* is where its leftmost and rightmost nodes lie, level by level. It is kept as two lists of cells, each
 * cell relative to the one above it, so that moving a subtree changes none of them and a parent shares the cells of its
 * children. Two subtrees are compared, and their outlines joined, in as many steps as the shallower one has levels; over a
 * whole tree that is at most one step a node (Reingold and Tilford, "Tidier Drawings of Trees", 1981).
 */

/** Once a list is joined into an outline, nothing changes it. */
export interface Cell {
  readonly dx: number
  next: Cell | null
}

/** What packing knows of each node, by its index. */
export interface Outlines {
  /** The levels below the node, from the first; null for a leaf. */
  readonly left: (Cell | null)[]
  readonly right: (Cell | null)[]
  /** How many levels lie below. */
  readonly height: Int32Array
}

/** Several subtrees as one, in coordinates whose zero is the first of them. */
interface Forest {
  left: Cell | null
  right: Cell | null
  height: number
  /** Which subtree the right outline belongs to, as far down as a height: deepest first. */
  readonly owners: number[]
  readonly depths: number[]
}

export interface Packed {
  /** Below the first subtree's root, relative to it. */
  readonly left: Cell | null
  /** Below the last subtree's root, relative to it. */
  readonly right: Cell | null
  readonly height: number
}

/** A walk down two outlines that ends where the shallower does. */
interface Meeting {
  /** Where the new subtree's root has to stand. */
  x: number
  /** Where it would have to stand if its neighbour were the only one beside it. */
  besideNeighbour: number
  /** The subtree that keeps it away. */
  owner: number
  forestCell: Cell | null
  forestX: number
  ownCell: Cell | null
  ownX: number
}

/**
 * Sets the subtrees of `kids` beside each other, as close as `step` (from centre to centre) allows on every level, order
 * kept. What room a deep subtree forces between two others is shared among the shallow ones between them.
 *
 * @param x filled with the centres of the roots; the first is 0
 */
export function pack(
  kids: Int32Array,
  count: number,
  outlines: Outlines,
  step: number,
  x: Int32Array,
): Packed {
  const first = kids[0] ?? 0
  const forest: Forest = {
    left: outlines.left[first] ?? null,
    right: outlines.right[first] ?? null,
    height: outlines.height[first] ?? 0,
    owners: [0],
    depths: [outlines.height[first] ?? 0],
  }
  x[0] = 0
  for (let index = 1; index < count; index += 1) {
    const kid = kids[index] ?? 0
    if (forest.right === null && outlines.height[kid] === 0) {
      // Leaves in a row, which most children are.
      x[index] = (x[index - 1] ?? 0) + step
      forest.owners[0] = index
      continue
    }
    const meeting = meet(forest, index, x, outlines.left[kid] ?? null, step)
    x[index] = meeting.x
    share(meeting, index, x)
    join(forest, index, meeting, outlines, kid, x)
  }
  return { left: forest.left, right: forest.right, height: forest.height }
}

function meet(forest: Forest, index: number, x: Int32Array, left: Cell | null, step: number): Meeting {
  const neighbour = index - 1
  const start = (x[neighbour] ?? 0) + step
  const meeting: Meeting = {
    x: start,
    besideNeighbour: start,
    owner: neighbour,
    forestCell: forest.right,
    forestX: start - step,
    ownCell: left,
    ownX: 0,
  }
  let top = forest.owners.length - 1
  for (let level = 1; meeting.forestCell !== null && meeting.ownCell !== null; level += 1) {
    meeting.forestX += meeting.forestCell.dx
    meeting.ownX += meeting.ownCell.dx
    meeting.forestCell = meeting.forestCell.next
    meeting.ownCell = meeting.ownCell.next
    while ((forest.depths[top] ?? 0) < level) top -= 1
    const needed = meeting.forestX - meeting.ownX + step
    if (needed <= meeting.x) continue
    meeting.x = needed
    meeting.owner = forest.owners[top] ?? neighbour
    if (meeting.owner === neighbour) meeting.besideNeighbour = needed
  }
  return meeting
}

/** Moves the subtrees between the two that met, evenly. They are shallower than both, so no outline of the forest moves. */
function share(meeting: Meeting, index: number, x: Int32Array): void {
  const room = meeting.x - meeting.besideNeighbour
  const parts = index - meeting.owner
  if (room === 0 || parts === 1) return
  for (let between = meeting.owner + 1; between < index; between += 1)
    x[between] = (x[between] ?? 0) + Math.floor((room * (between - meeting.owner)) / parts)
}

function join(
  forest: Forest,
  index: number,
  meeting: Meeting,
  outlines: Outlines,
  kid: number,
  x: Int32Array,
): void {
  const height = outlines.height[kid] ?? 0
  const right = outlines.right[kid] ?? null
  forest.right =
    meeting.forestCell === null
      ? right
      : extended(right, x[index] ?? 0, meeting.forestCell, meeting.forestX + meeting.forestCell.dx)
  if (meeting.ownCell !== null)
    forest.left = extended(
      forest.left,
      0,
      meeting.ownCell,
      (x[index] ?? 0) + meeting.ownX + meeting.ownCell.dx,
    )
  while (forest.depths.length > 0 && (forest.depths.at(-1) ?? 0) <= height) {
    forest.depths.pop()
    forest.owners.pop()
  }
  forest.depths.push(height)
  forest.owners.push(index)
  forest.height = Math.max(forest.height, height)
}

/** A copy of `list`, which begins below `start`, that goes on with the cell `tail` at `tailX`. */
function extended(list: Cell | null, start: number, tail: Cell, tailX: number): Cell {
  let position = start
  let first: Cell | null = null
  let last: Cell | null = null
  for (let cell = list; cell !== null; cell = cell.next) {
    const copy: Cell = { dx: cell.dx, next: null }
    position += cell.dx
    if (last === null) first = copy
    else last.next = copy
    last = copy
  }
  const end: Cell = { dx: tailX - position, next: tail.next }
  if (last === null) return end
  last.next = end
  return first ?? end
}

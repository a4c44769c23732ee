/**
 * A whole tree by intervals.
 *
 * Members get *positions* 1, 2, 3, … from the top down, each member's whole subtree before the next sibling. A member
 * below another then has a position between the other's own and `size` - 1 further: one comparison instead of a walk, and
 * a count or a sum over a subtree is one over an interval.
 *
 * *Jumps* reach any member above in few steps (some forty, a million deep): each leads to the parent, or as
 * far again as the parent's jump and the jump from there where these are equally long.
 */
export interface Numbering {
  /** How many have a position. */
  readonly members: number
  /** All by member id; 0 for ids that nobody has. */
  readonly enters: Int32Array
  /** Members of the subtree, the member's own included. */
  readonly sizes: Int32Array
  readonly depths: Int32Array
  readonly jumps: Int32Array
  /** What all of the subtree own, the member's own included. */
  readonly volumes: BigInt64Array
  /** By position: who has it. */
  readonly order: Int32Array
}

interface Children {
  /** Where the children of an id begin in `ids`; those of `id` end where those of `id` + 1 begin. */
  readonly from: Int32Array
  readonly ids: Int32Array
}

/** Children of one parent stand in the order of their ids. */
function childrenOf(parents: Int32Array): Children {
  const size = parents.length
  const from = new Int32Array(size + 1)
  for (let id = 1; id < size; id += 1) {
    const up = parents[id] ?? 0
    if (up !== 0) from[up + 1] = (from[up + 1] ?? 0) + 1
  }
  for (let id = 1; id <= size; id += 1) from[id] = (from[id] ?? 0) + (from[id - 1] ?? 0)
  const next = from.slice()
  const ids = new Int32Array(from[size] ?? 0)
  for (let id = 1; id < size; id += 1) {
    const up = parents[id] ?? 0
    if (up === 0) continue
    ids[next[up] ?? 0] = id
    next[up] = (next[up] ?? 0) + 1
  }
  return { from, ids }
}

/** Who stands at which position, from the top down, without recursion: a chain may be a million deep. */
function walk(root: number, { from, ids }: Children, order: Int32Array): number {
  const waiting = new Int32Array(ids.length + 1)
  waiting[0] = root
  let position = 0
  for (let count = 1; count > 0; ) {
    count -= 1
    const id = waiting[count] ?? 0
    position += 1
    order[position] = id
    const begin = from[id] ?? 0
    for (let at = (from[id + 1] ?? 0) - 1; at >= begin; at -= 1) {
      waiting[count] = ids[at] ?? 0
      count += 1
    }
  }
  return position
}

function jumpFrom(parent: number, depths: Int32Array, jumps: Int32Array): number {
  const near = jumps[parent] ?? 0
  const far = jumps[near] ?? 0
  const first = (depths[parent] ?? 0) - (depths[near] ?? 0)
  return first === (depths[near] ?? 0) - (depths[far] ?? 0) ? far : parent
}

/**
 * @param root who has no parent
 * @param parents by member id, 0 for nobody; one who does not descend from the root gets no position
 * @param own one figure a member
 */
export function numberTree(root: number, parents: Int32Array, own: BigInt64Array): Numbering {
  const size = parents.length
  const order = new Int32Array(size)
  const members = walk(root, childrenOf(parents), order)
  const enters = new Int32Array(size)
  const sizes = new Int32Array(size)
  const depths = new Int32Array(size)
  const jumps = new Int32Array(size)
  const volumes = new BigInt64Array(size)
  jumps[root] = root
  for (let position = 1; position <= members; position += 1) {
    const id = order[position] ?? 0
    enters[id] = position
    if (id === root) continue
    const parent = parents[id] ?? 0
    depths[id] = (depths[parent] ?? 0) + 1
    jumps[id] = jumpFrom(parent, depths, jumps)
  }
  for (let position = members; position > 0; position -= 1) {
    const id = order[position] ?? 0
    const count = (sizes[id] ?? 0) + 1
    const volume = (volumes[id] ?? 0n) + (own[id] ?? 0n)
    sizes[id] = count
    volumes[id] = volume
    if (id === root) continue
    const parent = parents[id] ?? 0
    sizes[parent] = (sizes[parent] ?? 0) + count
    volumes[parent] = (volumes[parent] ?? 0n) + volume
  }
  return { members, enters, sizes, depths, jumps, volumes, order }
}

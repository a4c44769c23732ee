import { NOBODY, type TreeLayout } from './layout.ts'

export const parentOf = (layout: TreeLayout, node: number): number => layout.columns.parent[node] ?? NOBODY

/** The shown children, in order. */
export function* kidsOf(layout: TreeLayout, node: number): Generator<number> {
  const { first, next } = layout.columns
  for (let kid = first[node] ?? NOBODY; kid !== NOBODY; kid = next[kid] ?? NOBODY) yield kid
}

/** The shown node beside this one on its level, whoever its parent is; -1 at the end of the level. */
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

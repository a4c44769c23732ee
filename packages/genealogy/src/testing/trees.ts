/** Trees for tests of drawing: parents by index, and the drawing of all of them open. */
import fc from 'fast-check'
import { NOBODY, type NodeSizes, TreeLayout } from '../layout.ts'

export const SIZES: NodeSizes = { width: 222, height: 110, childGap: 50, neighbourGap: 20 }

/** For each node but the first its parent, which comes before it. */
export type Parents = readonly number[]

/** From bushes to chains: `reach` says how far back a parent is looked for. */
export const trees: fc.Arbitrary<Parents> = fc
  .record({ picks: fc.array(fc.nat(), { maxLength: 60 }), reach: fc.integer({ min: 1, max: 60 }) })
  .map(({ picks, reach }) => picks.map((pick, index) => index - (pick % Math.min(index + 1, reach))))

export function kidsBy(parents: Parents): number[][] {
  const kids: number[][] = Array.from({ length: parents.length + 1 }, () => [])
  for (const [index, parent] of parents.entries()) kids[parent]?.push(index + 1)
  return kids
}

/** @param open which nodes show their children; all when absent */
export function drawn(parents: Parents, open?: ReadonlySet<number>): TreeLayout {
  const layout = new TreeLayout(SIZES)
  layout.add(NOBODY)
  for (const parent of parents) layout.add(parent)
  for (const [node, kids] of kidsBy(parents).entries())
    if (open === undefined || open.has(node)) layout.show(node, kids)
  layout.settle()
  return layout
}

export interface Placed {
  readonly node: number
  readonly x: number
  readonly y: number
}

/** Every node that is shown. */
export function placed(layout: TreeLayout): Placed[] {
  return Array.from({ length: layout.count }, (_, node) => node).flatMap((node) => {
    const point = layout.place(node)
    return point === null ? [] : [{ node, ...point }]
  })
}

export const chain = (length: number): Parents => Array.from({ length: length - 1 }, (_, index) => index)
export const star = (length: number): Parents => Array.from({ length: length - 1 }, () => 0)

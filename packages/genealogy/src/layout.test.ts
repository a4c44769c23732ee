import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Box, beside, kidsOf, NOBODY, type NodeSizes, pathTo, TreeLayout } from './layout.ts'
import { visible } from './layout-visible.ts'

const SIZES: NodeSizes = { width: 222, height: 110, childGap: 50, neighbourGap: 20 }

/** For each node but the first its parent, which comes before it. */
type Parents = readonly number[]

/** From bushes to chains: `reach` says how far back a parent is looked for. */
const trees: fc.Arbitrary<Parents> = fc
  .record({ picks: fc.array(fc.nat(), { maxLength: 60 }), reach: fc.integer({ min: 1, max: 60 }) })
  .map(({ picks, reach }) => picks.map((pick, index) => index - (pick % Math.min(index + 1, reach))))

function kidsBy(parents: Parents): number[][] {
  const kids: number[][] = Array.from({ length: parents.length + 1 }, () => [])
  for (const [index, parent] of parents.entries()) kids[parent]?.push(index + 1)
  return kids
}

/** @param open which nodes show their children; all when absent */
function drawn(parents: Parents, open?: ReadonlySet<number>): TreeLayout {
  const layout = new TreeLayout(SIZES)
  layout.add(NOBODY)
  for (const parent of parents) layout.add(parent)
  for (const [node, kids] of kidsBy(parents).entries())
    if (open === undefined || open.has(node)) layout.show(node, kids)
  layout.settle()
  return layout
}

/** Every node that is shown. */
function placed(layout: TreeLayout) {
  return Array.from({ length: layout.count }, (_, node) => node).flatMap((node) => {
    const point = layout.place(node)
    return point === null ? [] : [{ node, ...point }]
  })
}

const chain = (length: number): Parents => Array.from({ length: length - 1 }, (_, index) => index)
const star = (length: number): Parents => Array.from({ length: length - 1 }, () => 0)

const STEP = SIZES.width + SIZES.neighbourGap
const xs = (layout: TreeLayout) => placed(layout).map(({ x }) => x)

/** Nodes of each level from left to right. */
function levelsOf(layout: TreeLayout): { node: number; x: number }[][] {
  const levels = new Map<number, { node: number; x: number }[]>()
  for (const { node, x, y } of placed(layout)) levels.set(y, [...(levels.get(y) ?? []), { node, x }])
  return [...levels.values()].map((level) => level.sort((one, other) => one.x - other.x))
}

/** The numbers that a walk in order, children in order, meets on each level. */
function ordersOf(parents: Parents): number[][] {
  const kids = kidsBy(parents)
  const orders: number[][] = [[0]]
  for (let level = 0; (orders[level] ?? []).length > 0; level += 1)
    orders.push((orders[level] ?? []).flatMap((node) => kids[node] ?? []))
  return orders.slice(0, -1)
}

/** Checks what must hold of everything that is drawn. */
const always = <Drawn extends [unknown, ...unknown[]]>(
  ...property: [...drawn: { [At in keyof Drawn]: fc.Arbitrary<Drawn[At]> }, holds: (...drawn: Drawn) => void]
) => fc.assert(fc.property(...property))

describe('where nodes are drawn', () => {
  it('draws one node at 0, 0', () => {
    const layout = drawn([])
    expect(layout.place(0)).toEqual({ x: 0, y: 0 })
    expect(layout.box()).toEqual({ left: -111, top: 0, right: 111, bottom: 110 })
  })

  it('centres a parent over its children', () => {
    expect(placed(drawn([0, 0, 0]))).toEqual([
      { node: 0, x: 0, y: 0 },
      { node: 1, x: -242, y: 160 },
      { node: 2, x: 0, y: 160 },
      { node: 3, x: 242, y: 160 },
    ])
  })

  it('lets a deep subtree reach under a shallow neighbour', () => {
    // 1 has three children, 2 has none: 2 stands a step beside 1, above the last of them.
    expect(xs(drawn([0, 0, 1, 1, 1]))).toEqual([0, -121, 121, -363, -121, 121])
  })

  it('shares the room between two wide subtrees among the leaves between them', () => {
    // 1 and 4 have five children each and stand five steps apart; 2 and 3 stand evenly between.
    const layout = drawn([0, 0, 0, 0, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4])
    const [, one = 0, two = 0, three = 0, four = 0] = xs(layout)
    expect([two - one, three - two, four - three]).toEqual([403, 403, 404])
  })

  it('keeps a chain of 100,000 straight, and a star of 100,000 in a row', () => {
    const long = drawn(chain(100_000))
    expect(long.place(99_999)).toEqual({ x: 0, y: 99_999 * 160 })
    const wide = drawn(star(100_001))
    expect(wide.box()).toMatchObject({ left: -(100_000 * STEP - 20) / 2, right: (100_000 * STEP - 20) / 2 })
  })

  it('overlaps nothing, keeps the order and centres every parent', () =>
    always(trees, (parents) => {
      const layout = drawn(parents)
      const orders = ordersOf(parents)
      for (const [index, level] of levelsOf(layout).entries()) {
        expect(level.map(({ node }) => node)).toEqual(orders[index])
        for (const [at, { x }] of level.entries())
          if (at > 0) expect(x - (level[at - 1]?.x ?? 0)).toBeGreaterThanOrEqual(STEP)
      }
      for (const [node, kids] of kidsBy(parents).entries()) {
        const [first, last] = [kids[0], kids.at(-1)].map((kid) => layout.place(kid ?? 0)?.x ?? 0)
        const middle = ((first ?? 0) + (last ?? 0)) / 2
        if (kids.length > 0) expect(Math.abs((layout.place(node)?.x ?? 0) - middle)).toBeLessThanOrEqual(0.5)
      }
    }))

  it('knows its own extents', () =>
    always(trees, (parents) => {
      const layout = drawn(parents)
      const places = placed(layout)
      expect(layout.box()).toEqual({
        left: Math.min(...places.map(({ x }) => x)) - 111,
        right: Math.max(...places.map(({ x }) => x)) + 111,
        top: 0,
        bottom: Math.max(...places.map(({ y }) => y)) + 110,
      })
    }))
})

describe('opening and closing', () => {
  it('comes, step by step, to where everything at once would', () =>
    always(trees, fc.array(fc.nat(), { maxLength: 40 }), (parents, presses) => {
      const kids = kidsBy(parents)
      const layout = drawn(parents, new Set())
      const open = new Set<number>()
      for (const press of presses) {
        const node = press % kids.length
        if (!open.delete(node)) open.add(node)
        layout.show(node, open.has(node) ? (kids[node] ?? []) : [])
        layout.settle()
        expect(placed(layout)).toEqual(placed(drawn(parents, open)))
      }
    }))

  it('shows nothing below what is closed, and what was open there when it opens again', () => {
    const layout = drawn(chain(4))
    layout.show(1, [])
    layout.settle()
    expect(placed(layout).map(({ node }) => node)).toEqual([0, 1])
    layout.show(1, [2])
    layout.settle()
    expect(placed(layout).map(({ node }) => node)).toEqual([0, 1, 2, 3])
  })

  it('takes children that arrive later, between others', () => {
    const layout = drawn([0, 0])
    const late = layout.add(0)
    layout.show(0, [1, late, 2])
    layout.settle()
    expect([...kidsOf(layout, 0)].map((kid) => layout.place(kid)?.x)).toEqual([-242, 0, 242])
  })
})

describe('walking about', () => {
  it('goes along a level, past the children of other parents', () =>
    always(trees, (parents) => {
      const layout = drawn(parents)
      for (const level of levelsOf(layout)) {
        for (const [at, { node }] of level.entries()) {
          expect(beside(layout, node, 'right')).toBe(level[at + 1]?.node ?? -1)
          expect(beside(layout, node, 'left')).toBe(level[at - 1]?.node ?? -1)
        }
      }
    }))

  it('knows the way from the top', () => {
    expect(pathTo(drawn([0, 0, 2, 3]), 4)).toEqual([0, 2, 3, 4])
  })
})

const byNumber = (one: number, other: number) => one - other

const views: fc.Arbitrary<Box> = fc
  .record({
    left: fc.integer({ min: -3000, max: 3000 }),
    top: fc.integer({ min: -400, max: 3000 }),
    width: fc.integer({ min: 0, max: 3000 }),
    height: fc.integer({ min: 0, max: 1500 }),
  })
  .map(({ left, top, width, height }) => ({ left, top, right: left + width, bottom: top + height }))

/** Bushes have nodes with many children, which are found by segments. */
const bushes = fc.oneof(
  trees,
  fc
    .array(fc.nat({ max: 3 }), { minLength: 60, maxLength: 120 })
    .map((picks) => picks.map((pick, index) => pick % (index + 1))),
)

function inView(layout: TreeLayout, view: Box): number[] {
  return placed(layout)
    .filter(
      ({ x, y }) => x + 111 >= view.left && x - 111 <= view.right && y + 110 >= view.top && y <= view.bottom,
    )
    .map(({ node }) => node)
}

function linesInView(layout: TreeLayout, parents: Parents, view: Box) {
  const lines: number[] = []
  const drops: number[] = []
  for (const [node, kids] of kidsBy(parents).entries()) {
    const top = (layout.place(node)?.y ?? 0) + 110
    if (kids.length === 0 || top > view.bottom || top + 50 < view.top) continue
    const xs = kids.map((kid) => layout.place(kid)?.x ?? 0)
    if (Math.min(...xs) <= view.right && Math.max(...xs) >= view.left) lines.push(node)
    drops.push(...kids.filter((_, at) => (xs[at] ?? 0) >= view.left && (xs[at] ?? 0) <= view.right))
  }
  return { lines, drops: drops.sort(byNumber) }
}

describe('what is in view', () => {
  it('is what looking at every node finds', () =>
    always(bushes, views, (parents, view) => {
      const layout = drawn(parents)
      const found = visible(layout, view)
      expect([...found.nodes].sort(byNumber)).toEqual(inView(layout, view))
      const { lines, drops } = linesInView(layout, parents, view)
      expect([...found.parents].sort(byNumber)).toEqual(lines)
      expect([...found.drops].sort(byNumber)).toEqual(drops)
      for (const [index, node] of found.nodes.entries())
        expect({ x: found.xs[index], y: found.ys[index] }).toEqual(layout.place(node))
    }))

  it('counts every node once when what is narrow is taken together', () =>
    always(bushes, fc.integer({ min: 1, max: 4000 }), (parents, resolution) => {
      const layout = drawn(parents)
      const { nodes, blobs } = visible(layout, layout.box(), resolution)
      const counts = blobs.filter((_, index) => index % 5 === 4)
      expect(nodes.length + counts.reduce((sum, count) => sum + count, 0)).toBe(layout.count)
      for (const [index, edge] of blobs.entries())
        if (index % 5 === 2) expect(edge - (blobs[index - 2] ?? 0)).toBeLessThanOrEqual(resolution)
    }))

  it('finds a handful among 100,000 in a row, and deep in a chain of 100,000', () => {
    const wide = visible(drawn(star(100_001)), { left: 0, top: 100, right: 1000, bottom: 400 })
    expect(wide.nodes.length).toBe(6)
    expect(wide.drops.length).toBe(4)
    const deep = visible(drawn(chain(100_000)), { left: 0, top: 8_000_000, right: 10, bottom: 8_000_300 })
    expect(deep.nodes).toEqual([50_000, 50_001])
  })

  it('is nothing of nothing', () => {
    const layout = drawn([0])
    layout.show(0, [])
    layout.settle()
    expect([...kidsOf(layout, 0)]).toEqual([])
    expect(visible(layout, { left: 500, top: 0, right: 600, bottom: 90 }).nodes).toEqual([])
  })
})

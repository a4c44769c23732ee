import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Box, TreeLayout } from './layout.ts'
import { visible } from './layout-visible.ts'
import { kidsOf } from './layout-walk.ts'
import { chain, drawn, kidsBy, type Parents, placed, star, trees } from './testing/trees.ts'

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
  it('is what looking at every node finds', () => {
    fc.assert(
      fc.property(bushes, views, (parents, view) => {
        const layout = drawn(parents)
        const found = visible(layout, view)
        expect([...found.nodes].sort(byNumber)).toEqual(inView(layout, view))
        const { lines, drops } = linesInView(layout, parents, view)
        expect([...found.parents].sort(byNumber)).toEqual(lines)
        expect([...found.drops].sort(byNumber)).toEqual(drops)
        for (const [index, node] of found.nodes.entries())
          expect({ x: found.xs[index], y: found.ys[index] }).toEqual(layout.place(node))
      }),
    )
  })

  it('counts every node once when what is narrow is taken together', () => {
    fc.assert(
      fc.property(bushes, fc.integer({ min: 1, max: 4000 }), (parents, resolution) => {
        const layout = drawn(parents)
        const { nodes, blobs } = visible(layout, layout.box(), resolution)
        const counts = blobs.filter((_, index) => index % 5 === 4)
        expect(nodes.length + counts.reduce((sum, count) => sum + count, 0)).toBe(layout.count)
        for (const [index, edge] of blobs.entries())
          if (index % 5 === 2) expect(edge - (blobs[index - 2] ?? 0)).toBeLessThanOrEqual(resolution)
      }),
    )
  })

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

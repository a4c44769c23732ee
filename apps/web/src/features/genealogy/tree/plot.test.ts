import { kidsOf } from '@aval/genealogy'
import { describe, expect, it } from 'vitest'
import { treeNode as node } from '../../../testing/figures.ts'
import { detailFor, sightAtBinaryStart, worldIn } from './chart/detail.ts'
import { isVacant, nearestShown, Plot, rootFor } from './plot.ts'

/** What is shown below a member: numbers of members, `L` and `R` for vacant places, `+` for more. */
function below(plot: Plot, number: number): string {
  return [...kidsOf(plot.layout, plot.indexOf(`O-${number}`) ?? -1)]
    .map((index) => {
      const item = plot.items[index]
      if (item?.kind === 'member') return item.node.id.slice(2)
      return item?.kind === 'vacant' ? item.leg : '+'
    })
    .join(' ')
}

const at = (plot: Plot, number: number) => plot.indexOf(`O-${number}`) ?? -1

describe('the plot of a network', () => {
  it('begins with as many levels as can be taken in at a glance', () => {
    const plot = new Plot('unilevel', [
      node(1, 0, { children_count: 2 }),
      node(2, 1, { children_count: 1 }),
      node(3, 1),
      node(4, 2, { children_count: 20 }),
      ...Array.from({ length: 20 }, (_, index) => node(5 + index, 4)),
    ])
    plot.begin(null)
    expect([below(plot, 1), below(plot, 2), below(plot, 4)]).toEqual(['2 3', '4', ''])
  })

  it('shows the first generation, however large', () => {
    const plot = new Plot('unilevel', [
      node(1, 0, { children_count: 30 }),
      ...Array.from({ length: 30 }, (_, index) => node(2 + index, 1)),
    ])
    plot.begin(null)
    expect(below(plot, 1).split(' ').length).toBe(30)
  })

  it('opens again what was open before', () => {
    const nodes = [node(1, 0, { children_count: 1 }), node(2, 1, { children_count: 1 }), node(3, 2)]
    const plot = new Plot('unilevel', nodes)
    plot.begin(['O-1', 'O-9'])
    expect(plot.openIds()).toEqual(['O-1'])
    plot.open(at(plot, 2))
    expect(plot.openIds()).toEqual(['O-1', 'O-2'])
  })

  it('offers more where an answer was cut, and pages in order', () => {
    const plot = new Plot('unilevel', [node(1, 0, { children_count: 7 }), node(2, 1), node(3, 1)])
    plot.begin(null)
    expect(below(plot, 1)).toBe('2 3 +')
    plot.mergePage(0, [node(4, 1), node(5, 1)])
    expect(below(plot, 1)).toBe('2 3 4 5 +')
    expect([plot.missing(0), plot.member(0)?.paged]).toEqual([3, 4])
    plot.mergePage(0, [node(6, 1), node(7, 1), node(8, 1)])
    expect(below(plot, 1)).toBe('2 3 4 5 6 7 8')
  })

  it('puts who was found before their page came where the page has them', () => {
    const plot = new Plot('unilevel', [node(1, 0, { children_count: 4 }), node(2, 1)])
    plot.begin(null)
    plot.merge([node(1, 0, { children_count: 4 }), node(5, 1)])
    expect([below(plot, 1), plot.member(0)?.paged]).toEqual(['2 5 +', 1])
    plot.mergePage(0, [node(3, 1), node(4, 1)])
    expect(below(plot, 1)).toBe('2 3 4 5')
    plot.mergePage(0, [node(5, 1)])
    expect([below(plot, 1), plot.member(0)?.paged]).toEqual(['2 3 4 5', 4])
  })

  it('stops offering what an empty page says is not there', () => {
    const plot = new Plot('unilevel', [node(1, 0, { children_count: 3 }), node(2, 1)])
    plot.begin(null)
    plot.mergePage(0, [])
    expect(below(plot, 1)).toBe('2')
  })

  it('draws both places of a binary parent, vacant ones too', () => {
    const plot = new Plot('binary', [node(1, 0, { children_count: 1 }), node(2, 1, { leg: 'R' })])
    plot.begin(null)
    expect([below(plot, 1), below(plot, 2)]).toEqual(['L 2', ''])
    plot.open(at(plot, 2))
    expect(below(plot, 2)).toBe('L R')
    plot.close(at(plot, 2))
    plot.open(at(plot, 2))
    expect([below(plot, 2), plot.items.filter(isVacant).length]).toEqual(['L R', 3])
  })

  it('takes the username None for a vacant place', () => {
    const plot = new Plot('unilevel', [node(1, 0, { children_count: 1 }), node(2, 1, { username: 'None' })])
    expect(plot.items.map(isVacant)).toEqual([false, true])
    expect(plot.canOpen(1)).toBe(false)
  })

  it('opens the way to somebody, and everything', () => {
    const nodes = [node(1, 0, { children_count: 1 }), node(2, 1, { children_count: 1 }), node(3, 2)]
    const plot = new Plot('unilevel', nodes)
    expect(plot.layout.place(2)).toBeNull()
    plot.openTo(2)
    expect(plot.layout.place(2)).toEqual({ x: 0, y: 320 })
    plot.closeAll()
    expect(nearestShown(plot.layout, 2)).toBe(1)
    expect([plot.layout.place(1) === null, plot.layout.place(2)]).toEqual([false, null])
    plot.openAll()
    expect(plot.layout.place(2)).toEqual({ x: 0, y: 320 })
  })

  it('is nothing where there is no data', () => {
    const plot = new Plot('unilevel', [])
    plot.begin(null)
    expect([plot.items, plot.layout.count]).toEqual([[], 0])
  })
})

const way = (...links: [number, number][]) => links.map(([number, parent]) => node(number, parent))

describe('from whom on somebody far away is shown', () => {
  it('is the top where only a part was shown', () => {
    expect(rootFor(way([1, 0], [2, 1]), 'O-7')).toBeNull()
  })

  it('is who stands below the gap of a way too long', () => {
    expect(rootFor(way([1, 0], [2, 1], [90, 89], [91, 90]), null)).toBe('O-90')
  })

  it('is otherwise the member, so that something is shown', () => {
    expect(rootFor(way([1, 0], [2, 1]), null)).toBe('O-2')
    expect(rootFor([], null)).toBeNull()
  })
})

describe('a binary tree at the start', () => {
  /** A member with a member on each side, and so on, four levels below the first. */
  const nodes = Array.from({ length: 31 }, (_, index) =>
    node(index + 1, Math.floor((index + 1) / 2), {
      children_count: index < 15 ? 2 : 0,
      leg: index === 0 ? null : index % 2 === 1 ? 'L' : 'R',
    }),
  )

  it('is open down to both legs in a narrow window, whose width they share at the zoom of the start', () => {
    const plot = new Plot('binary', nodes)
    plot.begin(null, true)
    expect([below(plot, 1), below(plot, 2), below(plot, 3)]).toEqual(['2 3', '', ''])
    const phone = { width: 358, height: 844 }
    const sight = sightAtBinaryStart(plot.layout.box(), phone)
    expect(sight.k).toBe(0.7)
    const seen = worldIn(sight, phone)
    const { left, right } = plot.layout.box()
    expect([left >= seen.left, right <= seen.right]).toEqual([true, true])
  })

  it('is open a level further in a wide one, and all of that is in sight', () => {
    const plot = new Plot('binary', nodes)
    plot.begin(null)
    expect([below(plot, 2), below(plot, 3), below(plot, 4)]).toEqual(['4 5', '6 7', ''])
    expect(sightAtBinaryStart(plot.layout.box(), { width: 712, height: 900 }).k).toBe(0.7)
  })

  it('is smaller in the narrowest windows, and never so small that it cannot be read', () => {
    const plot = new Plot('binary', nodes)
    plot.begin(null, true)
    const box = plot.layout.box()
    expect(sightAtBinaryStart(box, { width: 288, height: 568 }).k).toBeCloseTo(260 / 464)
    expect(detailFor(sightAtBinaryStart(box, { width: 90, height: 568 }).k)).toBe('cards')
  })
})

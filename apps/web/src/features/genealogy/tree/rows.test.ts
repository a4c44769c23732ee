import { describe, expect, it } from 'vitest'
import { treeNode as node } from '../../../testing/figures.ts'
import { Plot } from './plot.ts'
import { listKeyOf, rowsOf } from './rows.ts'

/** Ana (1) introduced Beto (2) and Cira (3), Beto Dora (4), and six others who are not loaded. */
function network(): Plot {
  const plot = new Plot('unilevel', [
    node(1, 0, { children_count: 2 }),
    node(2, 1, { children_count: 7 }),
    node(3, 1),
    node(4, 2),
  ])
  plot.begin(null)
  return plot
}
const nameOf = (plot: Plot, index: number) => plot.member(index)?.node.id ?? plot.items[index]?.kind
const lines = (plot: Plot) =>
  rowsOf(plot).map(({ node: at, level, position, siblings }) => [
    '  '.repeat(level) + nameOf(plot, at),
    `${position}/${siblings}`,
  ])

describe('the network as a list', () => {
  it('has each member before those below, indented by generation', () => {
    const plot = network()
    expect(lines(plot)).toEqual([
      ['O-1', '1/1'],
      ['  O-2', '1/2'],
      ['  O-3', '2/2'],
    ])
    plot.open(plot.indexOf('O-2') ?? -1)
    expect(lines(plot)).toEqual([
      ['O-1', '1/1'],
      ['  O-2', '1/2'],
      ['    O-4', '1/2'],
      ['    more', '2/2'],
      ['  O-3', '2/2'],
    ])
    plot.close(0)
    expect(lines(plot)).toEqual([['O-1', '1/1']])
  })

  it('has the places of a binary tree where they are', () => {
    const plot = new Plot('binary', [node(1, 0, { children_count: 1 }), node(2, 1, { leg: 'R' })])
    plot.begin(null)
    expect(lines(plot).map(([text]) => text)).toEqual(['O-1', '  vacant', '  O-2'])
  })

  it('is empty without anybody, and takes a chain as long as any', () => {
    expect(rowsOf(new Plot('unilevel', []))).toEqual([])
    const chain = Array.from({ length: 50_000 }, (_, at) => node(at + 1, at, { children_count: 1 }))
    const plot = new Plot('unilevel', chain)
    plot.openAll()
    expect(rowsOf(plot).at(-1)?.level).toBe(49_999)
  })
})

describe('a key in the list', () => {
  it('goes along the lines, opens and closes, and leads out', () => {
    const plot = network()
    const at = (number: number) => plot.indexOf(`O-${number}`) ?? -1
    const does = (key: string, number: number) => listKeyOf(key, plot, rowsOf(plot), at(number))
    const goes = (number: number) => ({ does: 'go', to: at(number) })
    expect([does('ArrowDown', 1), does('ArrowUp', 3), does('End', 1), does('Home', 3)]).toEqual([
      goes(2),
      goes(2),
      goes(3),
      goes(1),
    ])
    expect([does('ArrowRight', 2), does('ArrowRight', 3), does('ArrowDown', 3), does('ArrowUp', 1)]).toEqual([
      { does: 'toggle' },
      null,
      null,
      null,
    ])
    plot.open(at(2))
    expect([does('ArrowRight', 2), does('ArrowLeft', 4), does('ArrowLeft', 2), does('ArrowLeft', 3)]).toEqual(
      [goes(4), goes(2), { does: 'toggle' }, goes(1)],
    )
    expect([does('Enter', 1), does(' ', 1), does('/', 1), does('x', 1)]).toEqual([
      { does: 'press' },
      { does: 'select' },
      { does: 'search' },
      null,
    ])
  })
})

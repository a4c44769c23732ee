import { describe, expect, it } from 'vitest'
import { treeNode } from '../../../testing/figures.ts'
import { actionOf, neighbourhood } from './keys.ts'
import { Plot } from './plot.ts'

/** 0 has 1, 2 and 3; 1 has 4 and 5; 3 has 6. */
function family(): Plot {
  const children = [3, 2, 0, 1, 0, 0, 0]
  const parents = [0, 1, 1, 1, 2, 2, 4]
  const nodes = parents.map((parent, at) => treeNode(at + 1, parent, { children_count: children[at] ?? 0 }))
  const plot = new Plot('unilevel', nodes)
  plot.openAll()
  return plot
}

describe('keys on the chart', () => {
  it.each([
    ['ArrowUp', 4, 1],
    ['ArrowUp', 0, null],
    ['ArrowDown', 0, 2],
    ['ArrowDown', 1, 4],
    ['ArrowDown', 2, null],
    ['ArrowRight', 1, 2],
    ['ArrowRight', 5, 6],
    ['ArrowLeft', 6, 5],
    ['ArrowLeft', 4, null],
    ['Home', 6, 0],
  ])('%s leads from %d to %s', (key, from, to) => {
    expect(actionOf(key, family(), from)).toEqual(to === null ? null : { does: 'go', to })
  })

  it.each([
    ['Enter', 'press'],
    [' ', 'select'],
    ['+', 'zoomIn'],
    ['-', 'zoomOut'],
    ['0', 'fit'],
    ['/', 'search'],
  ])('%s asks for %s', (key, does) => {
    expect(actionOf(key, family(), 0)).toEqual({ does })
  })

  it('leaves other keys to the browser', () => {
    expect(actionOf('Tab', family(), 0)).toBeNull()
  })
})

describe('what is read out', () => {
  it('is the family of the node', () => {
    expect(neighbourhood(family(), 1)).toEqual({
      above: [0],
      before: [],
      after: [2, 3],
      below: [4, 5],
      firstPosition: 1,
      siblings: 3,
    })
    expect(neighbourhood(family(), 6)).toMatchObject({ above: [0, 3], before: [], siblings: 1 })
    expect(neighbourhood(family(), 0)).toMatchObject({ above: [], siblings: 1, below: [1, 2, 3] })
  })
})

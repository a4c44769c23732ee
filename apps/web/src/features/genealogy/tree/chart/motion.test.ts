import { NOBODY, TreeLayout } from '@aval/genealogy'
import { describe, expect, it } from 'vitest'
import { beginMotion, onTheWay, onTheWayOut, paceOf } from './motion.ts'

function twoChildren(open: boolean): TreeLayout {
  const layout = new TreeLayout({ width: 222, height: 110, childGap: 50, neighbourGap: 20 })
  layout.add(NOBODY)
  layout.add(0)
  layout.add(0)
  if (open) layout.show(0, [1, 2])
  layout.settle()
  return layout
}

describe('moving to a new layout', () => {
  it('begins and ends slowly, and ends', () => {
    expect([0, 100, 200, 300, 400, 900].map((time) => paceOf(time, 400))).toEqual([
      0, 0.0625, 0.5, 0.9375, 1, 1,
    ])
  })

  it('lets who is new come out of who is above, and grow clear', () => {
    const layout = twoChildren(true)
    const motion = beginMotion(layout, new Map([[0, { x: 0, y: 0 }]]), 0)
    expect(onTheWay(layout, motion, 1, { x: -121, y: 160 }, 0.5)).toEqual({ x: -60.5, y: 80, opacity: 0.5 })
    expect(onTheWay(layout, motion, 0, { x: 10, y: 0 }, 0.5)).toEqual({ x: 5, y: 0, opacity: 1 })
  })

  it('lets who is shown no more go back into who is above', () => {
    const before = new Map([0, 1, 2].map((node) => [node, twoChildren(true).place(node) ?? { x: 0, y: 0 }]))
    const motion = beginMotion(twoChildren(false), before, 0)
    expect([...motion.leaving.keys()]).toEqual([1, 2])
    expect(onTheWayOut(motion, 2, 0.5)).toEqual({ x: 60.5, y: 80, opacity: 0.5 })
  })
})

import { expect, it } from 'vitest'
import { NODE_SIZES } from '../plot.ts'
import { MOVE_TIME } from './camera.ts'
import { sightAtStart, ZOOM } from './detail.ts'
import { START_DELAY } from './motion.ts'

it('the chart has the sizes and the times that were agreed', () => {
  expect(NODE_SIZES).toEqual({ width: 222, height: 110, childGap: 50, neighbourGap: 20 })
  expect(ZOOM).toEqual({ start: 0.7, min: 0.001, max: 20 })
  expect(sightAtStart({ width: 1000, height: 600 }).k).toBe(0.7)
  expect([START_DELAY, MOVE_TIME]).toEqual([1000, 400])
})

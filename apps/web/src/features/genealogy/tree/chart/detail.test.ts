import { describe, expect, it } from 'vitest'
import { NODE_SIZES } from '../plot.ts'
import { MOVE_TIME } from './camera.ts'
import { detailFor, sightAtStart, sightFitting, sightOn, sightZoomed, worldIn, ZOOM } from './detail.ts'
import { START_DELAY } from './motion.ts'

const SIZE = { width: 1000, height: 600 }

describe('what is in sight', () => {
  it('is the world under the screen', () => {
    expect(worldIn({ x: 500, y: -50, k: 0.5 }, SIZE)).toEqual({
      left: -1000,
      top: 100,
      right: 1000,
      bottom: 1300,
    })
    expect(worldIn({ x: 500, y: 0, k: 0.5 }, SIZE, 50).left).toBe(-1100)
  })

  it('puts the middle of a box in the middle', () => {
    const box = { left: 100, top: 0, right: 300, bottom: 100 }
    expect(sightOn(box, SIZE, 2)).toEqual({ x: 100, y: 200, k: 2 })
  })

  it('fits a box whole, without enlarging a small one or passing the smallest zoom', () => {
    expect(sightFitting({ left: 0, top: 0, right: 1800, bottom: 100 }, SIZE, 50).k).toBe(0.5)
    expect(sightFitting({ left: 0, top: 0, right: 10, bottom: 10 }, SIZE, 50).k).toBe(1)
    expect(sightFitting({ left: 0, top: 0, right: 1e9, bottom: 10 }, SIZE, 50).k).toBe(ZOOM.min)
  })
})

describe('a step of the zoom', () => {
  it('leaves in the middle what is there', () => {
    expect(sightZoomed({ x: 500, y: 100, k: 1 }, SIZE, 2)).toEqual({ x: 500, y: -100, k: 2 })
    expect(sightZoomed({ x: 700, y: 300, k: 2 }, SIZE, 0.5)).toEqual({ x: 600, y: 300, k: 1 })
  })

  it('ends where the zoom does', () => {
    expect(sightZoomed({ x: 0, y: 0, k: 19 }, SIZE, 2).k).toBe(ZOOM.max)
    expect(sightZoomed({ x: 0, y: 0, k: 0.0015 }, SIZE, 0.5).k).toBe(ZOOM.min)
    const most = { x: 3, y: 4, k: ZOOM.max }
    expect(sightZoomed(most, SIZE, 2)).toEqual(most)
  })
})

describe('how finely it is drawn', () => {
  it.each([
    [20, 'cards'],
    [0.7, 'cards'],
    [0.38, 'cards'],
    [0.3, 'boxes'],
    [0.085, 'boxes'],
    [0.08, 'dust'],
    [0.001, 'dust'],
  ])('at %d in %s', (k, detail) => {
    expect(detailFor(k)).toBe(detail)
  })
})

it('the chart has the sizes and the times that were agreed', () => {
  expect(NODE_SIZES).toEqual({ width: 222, height: 110, childGap: 50, neighbourGap: 20 })
  expect(ZOOM).toEqual({ start: 0.7, min: 0.001, max: 20 })
  expect(sightAtStart(SIZE).k).toBe(0.7)
  expect([START_DELAY, MOVE_TIME]).toEqual([1000, 400])
})

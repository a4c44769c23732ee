import { describe, expect, it } from 'vitest'
import { checkDimensions, checkFile, mostZoom, sideOf } from './picture.ts'

const MEGABYTE = 1_048_576

describe('a picture', () => {
  it.each([
    ['image/png', 1, null],
    ['image/webp', 20 * MEGABYTE, null],
    ['image/jpeg', 20 * MEGABYTE + 1, 'pictureSize'],
    ['image/jpeg', 0, 'pictureBroken'],
    ['image/svg+xml', 10, 'pictureType'],
    ['image/heic', 10, 'pictureType'],
    ['', 10, 'pictureType'],
  ])('as a file of type %j and %i bytes: %s', (type, size, rule) => {
    expect(checkFile({ type, size })).toBe(rule)
  })

  it.each([
    [64, 64, null],
    [8000, 6000, null],
    [20_000, 20_000, 'pictureHuge'],
    [63, 4000, 'pictureSmall'],
    [0, 0, 'pictureBroken'],
  ])('of %i × %i pixels: %s', (width, height, rule) => {
    expect(checkDimensions({ width, height })).toBe(rule)
  })

  it('is sent as a square of 512 pixels at most, and never larger than it is', () => {
    expect(sideOf({ width: 3024 })).toBe(512)
    expect(sideOf({ width: 200.4 })).toBe(200)
    expect(sideOf({ width: 0 })).toBe(1)
  })

  it('is enlarged no further than its pixels go', () => {
    expect(mostZoom({ width: 4000, height: 1536 })).toBe(3)
    expect(mostZoom({ width: 300, height: 300 })).toBe(2)
    expect(mostZoom({ width: 9000, height: 9000 })).toBe(5)
  })
})

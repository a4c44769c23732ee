/** How finely the chart is drawn, and what of its world is in sight. Coordinates of the world are those of the layout. */
import type { Box } from '@aval/genealogy'

/** Where the world lies on the screen: a point of it is seen at `x + k * point.x`. */
export interface Sight {
  readonly x: number
  readonly y: number
  readonly k: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * `cards` are elements with everything that can be read; `boxes` are painted, with nothing to read; `dust` is painted too,
 * and takes together what lies closer than the eye can tell apart.
 */
export type Detail = 'cards' | 'boxes' | 'dust'

export const ZOOM = { start: 0.7, min: 0.001, max: 20 } as const

/** Below, the largest text of a card is under six pixels high. */
const READABLE = 0.38
/** Below, a card is lower than ten pixels. */
const DISTINCT = 0.085
/** Elements are dear: a card has up to seven, and the page stays under three thousand. */
export const MOST_CARDS = 380
export const MOST_BOXES = 5000

export function detailFor(k: number): Detail {
  if (k >= READABLE) return 'cards'
  return k >= DISTINCT ? 'boxes' : 'dust'
}

/** The part of the world in sight, and as many pixels of the screen around it as `margin` says. */
export function worldIn(sight: Sight, size: Size, margin = 0): Box {
  return {
    left: (-margin - sight.x) / sight.k,
    top: (-margin - sight.y) / sight.k,
    right: (size.width + margin - sight.x) / sight.k,
    bottom: (size.height + margin - sight.y) / sight.k,
  }
}

const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/** With the middle of the box in the middle of the screen. */
export function sightOn(box: Box, size: Size, k: number): Sight {
  return {
    x: size.width / 2 - (k * (box.left + box.right)) / 2,
    y: size.height / 2 - (k * (box.top + box.bottom)) / 2,
    k,
  }
}

/** With the whole box in sight and `padding` pixels around it; never larger than life. */
export function sightFitting(box: Box, size: Size, padding: number): Sight {
  const k = Math.min(
    (size.width - 2 * padding) / (box.right - box.left),
    (size.height - 2 * padding) / (box.bottom - box.top),
  )
  return sightOn(box, size, within(k, ZOOM.min, 1))
}

/** So many times as large, as far as it may be, with what is in the middle of the screen staying there. */
export function sightZoomed(sight: Sight, size: Size, factor: number): Sight {
  const k = within(sight.k * factor, ZOOM.min, ZOOM.max)
  const along = (middle: number, start: number) => middle - ((middle - start) * k) / sight.k
  return { x: along(size.width / 2, sight.x), y: along(size.height / 2, sight.y), k }
}

export const sightAtStart = (size: Size): Sight => ({ x: size.width / 2, y: 76, k: ZOOM.start })

/** At both sides of what is fitted into the width at the start. */
const START_PADDING = 14

/** The start of a binary tree: smaller where that has both legs in sight, as long as it can be read. */
export function sightAtBinaryStart(box: Box, size: Size): Sight {
  const fitting = (size.width - 2 * START_PADDING) / (box.right - box.left)
  const k = within(fitting, READABLE, ZOOM.start)
  return { ...sightAtStart(size), x: size.width / 2 - (k * (box.left + box.right)) / 2, k }
}

/** What the side sheet leaves free: it lies on the right, and on a narrow screen below. */
export function besideSheet({ width, height }: Size): Size {
  return width < 576 ? { width, height: height * 0.42 } : { width: width - 316, height }
}

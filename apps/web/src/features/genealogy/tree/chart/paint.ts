/** What is painted under the cards: lines, and the nodes themselves where they are too small to be read. */
import type { Visible } from '@aval/genealogy'
import { isActive, isVacant, NODE_SIZES, type Plot } from '../plot.ts'
import type { Shown } from './cards.ts'
import { detailFor, type Sight, type Size } from './detail.ts'

export type Palette = ReturnType<typeof paletteOf>

/** The colours of what is painted, as the style sheet has them for the theme. */
export function paletteOf(element: Element) {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(`--tree-${name}`).trim()
  return {
    line: colour('line'),
    marked: colour('marked'),
    card: colour('card'),
    edge: colour('edge'),
    master: colour('master'),
    active: colour('active'),
    quiet: colour('quiet'),
    text: colour('text'),
    vacant: colour('vacant'),
    dust: colour('dust'),
  }
}

export interface Scene {
  readonly plot: Plot
  readonly sight: Sight
  readonly size: Size
  readonly palette: Palette
  readonly marked: ReadonlySet<number>
}

const HALF = NODE_SIZES.width / 2
/** Beyond the screen nothing is painted, however long a line is. */
const OUTSIDE = 50

/** Thin where many are close together; a line below one pixel is invisible on a dark ground. */
const lineWidthAt = (k: number) => (detailFor(k) === 'dust' ? 0.5 : Math.min(1.5, Math.max(1, k * 2)))

/** On half pixels, so that thin lines are sharp. */
const sharp = (value: number) => Math.round(value - 0.5) + 0.5

export function clear(context: CanvasRenderingContext2D, size: Size, ratio: number): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, size.width, size.height)
}

/** From each parent down to a beam over its children, and from the beam to each child in view. */
export function paintLines(context: CanvasRenderingContext2D, scene: Scene, seen: Visible): void {
  const { sight, size, palette, plot } = scene
  const { rise } = plot.layout
  const levels = plot.layout.columns.level
  const gap = NODE_SIZES.childGap * sight.k
  const screenX = (x: number) =>
    sharp(Math.min(size.width + OUTSIDE, Math.max(-OUTSIDE, sight.x + sight.k * x)))
  const beamY = (level: number) => sharp(sight.y + sight.k * (level * rise + NODE_SIZES.height) + gap / 2)
  context.beginPath()
  for (const [index, parent] of seen.parents.entries()) {
    const y = beamY(levels[parent] ?? 0)
    const x = screenX(seen.parentXs[index] ?? 0)
    context.moveTo(x, y - gap / 2)
    context.lineTo(x, y)
    context.moveTo(screenX(seen.lineLefts[index] ?? 0), y)
    context.lineTo(screenX(seen.lineRights[index] ?? 0), y)
  }
  for (const [index, node] of seen.drops.entries()) {
    const y = beamY((levels[node] ?? 1) - 1)
    const x = screenX(seen.dropXs[index] ?? 0)
    context.moveTo(x, y)
    context.lineTo(x, y + gap / 2)
  }
  context.strokeStyle = palette.line
  context.lineWidth = lineWidthAt(sight.k)
  context.stroke()
  paintMarked(context, scene, seen, { screenX, beamY, gap })
}

interface Geometry {
  readonly screenX: (x: number) => number
  readonly beamY: (level: number) => number
  readonly gap: number
}

/** The way that is pointed out, over the other lines. */
function paintMarked(
  context: CanvasRenderingContext2D,
  { plot, palette, marked }: Scene,
  seen: Visible,
  { screenX, beamY, gap }: Geometry,
): void {
  if (marked.size === 0) return
  const { parent: parents, level, first, next, offset } = plot.layout.columns
  context.beginPath()
  for (const [index, parent] of seen.parents.entries()) {
    if (!marked.has(parent)) continue
    for (let kid = first[parent] ?? -1; kid !== -1; kid = next[kid] ?? -1) {
      if (!marked.has(kid) || parents[kid] !== parent) continue
      const from = seen.parentXs[index] ?? 0
      const y = beamY(level[parent] ?? 0)
      context.moveTo(screenX(from), y - gap / 2)
      context.lineTo(screenX(from), y)
      context.lineTo(screenX(from + (offset[kid] ?? 0)), y)
      context.lineTo(screenX(from + (offset[kid] ?? 0)), y + gap / 2)
    }
  }
  context.strokeStyle = palette.marked
  context.lineWidth = 2.5
  context.stroke()
}

/** While nodes move, each line follows its own two. */
export function paintMovingLines(
  context: CanvasRenderingContext2D,
  { sight, palette, plot }: Scene,
  shown: readonly Shown[],
  placeOf: (node: number) => { x: number; y: number } | null,
): void {
  context.beginPath()
  for (const { node, x, y } of shown) {
    const parent = node === 0 ? null : placeOf(plot.layout.columns.parent[node] ?? 0)
    if (parent === null) continue
    const top = sharp(sight.y + sight.k * y)
    const beam = sharp(sight.y + sight.k * (y - NODE_SIZES.childGap / 2))
    const [from, to] = [sharp(sight.x + sight.k * parent.x), sharp(sight.x + sight.k * x)]
    context.moveTo(from, sharp(sight.y + sight.k * (parent.y + NODE_SIZES.height)))
    context.lineTo(from, beam)
    context.lineTo(to, beam)
    context.lineTo(to, top)
  }
  context.strokeStyle = palette.line
  context.lineWidth = lineWidthAt(sight.k)
  context.stroke()
}

/** Cards without anything to read: a frame, a disc for the picture, bars for the name and the amount. */
export function paintBoxes(context: CanvasRenderingContext2D, scene: Scene, shown: readonly Shown[]): void {
  for (const place of shown) paintBox(context, scene, place)
  context.globalAlpha = 1
}

function paintBox(context: CanvasRenderingContext2D, scene: Scene, { node, x, y, opacity }: Shown): void {
  const { plot, sight, palette, marked } = scene
  const item = plot.items[node]
  if (item === undefined) return
  const { k } = sight
  const left = sight.x + k * (x - HALF)
  const top = sight.y + k * y
  const [width, height] = [k * NODE_SIZES.width, k * NODE_SIZES.height]
  context.globalAlpha = opacity
  context.lineWidth = Math.max(1, 3 * k)
  if (isVacant(item) || item.kind !== 'member') {
    context.strokeStyle = palette.vacant
    context.strokeRect(left, top, width, height)
    return
  }
  const isMaster = item.node.is_master_code
  const edge = isMaster ? palette.master : palette.edge
  // As faint as a real card's frame of this size, so that masters and the path stay the most visible.
  if (!isMaster && !marked.has(node)) context.lineWidth = Math.max(0.5, 1.5 * k)
  context.fillStyle = palette.card
  context.strokeStyle = marked.has(node) ? palette.marked : edge
  context.beginPath()
  context.roundRect(left, top, width, height, 10 * k)
  context.fill()
  context.stroke()
  context.fillStyle = palette.text
  context.fillRect(left + 17 * k, top + 60 * k, width * 0.45, 9 * k)
  context.fillStyle = palette.quiet
  context.fillRect(left + width * 0.56, top + 20 * k, width * 0.36, 8 * k)
  if (k < 0.14) return
  context.fillRect(left + 17 * k, top + 80 * k, width * 0.3, 7 * k)
  context.beginPath()
  context.arc(left + 39 * k, top + 4 * k, 21 * k, 0, 2 * Math.PI)
  context.fill()
  context.stroke()
  paintState(context, scene, isActive(item.node), left + width - 24 * k, top + 76 * k)
}

/** As on a card: a disc for who is active, a ring for who is not. */
function paintState(
  context: CanvasRenderingContext2D,
  { sight, palette }: Scene,
  isFull: boolean,
  x: number,
  y: number,
): void {
  context.fillStyle = palette.active
  context.strokeStyle = isFull ? palette.active : palette.quiet
  context.lineWidth = Math.max(1, 3 * sight.k)
  context.beginPath()
  context.arc(x, y, 8 * sight.k, 0, 2 * Math.PI)
  if (isFull) context.fill()
  context.stroke()
}

/** Every member as a dot; members at one pixel share it. */
export function paintDust(context: CanvasRenderingContext2D, scene: Scene, seen: Visible): void {
  const { sight, size, palette, plot, marked } = scene
  const speck = (left: number, top: number, right: number, bottom: number) => {
    const x = sight.x + sight.k * left
    const y = Math.max(-OUTSIDE, sight.y + sight.k * top)
    const end = Math.min(size.height + OUTSIDE, sight.y + sight.k * bottom)
    context.fillRect(x, y, Math.max(1, sight.k * (right - left)), Math.max(1, end - y))
  }
  context.fillStyle = palette.dust
  const { blobs } = seen
  for (let at = 0; at < blobs.length; at += 5)
    speck(blobs[at] ?? 0, blobs[at + 1] ?? 0, blobs[at + 2] ?? 0, blobs[at + 3] ?? 0)
  for (const [index, node] of seen.nodes.entries()) {
    const item = plot.items[node]
    const isMaster = item?.kind === 'member' && item.node.is_master_code
    context.fillStyle = marked.has(node) ? palette.marked : isMaster ? palette.master : palette.dust
    const [x, y] = [seen.xs[index] ?? 0, seen.ys[index] ?? 0]
    speck(x - HALF, y, x + HALF, y + NODE_SIZES.height)
  }
}

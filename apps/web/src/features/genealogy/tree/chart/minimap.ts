/** The whole drawing in a corner, and where in it the screen is. */
import { type Box, visible } from '@aval/genealogy'
import type { Plot } from '../plot.ts'
import { addElement } from './cards.ts'
import { type Sight, type Size, worldIn } from './detail.ts'
import type { Palette } from './paint.ts'

export const MAP_SIZE: Size = { width: 168, height: 104 }
const PADDING = 8

/** The world on the map: a point lies at `x + kx * point.x`, `y + ky * point.y`. */
type MapSight = ReturnType<typeof mapSight>

/** A drawing much wider than high, or higher than wide, is stretched: its shape matters less than where one is. */
const STRETCH = 24

export function mapSight(box: Box) {
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  const roomX = (MAP_SIZE.width - 2 * PADDING) / width
  const roomY = (MAP_SIZE.height - 2 * PADDING) / height
  const k = Math.min(roomX, roomY, 0.12)
  const kx = Math.min(roomX, Math.max(k, Math.min(0.12, k * STRETCH)))
  const ky = Math.min(roomY, Math.max(k, Math.min(0.12, k * STRETCH)))
  return {
    kx,
    ky,
    x: MAP_SIZE.width / 2 - (kx * (box.left + box.right)) / 2,
    y: MAP_SIZE.height / 2 - (ky * (box.top + box.bottom)) / 2,
  }
}

export class MiniMap {
  readonly #root: HTMLElement
  readonly #canvas: HTMLCanvasElement
  readonly #frame: HTMLElement
  readonly #onPoint: (x: number, y: number) => void
  #sight: MapSight = { x: 0, y: 0, kx: 1, ky: 1 }
  readonly #listeners = new AbortController()

  constructor(view: HTMLElement, onPoint: (x: number, y: number) => void) {
    this.#root = addElement(view, 'div', 'tree-map')
    this.#root.dataset['overlay'] = ''
    this.#canvas = addElement(this.#root, 'canvas', '')
    this.#frame = addElement(this.#root, 'div', 'tree-map-frame')
    this.hide()
    this.#onPoint = onPoint
    const { signal } = this.#listeners
    this.#root.addEventListener('pointerdown', (event) => this.#point(event, true), { signal })
    this.#root.addEventListener('pointermove', (event) => this.#point(event, false), { signal })
  }

  paint(plot: Plot, palette: Palette, ratio: number): void {
    const box = plot.layout.box()
    const canvas = this.#canvas
    const context = canvas.getContext('2d')
    if (context === null) return
    this.#sight = mapSight(box)
    const { x, y, kx, ky } = this.#sight
    canvas.width = MAP_SIZE.width * ratio
    canvas.height = MAP_SIZE.height * ratio
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.fillStyle = palette.dust
    const speck = (left: number, top: number, right: number, bottom: number) =>
      context.fillRect(
        x + kx * left,
        y + ky * top,
        Math.max(1, kx * (right - left)),
        Math.max(2, ky * (bottom - top)),
      )
    const { nodes, xs, ys, blobs } = visible(plot.layout, box, 1.5 / kx)
    for (let at = 0; at < blobs.length; at += 5)
      speck(blobs[at] ?? 0, blobs[at + 1] ?? 0, blobs[at + 2] ?? 0, blobs[at + 3] ?? 0)
    const { width, height } = plot.layout.sizes
    for (let at = 0; at < nodes.length; at += 1)
      speck((xs[at] ?? 0) - width / 2, ys[at] ?? 0, (xs[at] ?? 0) + width / 2, (ys[at] ?? 0) + height)
  }

  /** Where the screen is; hidden where everything is in sight. */
  follow(plot: Plot, sight: Sight, size: Size): void {
    const view = worldIn(sight, size)
    const box = plot.layout.box()
    const isWhole =
      view.left <= box.left && view.right >= box.right && view.top <= box.top && view.bottom >= box.bottom
    this.#root.dataset['needed'] = String(!isWhole)
    if (isWhole) return
    const { x, y, kx, ky } = this.#sight
    const edge = (value: number, most: number) => Math.min(most - 1, Math.max(1, value))
    const left = edge(x + kx * view.left, MAP_SIZE.width - 6)
    const top = edge(y + ky * view.top, MAP_SIZE.height - 6)
    const right = Math.max(left + 5, edge(x + kx * view.right, MAP_SIZE.width))
    const bottom = Math.max(top + 5, edge(y + ky * view.bottom, MAP_SIZE.height))
    const { style } = this.#frame
    style.transform = `translate(${left}px, ${top}px)`
    style.width = `${right - left}px`
    style.height = `${bottom - top}px`
  }

  hide(): void {
    this.#root.dataset['needed'] = 'false'
  }

  stop(): void {
    this.#listeners.abort()
  }

  #point(event: PointerEvent, isPress: boolean): void {
    if (isPress) this.#root.setPointerCapture(event.pointerId)
    else if (event.buttons === 0) return
    const box = this.#root.getBoundingClientRect()
    const { x, y, kx, ky } = this.#sight
    this.#onPoint((event.clientX - box.left - x) / kx, (event.clientY - box.top - y) / ky)
  }
}

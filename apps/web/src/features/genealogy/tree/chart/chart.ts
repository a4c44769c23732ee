/**
 * The drawing of a network: which nodes are in view, how finely they are drawn, and what a press on them means. It fills an
 * element of the page with its own and draws once a frame at most; only presses are reported to React.
 */
import { type Box, visible } from '@aval/genealogy'
import { NODE_SIZES, type Plot } from '../plot.ts'
import { type Camera, makeCamera } from './camera.ts'
import { type Act, addElement, type CardTexts } from './cards.ts'
import {
  besideSheet,
  detailFor,
  type Sight,
  type Size,
  sightAtBinaryStart,
  sightAtStart,
  sightFitting,
  sightOn,
  worldIn,
} from './detail.ts'
import { MiniMap } from './minimap.ts'
import { clear, type Palette, paletteOf } from './paint.ts'
import { Stage } from './stage.ts'

export interface ChartOptions {
  readonly texts: CardTexts
  readonly onAct: (act: Act, node: number) => void
}

const FIT_PADDING = 36
/** Pixels around a pointer in which somebody drawn as a speck is found. */
const MOUSE = 4
const FINGER = 14

const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

export class Chart {
  readonly #view: HTMLElement
  readonly #canvas: HTMLCanvasElement
  /** Drawn around the node on which the keyboard is. */
  readonly #ring: HTMLElement
  readonly #options: ChartOptions
  readonly #stage: Stage
  /** Says who is under the pointer where no card can be read. */
  readonly #hint: HTMLElement
  readonly #map: MiniMap
  readonly #camera: Camera
  readonly #listeners = new AbortController()
  readonly #resizes: ResizeObserver
  readonly #themes: MutationObserver
  #plot: Plot | null = null
  #size: Size
  #palette: Palette
  #marked: ReadonlySet<number> = new Set()
  #current = 0
  #version = 0
  #mapVersion = -1
  #frame = 0

  constructor(view: HTMLElement, options: ChartOptions) {
    this.#view = view
    this.#options = options
    this.#size = { width: view.clientWidth, height: view.clientHeight }
    this.#palette = paletteOf(view)
    this.#canvas = addElement(view, 'canvas', 'tree-canvas')
    this.#stage = new Stage(addElement(view, 'div', 'tree-layer'), options.texts)
    this.#ring = addElement(view, 'div', 'tree-ring')
    this.#ring.hidden = true
    this.#hint = addElement(view, 'div', 'tree-hint')
    this.#hint.hidden = true
    this.#camera = makeCamera(
      view,
      () => this.#size,
      () => this.#schedule(),
    )
    this.#map = new MiniMap(view, (x, y) => {
      const { k } = this.#camera.sight()
      this.#camera.moveTo(sightOn({ left: x, right: x, top: y, bottom: y }, this.#size, k), false)
    })
    this.#resizes = new ResizeObserver(() => this.#resize())
    this.#resizes.observe(view)
    this.#themes = new MutationObserver(() => this.#recolour())
    this.#themes.observe(document.documentElement, { attributes: true })
    const { signal } = this.#listeners
    view.addEventListener('click', (event) => this.#press(event), { signal })
    for (const kind of ['pointermove', 'pointerdown'] as const)
      view.addEventListener(kind, (event) => this.#point(event), { signal })
    view.addEventListener('pointerleave', () => this.#hint.setAttribute('hidden', ''), { signal })
    this.#resize()
  }

  get plot(): Plot | null {
    return this.#plot
  }

  /** Another network, or none, which clears the drawing. */
  setPlot(plot: Plot | null, keepsSight: boolean): void {
    this.#plot = plot
    this.#marked = new Set()
    this.#current = 0
    this.#stage.forget()
    if (!keepsSight) this.#camera.moveTo(this.#start(), false)
    this.refresh()
  }

  #start(): Sight {
    const plot = this.#plot
    if (plot === null || plot.view === 'unilevel' || plot.items.length === 0) return sightAtStart(this.#size)
    return sightAtBinaryStart(plot.layout.box(), this.#size)
  }

  /** Something on the cards or in the layout changed. */
  refresh(): void {
    this.#version += 1
    this.#schedule()
  }

  /** Changes the layout; what is in sight moves from where it was to where it is then. */
  change(mutate: (plot: Plot) => void): void {
    const plot = this.#plot
    if (plot === null) return
    if (isStill()) mutate(plot)
    else this.#stage.change(plot, this.#camera.sight(), this.#size, mutate)
    this.refresh()
  }

  mark(nodes: ReadonlySet<number>): void {
    this.#marked = nodes
    this.refresh()
  }

  /** Where the keyboard is. */
  setCurrent(node: number): void {
    this.#current = node
    this.#schedule()
  }

  /** Moves a node, with its children where asked, to the middle. A zoom at which nothing can be read is left. */
  centre(
    node: number,
    options: { withKids?: boolean; readable?: boolean; besideSheet?: boolean } = {},
  ): void {
    const box = this.#boxOf(node, options.withKids ?? false)
    if (box === null) return
    const { k } = this.#camera.sight()
    const zoom = options.readable && detailFor(k) !== 'cards' ? sightAtStart(this.#size).k : k
    const room = options.besideSheet ? besideSheet(this.#size) : this.#size
    this.#camera.moveTo(sightOn(box, room, zoom), !isStill())
  }

  /** Moves only as far as it takes to have the node in sight. */
  reveal(node: number): void {
    const box = this.#boxOf(node, false)
    if (box === null) return
    const view = worldIn(this.#camera.sight(), this.#size, -FIT_PADDING)
    const isIn =
      box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom
    if (!isIn) this.centre(node, { readable: true })
  }

  showAll(): void {
    if (this.#plot === null) return
    this.#camera.moveTo(sightFitting(this.#plot.layout.box(), this.#size, FIT_PADDING), !isStill())
  }

  zoomBy(factor: number): void {
    this.#camera.zoomBy(factor, !isStill())
  }

  stop(): void {
    cancelAnimationFrame(this.#frame)
    this.#listeners.abort()
    this.#resizes.disconnect()
    this.#themes.disconnect()
    this.#map.stop()
    this.#camera.stop()
    this.#view.replaceChildren()
  }

  #schedule(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0
      this.#draw(now)
    })
  }

  #draw(now: number): void {
    const plot = this.#plot
    const canvas = this.#canvas
    const context = canvas.getContext('2d')
    if (context === null) return
    clear(context, this.#size, canvas.width / Math.max(1, this.#size.width))
    if (plot === null || plot.items.length === 0) {
      this.#stage.clear()
      this.#map.hide()
    } else {
      const sight = this.#camera.sight()
      const scene = { plot, sight, size: this.#size, palette: this.#palette, marked: this.#marked }
      this.#stage.draw(context, scene, this.#version, now)
      this.#drawRing(plot)
      this.#drawMap(plot)
    }
    if (this.#stage.isMoving) this.#schedule()
  }

  #drawRing(plot: Plot): void {
    const ring = this.#ring
    const place = plot.layout.place(this.#current)
    ring.hidden = place === null
    if (place === null) return
    const { x, y, k } = this.#camera.sight()
    const [width, height] = [Math.max(8, NODE_SIZES.width * k), Math.max(8, NODE_SIZES.height * k)]
    ring.style.transform = `translate(${x + k * place.x - width / 2}px, ${y + k * place.y}px)`
    ring.style.width = `${width}px`
    ring.style.height = `${height}px`
  }

  #drawMap(plot: Plot): void {
    if (this.#mapVersion !== this.#version && !this.#stage.isMoving) {
      this.#map.paint(plot, this.#palette, window.devicePixelRatio)
      this.#mapVersion = this.#version
    }
    this.#map.follow(plot, this.#camera.sight(), this.#size)
  }

  #boxOf(node: number, withKids: boolean): Box | null {
    const layout = this.#plot?.layout
    const place = layout?.place(node) ?? null
    if (layout === undefined || place === null) return null
    const hasKids = withKids && (layout.columns.kids[node] ?? 0) > 0
    const bottom = place.y + NODE_SIZES.height + (hasKids ? layout.rise : 0)
    const half = NODE_SIZES.width / 2
    return { left: place.x - half, right: place.x + half, top: place.y, bottom }
  }

  #press(event: MouseEvent): void {
    const { target } = event
    if (!(target instanceof Element) || this.#plot === null || target.closest('[data-overlay]')) return
    const node = this.#stage.nodeOf(target) ?? this.#nodeAt(event, 0)
    if (node === null) return
    const act = target.closest<HTMLElement>('[data-act]')?.dataset['act'] as Act | undefined
    this.#options.onAct(act ?? 'select', node)
  }

  /** @param reach pixels around the point in which a node counts */
  #nodeAt({ clientX, clientY }: MouseEvent, reach: number): number | null {
    const { left, top } = this.#view.getBoundingClientRect()
    const { x, y, k } = this.#camera.sight()
    const point = { x: (clientX - left - x) / k, y: (clientY - top - y) / k }
    const around = reach / k
    const spot = {
      left: point.x - around,
      right: point.x + around,
      top: point.y - around,
      bottom: point.y + around,
    }
    return (this.#plot && visible(this.#plot.layout, spot).nodes[0]) ?? null
  }

  /** Says who is under the pointer, where nobody can be read. */
  #point(event: PointerEvent): void {
    const text = this.#whoIsAt(event)
    const hint = this.#hint
    hint.hidden = text === null
    if (text === null) return
    hint.textContent = text
    const { left, top } = this.#view.getBoundingClientRect()
    // Above a finger, which would cover it; beside a pointer; inside of the chart.
    const [x, y] = [event.clientX - left, event.clientY - top]
    const across = Math.max(8, Math.min(x + 14, this.#size.width - hint.offsetWidth - 8))
    const down =
      event.pointerType === 'touch' ? Math.max(8, y - 64) : Math.min(y + 16, this.#size.height - 40)
    hint.style.transform = `translate(${across}px, ${down}px)`
  }

  #whoIsAt(event: PointerEvent): string | null {
    const plot = this.#plot
    const isOver = event.target instanceof Element && event.target.closest('[data-overlay]') !== null
    // Cards say it themselves.
    if (plot === null || isOver || this.#stage.hasCards) return null
    const reach = event.pointerType === 'touch' ? FINGER : MOUSE
    const node = this.#nodeAt(event, 0) ?? this.#nodeAt(event, reach)
    const item = node === null ? undefined : plot.items[node]
    if (node === null || item === undefined) return null
    const missing = plot.missing(plot.layout.columns.parent[node] ?? 0)
    return this.#options.texts.who(item, plot.legOf(node), missing)
  }

  #resize(): void {
    const before = this.#size
    this.#size = { width: this.#view.clientWidth, height: this.#view.clientHeight }
    this.#canvas.width = this.#size.width * window.devicePixelRatio
    this.#canvas.height = this.#size.height * window.devicePixelRatio
    const sight = this.#camera.sight()
    // What was in the middle stays there.
    const shift = (this.#size.width - before.width) / 2
    if (shift !== 0) this.#camera.moveTo({ ...sight, x: sight.x + shift }, false)
    this.#schedule()
  }

  #recolour(): void {
    this.#palette = paletteOf(this.#view)
    this.refresh()
  }
}

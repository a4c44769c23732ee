/** Draws the nodes in view at the detail of the zoom, and animates them when the layout has changed. */
import { type Point, type Visible, visible } from '@aval/genealogy'
import type { Plot } from '../plot.ts'
import { MOVE_TIME } from './camera.ts'
import { Cards, type CardTexts, type Shown } from './cards.ts'
import { detailFor, MOST_BOXES, MOST_CARDS, type Sight, type Size, worldIn } from './detail.ts'
import { beginMotion, type Motion, onTheWay, onTheWayOut, paceOf } from './motion.ts'
import { paintBoxes, paintDust, paintLines, paintMovingLines, type Scene } from './paint.ts'

/** Cards are ready this far around the screen before they come into it. */
const CARD_MARGIN = 120
/** What is narrower on the screen is taken together. */
const FINEST = 2
/** More nodes than these are not moved one by one: the eye could not follow them. */
const MOST_MOVING = 600

export class Stage {
  readonly #layer: HTMLElement
  readonly #cards: Cards
  #motion: Motion | null = null

  constructor(layer: HTMLElement, texts: CardTexts) {
    this.#layer = layer
    this.#cards = new Cards(layer, texts)
  }

  get isMoving(): boolean {
    return this.#motion !== null
  }

  /** Whether nodes are cards now, which say who they are. */
  get hasCards(): boolean {
    return this.#cards.isShown
  }

  nodeOf(element: Element): number | null {
    return this.#cards.nodeOf(element)
  }

  clear(): void {
    this.#motion = null
    this.#cards.clear()
  }

  /** Before another network is drawn. */
  forget(): void {
    this.#motion = null
    this.#cards.forget()
  }

  /** Changes the layout, and remembers where everything around the view was. */
  change(plot: Plot, sight: Sight, size: Size, mutate: (plot: Plot) => void): void {
    const around = worldIn(sight, size, Math.max(size.width, size.height) / 2)
    const seen = visible(plot.layout, around, FINEST / sight.k)
    const before = new Map<number, Point>()
    if (seen.nodes.length <= MOST_MOVING)
      for (const [at, node] of seen.nodes.entries())
        before.set(node, { x: seen.xs[at] ?? 0, y: seen.ys[at] ?? 0 })
    mutate(plot)
    this.#motion = before.size === 0 ? null : beginMotion(plot.layout, before, performance.now())
  }

  draw(context: CanvasRenderingContext2D, scene: Scene, version: number, now: number): void {
    const { plot, sight, size, marked } = scene
    const wanted = detailFor(sight.k)
    const view = worldIn(sight, size, wanted === 'cards' ? CARD_MARGIN : 0)
    const seen = visible(plot.layout, view, FINEST / sight.k)
    if (wanted === 'dust' || seen.nodes.length > MOST_BOXES) {
      this.clear()
      paintLines(context, scene, seen)
      paintDust(context, scene, seen)
      return
    }
    const shown = this.#shownNow(plot, seen, now)
    if (this.#motion === null) paintLines(context, scene, seen)
    else {
      const places = new Map(shown.map((place) => [place.node, place]))
      paintMovingLines(context, scene, shown, (node) => places.get(node) ?? plot.layout.place(node))
    }
    if (wanted !== 'cards' || shown.length > MOST_CARDS) {
      this.#cards.clear()
      paintBoxes(context, scene, shown)
      return
    }
    this.#cards.show(plot, shown, version, marked)
    const { x, y } = this.#cards.origin
    const [left, top] = [sight.x + sight.k * x, sight.y + sight.k * y]
    this.#layer.style.transform = `translate(${left}px, ${top}px) scale(${sight.k})`
  }

  #shownNow(plot: Plot, seen: Visible, now: number): Shown[] {
    const still = (index: number) => ({ x: seen.xs[index] ?? 0, y: seen.ys[index] ?? 0 })
    const motion = this.#motion
    const pace = motion === null ? 1 : paceOf(now - motion.startedAt, MOVE_TIME)
    if (motion === null || pace === 1 || seen.nodes.length > MOST_MOVING) {
      this.#motion = null
      return seen.nodes.map((node, index) => ({ node, ...still(index), opacity: 1 }))
    }
    const moving = seen.nodes.map((node, index) => ({
      node,
      ...onTheWay(plot.layout, motion, node, still(index), pace),
    }))
    const leaving = [...motion.leaving.keys()].map((node) => ({ node, ...onTheWayOut(motion, node, pace) }))
    return [...moving, ...leaving]
  }
}

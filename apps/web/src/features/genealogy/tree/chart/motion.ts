/** Nodes on their way from where they were drawn to where they are drawn now. */
import { NOBODY, type Point, parentOf, type TreeLayout } from '@aval/genealogy'

/** Milliseconds from opening the page until the tree is drawn, so that nothing moves just after arriving. */
export const START_DELAY = 1000

export type Motion = ReturnType<typeof beginMotion>

const CLIMB_LIMIT = 64

/** Where the nearest node above, or this one, is in `places`. */
function nearest(layout: TreeLayout, node: number, placeOf: (node: number) => Point | null): Point | null {
  let at = node
  for (let steps = 0; at !== NOBODY && steps < CLIMB_LIMIT; steps += 1) {
    const place = placeOf(at)
    if (place !== null) return place
    at = parentOf(layout, at)
  }
  return null
}

/** @param before where the nodes around the view were drawn before the layout changed */
export function beginMotion(layout: TreeLayout, before: ReadonlyMap<number, Point>, startedAt: number) {
  /** Those that are shown no more, and where they go. */
  const leaving = new Map<number, Point>()
  for (const node of before.keys()) {
    if (layout.place(node) !== null) continue
    const home = nearest(layout, node, (at) => layout.place(at))
    if (home !== null) leaving.set(node, home)
  }
  return { from: before, leaving, startedAt }
}

/** Slow, quick, slow: the pace at which the camera moves as well. */
export function paceOf(elapsed: number, duration: number): number {
  const time = Math.min(1, Math.max(0, elapsed / duration))
  return time < 0.5 ? 4 * time ** 3 : 1 - (2 - 2 * time) ** 3 / 2
}

const between = (one: number, other: number, pace: number) => one + (other - one) * pace

/** Where a node is drawn on its way to `to`; who is new comes out of the nearest one above that is not. */
export function onTheWay(
  layout: TreeLayout,
  motion: Motion,
  node: number,
  to: Point,
  pace: number,
): Point & { opacity: number } {
  const own = motion.from.get(node)
  const start = own ?? nearest(layout, parentOf(layout, node), (at) => motion.from.get(at) ?? null) ?? to
  return {
    x: between(start.x, to.x, pace),
    y: between(start.y, to.y, pace),
    opacity: own === undefined ? pace : 1,
  }
}

export function onTheWayOut(motion: Motion, node: number, pace: number): Point & { opacity: number } {
  const start = motion.from.get(node) ?? { x: 0, y: 0 }
  const home = motion.leaving.get(node) ?? start
  return { x: between(start.x, home.x, pace), y: between(start.y, home.y, pace), opacity: 1 - pace }
}

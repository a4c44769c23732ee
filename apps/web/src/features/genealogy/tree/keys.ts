/** What a key does on the chart. Arrows go where they point: up to a parent, down to a child, along a level. */
import { beside, kidsOf, NOBODY, parentOf } from '@aval/genealogy'
import type { Plot } from './plot.ts'

export type KeyAction =
  | { readonly does: 'go'; readonly to: number }
  | { readonly does: 'press' | 'select' | 'zoomIn' | 'zoomOut' | 'fit' | 'search' }

/** The middle child, which is drawn below its parent. */
function middleKid(plot: Plot, node: number): number {
  const kids = [...kidsOf(plot.layout, node)]
  return kids[Math.floor((kids.length - 1) / 2)] ?? NOBODY
}

const MOVES: Readonly<Record<string, (plot: Plot, node: number) => number>> = {
  ArrowUp: (plot, node) => parentOf(plot.layout, node),
  ArrowDown: middleKid,
  ArrowLeft: (plot, node) => beside(plot.layout, node, 'left'),
  ArrowRight: (plot, node) => beside(plot.layout, node, 'right'),
  Home: () => 0,
}

const PRESSES: Readonly<Record<string, Exclude<KeyAction['does'], 'go'>>> = {
  Enter: 'press',
  ' ': 'select',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '0': 'fit',
  '/': 'search',
}

/** Null where the key has no meaning or there is no member. */
export function actionOf(key: string, plot: Plot, current: number): KeyAction | null {
  const move = MOVES[key]
  if (move !== undefined) {
    const to = move(plot, current)
    return to === NOBODY ? null : { does: 'go', to }
  }
  const does = PRESSES[key]
  return does === undefined ? null : { does }
}

const NEAR = 8
const BELOW = 20

/** Who is read out around the node on which the keyboard is: those above, those beside it and those below. */
export function neighbourhood(plot: Plot, node: number) {
  const { layout } = plot
  const above: number[] = []
  for (let at = parentOf(layout, node); at !== NOBODY && above.length < NEAR; at = parentOf(layout, at))
    above.push(at)
  const siblings = node === 0 ? [0] : [...kidsOf(layout, parentOf(layout, node))]
  const at = Math.max(0, siblings.indexOf(node))
  const from = Math.max(0, at - NEAR)
  return {
    above: above.reverse(),
    before: siblings.slice(from, at),
    after: siblings.slice(at + 1, at + 1 + NEAR),
    below: [...kidsOf(layout, node)].slice(0, BELOW),
    /** Of the first of `before`, or of the node itself, among its siblings; from 1. */
    firstPosition: from + 1,
    siblings: siblings.length,
  }
}

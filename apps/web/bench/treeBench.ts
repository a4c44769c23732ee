/** Draws networks of any size in a browser, with our chart and with d3-org-chart; `bench/tree.ts` drives it. */
import type { TreeNode } from '@aval/contract'
import { OrgChart } from 'd3-org-chart'
import { addElement, type CardTexts } from '../src/features/genealogy/tree/chart/cards.ts'
import { Chart } from '../src/features/genealogy/tree/chart/chart.ts'
import { Plot } from '../src/features/genealogy/tree/plot.ts'
import '@aval/look/base.css'
import '../src/features/genealogy/tree/components/cards.css'
import '../src/features/genealogy/tree/components/tree.css'

export type Shape = 'power' | 'chain' | 'star'

const TEXTS: CardTexts = {
  noName: 'No first name',
  invite: 'Invite',
  vacant: () => 'Free place',
  more: () => 'Show 5 more',
  all: () => 'Show all',
  amount: (amount) => `${amount} USD`,
  count: String,
  state: () => 'Active',
  who: () => 'somebody',
}
/** A picture of letters, as members without one of their own have. */
const PICTURE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#476"/></svg>',
)}`

/** The same for every run: who has many children gets more. */
export function makeNetwork(count: number, shape: Shape): TreeNode[] {
  let state = 7
  const draw = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
  const parents = Array.from({ length: count }, (_, index) =>
    shape === 'chain' ? index - 1 : shape === 'star' ? 0 : Math.floor(index * draw() ** 1.5 * 0.999),
  )
  const children = new Int32Array(count)
  for (const [index, parent] of parents.entries())
    if (index > 0) children[parent] = (children[parent] ?? 0) + 1
  return parents.map((parent, index) => ({
    id: `O-${index + 1}`,
    parentId: index === 0 ? '' : `O-${parent + 1}`,
    username: `member${index}`,
    name: `Name ${index}`,
    imageUrl: PICTURE,
    plan_name: '1000.00',
    is_master_code: index % 50 === 1,
    children_count: children[index] ?? 0,
    depth: 0,
    leg: null,
  }))
}

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** Two frames: what the first one was asked to draw is on the screen when the second one begins. */
async function painted(): Promise<void> {
  await frame()
  await frame()
}

interface Drawn {
  /** Where the gestures go. */
  readonly view: Element
  /** Milliseconds from the press that opens everybody until it is drawn. */
  readonly openMs: number
  readonly showAll: () => void
}

let drawn: Drawn | null = null

function page(): HTMLElement {
  document.body.innerHTML = ''
  document.documentElement.setAttribute('data-color-scheme', 'dark')
  document.documentElement.setAttribute('data-theme', 'warning')
  const root = addElement(document.body, 'div', 'tree-page')
  const board = addElement(root, 'div', 'tree-board')
  board.style.height = '700px'
  return board
}

export async function openOurs(count: number, shape: Shape): Promise<number> {
  const nodes = makeNetwork(count, shape)
  const board = page()
  const view = addElement(board, 'div', 'tree-view')
  const chart = new Chart(view, { texts: TEXTS, onAct: () => undefined })
  const plot = new Plot('unilevel', nodes)
  chart.setPlot(plot, false)
  await painted()
  const begun = performance.now()
  chart.change((shown) => shown.openAll())
  await painted()
  drawn = { view, openMs: performance.now() - begun, showAll: () => chart.showAll() }
  return drawn.openMs
}

export async function openTheirs(count: number, shape: Shape): Promise<number> {
  const nodes = makeNetwork(count, shape)
  const board = page()
  const chart = new OrgChart<TreeNode>()
    .container(board)
    .data(nodes)
    .svgHeight(700)
    .nodeWidth(() => 222)
    .nodeHeight(() => 110)
    .childrenMargin(() => 50)
    .neighbourMargin(() => 20)
    .initialZoom(0.7)
    .scaleExtent([0.001, 20])
    .compact(false)
    .duration(0)
    .minPagingVisibleNodes(() => count)
    .nodeContent(
      ({ data }) =>
        `<div class="tree-card" style="position:relative"><img class="tree-avatar" src="${data.imageUrl}"><span class="tree-amount">${data.plan_name} USD</span><span class="tree-name">${data.name}</span><span class="tree-user">${data.username}</span></div>`,
    )
    .render()
  await painted()
  const begun = performance.now()
  chart.expandAll()
  await painted()
  const view = board.querySelector('svg') ?? board
  drawn = { view, openMs: performance.now() - begun, showAll: () => chart.fit.call(chart) }
  return drawn.openMs
}

export async function showAll(): Promise<void> {
  drawn?.showAll()
  await painted()
}

export const elements = (): number => document.querySelectorAll('*').length

const mouse = (type: string, x: number, y: number) =>
  new MouseEvent(type, { clientX: x, clientY: y, view: window, bubbles: true, cancelable: true, buttons: 1 })

/** Milliseconds; a chart that needs seconds for a frame is not asked for all of them. */
const ENOUGH = 8_000

/** Drags to and fro, or turns the wheel in and out, one event a frame. @returns milliseconds from frame to frame */
export async function gesture(kind: 'pan' | 'zoom', frames: number): Promise<number[]> {
  const view = drawn?.view
  if (view === undefined) throw new Error('nothing is drawn')
  const times: number[] = []
  let before = await frame()
  const begun = before
  let x = 600
  if (kind === 'pan') view.dispatchEvent(mouse('mousedown', x, 350))
  for (let step = 0; step < frames && before - begun < ENOUGH; step += 1) {
    const isForth = Math.floor(step / 40) % 2 === 0
    x += isForth ? 14 : -14
    if (kind === 'pan') window.dispatchEvent(mouse('mousemove', x, 350))
    else
      view.dispatchEvent(
        new WheelEvent('wheel', {
          deltaY: isForth ? 40 : -40,
          clientX: 600,
          clientY: 350,
          bubbles: true,
          cancelable: true,
        }),
      )
    const now = await frame()
    times.push(now - before)
    before = now
  }
  if (kind === 'pan') window.dispatchEvent(mouse('mouseup', x, 350))
  return times
}

/** What the journeys of the tree look at and take hold of: cards, the part of the network in sight, fingers. */
import { expect, type Locator, type Page } from '@playwright/test'

export const card = (page: Page, name: string): Locator =>
  page.locator('.tree-card').filter({ has: page.locator('.tree-name').getByText(name, { exact: true }) })

/** A vacant place, by what is written on it. */
export const vacancy = (page: Page, label: string): Locator =>
  page.locator('.tree-card-vacant').filter({ has: page.getByText(label, { exact: true }) })

/** What a screen reader hears where the keyboard is. */
export const heard = (page: Page): Locator => page.locator('[role=treeitem][aria-selected=true]')

export async function speak(page: Page, language: 'es' | 'en'): Promise<void> {
  await page.evaluate(`localStorage.setItem('language', '${language}')`)
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export async function boxOf(one: Locator): Promise<Box> {
  const box = await one.boundingBox()
  if (box === null) throw new Error('there is nothing to see')
  return box
}

/** What is seen, once it stays as it is. */
async function settled<Seen>(look: () => Promise<Seen | null>): Promise<Seen> {
  let before: Seen | null = null
  const isStill = async () => {
    const now = await look()
    const isSame = now !== null && JSON.stringify(now) === JSON.stringify(before)
    before = now
    return isSame
  }
  await expect.poll(isStill, { intervals: [100] }).toBe(true)
  if (before === null) throw new Error('there is nothing to see')
  return before
}

/** Where it is, once it stays there. */
export const resting = (one: Locator): Promise<Box> => settled(() => one.boundingBox())

/** How large the chart is drawn, and where: a point of the network is seen at `x + k * point.x`. */
export interface Sight {
  readonly x: number
  readonly y: number
  readonly k: number
}

export const sight = (page: Page): Promise<Sight> =>
  page.evaluate(`(({ x, y, k }) => ({ x, y, k }))(document.querySelector('.tree-view').__zoom)`)

/** The same, once it stays so. */
export const settledSight = (page: Page): Promise<Sight> => settled(() => sight(page))

/** The zoom, to three places. */
export const zoom = async (page: Page): Promise<number> => Math.round((await sight(page)).k * 1000) / 1000

/** The zoom, when it no longer changes. */
export const settledZoom = (page: Page): Promise<number> => settled(() => zoom(page))

/** Whether anything is painted below the cards. */
export const isPainted = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('.tree-canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value) => value !== 0)
  })()`)

/** The cards of which a part lies outside of the chart's frame. */
export async function cutOff(page: Page): Promise<string[]> {
  const view = await boxOf(page.locator('.tree-view'))
  const names: string[] = []
  for (const one of await page.locator('.tree-card').all()) {
    const { x, y, width, height } = await boxOf(one)
    const isIn =
      x >= view.x && y >= view.y && x + width <= view.x + view.width && y + height <= view.y + view.height
    if (!isIn) names.push((await one.textContent()) ?? '')
  }
  return names
}

/** How far its middle lies to the right of the chart's. */
export async function besideMiddle(page: Page, one: Locator): Promise<number> {
  const [seen, view] = [await resting(one), await boxOf(page.locator('.tree-view'))]
  return Math.round(seen.x + seen.width / 2 - (view.x + view.width / 2))
}

export type Points = readonly [x: number, y: number][]

/** Fingers that lie at the first places, move over the next ones and leave at the last. */
export async function drag(page: Page, ...steps: Points[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Points) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    })
  for (const [at, points] of steps.entries()) await send(at === 0 ? 'touchStart' : 'touchMove', points)
  await send('touchEnd', [])
  await devtools.detach()
}

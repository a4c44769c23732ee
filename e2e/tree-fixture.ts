/**
 * The fixture of the tree's journeys: a network whose every call is answered from here (places, pages, finds, ways, sheets),
 * and what the chart shows of it: cards, zoom, fingers.
 */
import type { TreeNode } from '@aval/contract'
import { expect, type Locator, type Page, type Route } from '@playwright/test'
import type { Sight } from '../apps/web/src/features/genealogy/tree/chart/detail.ts'
import { treeNode } from '../apps/web/src/testing/figures.ts'

interface Person {
  readonly id: number
  /** 0 for the first. */
  readonly sponsor: number
  readonly parent: number
  readonly leg: 'L' | 'R' | null
  readonly name: string
  readonly username: string
}

const person = (
  id: number,
  sponsor: number,
  parent: number,
  leg: Person['leg'],
  name: string,
  username = name.toLowerCase().replace(' ', ''),
): Person => ({ id, sponsor, parent, leg, name, username })

const emailOf = ({ username }: Person) => `${username}@correo.example`

/**
 * Ana introduced Beto, Cira and Dora; Beto twelve more, of whom an answer holds five; Elsa stands deep. Below Cira is a
 * place for which the server says None.
 */
const PEOPLE: readonly Person[] = [
  person(1, 0, 0, null, 'Ana'),
  person(2, 1, 1, 'L', 'Beto'),
  person(3, 1, 1, 'R', 'Cira'),
  person(4, 1, 2, 'L', 'Dora'),
  person(5, 3, 3, 'L', '', 'None'),
  ...Array.from({ length: 12 }, (_, index) =>
    person(10 + index, 2, index === 0 ? 4 : 9 + index, 'L', `Fila ${index + 1}`),
  ),
  person(30, 21, 21, 'R', 'Elsa', 'nortena'),
]

type View = 'unilevel' | 'binary'

const above = (one: Person, view: View) => (view === 'binary' ? one.parent : one.sponsor)
const below = (id: number, view: View, among = PEOPLE) => among.filter((one) => above(one, view) === id)
const idOf = (text: string | null) => Number((text ?? 'O-0').slice(2))
const personOf = (id: number) => PEOPLE.find((one) => one.id === id)

function wayTo(id: number, view: View): Person[] {
  const way: Person[] = []
  for (let one = personOf(id); one !== undefined; one = personOf(above(one, view))) way.unshift(one)
  return way
}

function nodeOf(one: Person, view: View, among = PEOPLE): TreeNode {
  return treeNode(one.id, above(one, view), {
    username: one.username,
    name: one.name,
    plan_name: `${one.id}000.00`,
    is_master_code: one.id === 3,
    children_count: below(one.id, view, among).length,
    depth: wayTo(one.id, view).length - 1,
    leg: one.leg,
  })
}

/** Cut where the others of Beto's would begin. */
const isSentAtOnce = (one: Person) => one.id <= 14

/** At the end of a day: before 2020 nobody, before 2026 the first three. */
const hadJoined = ({ id }: Person, day: string | null) =>
  day === null || day >= '2026' || (day >= '2020' && id <= 3)

function tree(query: URLSearchParams): TreeNode[] {
  const view: View = query.get('view') === 'binary' ? 'binary' : 'unilevel'
  const of = query.get('children_of')
  if (of !== null) {
    const offset = Number(query.get('offset') ?? 0)
    return below(idOf(of), view)
      .slice(offset, offset + Number(query.get('count') ?? 5))
      .map((one) => nodeOf(one, view))
  }
  const people = PEOPLE.filter((one) => hadJoined(one, query.get('as_of')))
  return people.filter(isSentAtOnce).map((one) => nodeOf(one, view, people))
}

function search(query: URLSearchParams) {
  const view: View = query.get('view') === 'binary' ? 'binary' : 'unilevel'
  const q = (query.get('q') ?? '').toLowerCase()
  const found = PEOPLE.filter((one) =>
    [one.name.toLowerCase(), one.username, emailOf(one)].some((text) => text.startsWith(q)),
  )
  const results = found.map((one) => {
    const way = wayTo(one.id, view)
    const { id, username, name } = nodeOf(one, view)
    return {
      id,
      username,
      name,
      depth: way.length - 1,
      path: way.map((step) => `O-${step.id}`),
      path_skipped: 0,
    }
  })
  return { results, more: false }
}

function way(query: URLSearchParams) {
  const view: View = query.get('view') === 'binary' ? 'binary' : 'unilevel'
  const steps = wayTo(idOf(query.get('id')), view)
  if (!steps.every((one) => hadJoined(one, query.get('as_of')))) return null
  return { nodes: steps.map((one) => nodeOf(one, view)), skipped: 0 }
}

function sheet(id: number) {
  const one = personOf(id)
  if (one === undefined) return null
  const { username, name, imageUrl, plan_name, is_master_code, depth } = nodeOf(one, 'unilevel')
  return {
    id: `O-${id}`,
    username,
    name,
    imageUrl,
    is_master_code,
    joined: '2026-10-05T12:00:00.000Z',
    active: true,
    invested: plan_name,
    direct: below(id, 'unilevel').length,
    team: 17,
    team_volume: '12345.678900',
    level: depth,
    leg_volumes: { left: '700.00', right: '300.50' },
  }
}

async function answer(route: Route): Promise<void> {
  const { pathname, searchParams } = new URL(route.request().url())
  if (pathname.endsWith('/get-binary-tree/')) await route.fulfill({ json: tree(searchParams) })
  else if (pathname.endsWith('/search/')) await route.fulfill({ json: search(searchParams) })
  else if (pathname.endsWith('/path/')) {
    const json = way(searchParams)
    await route.fulfill(json === null ? { status: 404, json: { detail: 'No encontrado.' } } : { json })
  } else await route.fulfill({ json: sheet(idOf(pathname.split('/').at(-2) ?? null)) })
}

/** Answers the page's calls about the tree; referrals stay the product's. */
export async function showNetwork(page: Page): Promise<void> {
  await page.route(/\/api\/tree\/(get-binary-tree|search|path|members)\//, answer)
}

export const card = (page: Page, name: string): Locator =>
  page.locator('.tree-card').filter({ has: page.locator('.tree-name').getByText(name, { exact: true }) })

/** A vacant place, by what is written on it. */
export const vacancy = (page: Page, label: string): Locator =>
  page.locator('.tree-card-vacant').filter({ has: page.getByText(label, { exact: true }) })

/** What a screen reader hears where the keyboard is. */
export const heard = (page: Page): Locator => page.locator('[role=treeitem][aria-selected=true]')

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

export async function boxOf(one: Locator): Promise<Box> {
  const box = await one.boundingBox()
  if (box === null) throw new Error('there is nothing to see')
  return box
}

/** What moves begins in the second frame after it was asked to, and a busy machine draws few of them. */
const someFrames = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame)
  })()`)

/** What is seen, once it stays as it is from frame to frame. */
async function settled<Seen>(page: Page, look: () => Promise<Seen | null>): Promise<Seen> {
  let before: Seen | null = null
  const isStill = async () => {
    await someFrames(page)
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
export async function resting(one: Locator): Promise<Box> {
  await expect(one).toBeVisible()
  return settled(one.page(), () => one.boundingBox())
}

/** How large the chart is drawn, and where. */
export const sight = (page: Page): Promise<Sight> =>
  page.evaluate(`(({ x, y, k }) => ({ x, y, k }))(document.querySelector('.tree-view').__zoom)`)

/** The same, once it stays so. */
export const settledSight = (page: Page): Promise<Sight> => settled(page, () => sight(page))

/** The zoom, to three places. */
export const zoom = async (page: Page): Promise<number> => Math.round((await sight(page)).k * 1000) / 1000

/** The zoom, when it no longer changes. */
export const settledZoom = (page: Page): Promise<number> => settled(page, () => zoom(page))

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
  const [seen, view] = [await boxOf(one), await boxOf(page.locator('.tree-view'))]
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

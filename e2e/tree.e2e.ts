import type { Locator, Page } from '@playwright/test'
import { axeFaults, overflow, type Theme, wear } from './axe.ts'
import { expect, signIn, test } from './fixture.ts'
import { showNetwork } from './tree-network.ts'

const card = (page: Page, name: string): Locator =>
  page.locator('.tree-card').filter({ has: page.locator('.tree-name').getByText(name, { exact: true }) })

/** Where it is, once it stays there. */
async function resting(one: Locator) {
  let before = { x: Number.NaN, y: 0 }
  await expect
    .poll(async () => {
      const now = (await one.boundingBox()) ?? before
      const isStill = now.x === before.x && now.y === before.y
      before = now
      return isStill
    })
    .toBe(true)
  return before
}

async function speak(page: Page, language: 'es' | 'en'): Promise<void> {
  await page.evaluate(`localStorage.setItem('language', '${language}')`)
}

/** What a screen reader hears where the keyboard is. */
const heard = (page: Page) => page.locator('[role=treeitem][aria-selected=true]')

const LOOKS: [Theme, number][] = [
  ['dark', 390],
  ['light', 390],
  ['light', 1280],
  ['dark', 1280],
]

test('a member sees the own network, opens branches and reads about people', async ({ page, product }) => {
  await signIn(page, product.url, 'ana')
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/tree/get-binary-tree/', async (route) => {
    await seen.promise
    await route.continue()
  })
  await page.goto(`${product.url}/network-marketing`)
  await expect(page).toHaveTitle(/Mi árbol unilevel/)
  await expect(page.getByText('Cargando tu red…').first()).toBeAttached()
  seen.resolve()
  await expect(card(page, 'Ana')).toContainText(/[\d,]+\.\d\d USD/)
  const cards = page.locator('.tree-card')
  const all = await cards.count()
  expect(all).toBeGreaterThan(3)
  const branch = card(page, 'Ana').locator('.tree-toggle')
  await branch.click()
  await expect(cards).toHaveCount(1)
  await branch.click()
  await expect(cards).toHaveCount(all)

  for (const [theme, width] of LOOKS) {
    await page.setViewportSize({ width, height: 844 })
    await wear(page, theme)
    expect([theme, width, await axeFaults(page), await overflow(page)]).toEqual([theme, width, [], 0])
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: 'Descargar el árbol' }).click()
      await page.getByRole('menuitem', { name: 'Imagen (PNG)' }).click()
    })(),
  ])
  expect(download.suggestedFilename()).toBe('mi-red.png')
})

test('both trees by mouse: pages, vacant places, finding somebody, a part of the network', async ({
  page,
  product,
}) => {
  await showNetwork(page)
  await signIn(page, product.url, 'ana')
  await page.goto(`${product.url}/network-marketing`)
  await expect(card(page, 'Cira')).toHaveAttribute('data-master', 'true')

  await test.step('children come in pages of five, or all at once', async () => {
    await card(page, 'Beto').locator('.tree-toggle').click()
    await page.locator('.tree-card-more [data-act=more]').dispatchEvent('click')
    await expect(page.locator('.tree-card-more')).toContainText('Mostrar 2 más')
    await page.locator('.tree-card-more [data-act=all]').dispatchEvent('click')
    await expect(page.locator('.tree-card-more')).toHaveCount(0)
    await page.getByRole('button', { name: 'Ver todo' }).click()
  })

  await test.step('the binary tree has vacant places that invite', async () => {
    await page.getByText('Binario', { exact: true }).click()
    await expect(page).toHaveURL(/view=binary/)
    await expect(page.getByRole('heading', { name: 'Mi árbol binario' })).toBeVisible()
    await page.locator('.tree-card-vacant .tree-link').first().dispatchEvent('click')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Este lugar está libre')
    await expect(dialog.getByLabel('Tu enlace de registro')).toContainText('/auth/register/')
    await page.keyboard.press('Escape')
  })

  await test.step('somebody deep is found, with the way there and what is to be known', async () => {
    await page.getByRole('combobox', { name: 'Buscar en tu red' }).fill('els')
    await page.getByRole('option', { name: /Elsa/ }).click()
    await expect(page).toHaveURL(/node=O-30/)
    await expect(card(page, 'Elsa')).toHaveAttribute('data-marked', 'true')
    const sheet = page.getByRole('complementary', { name: 'Detalle de Elsa' })
    await expect(sheet).toContainText('$12,345.67')
    await expect(sheet).toContainText('Volumen a la derecha')
    await expect(page.getByRole('navigation', { name: /Camino/ })).toContainText('Ana')
    await sheet.getByRole('button', { name: 'Cerrar' }).click()
    await expect(sheet).toBeHidden()
  })

  await test.step('a shared address leads to the same person', async () => {
    await page.goto(`${product.url}/network-marketing?node=O-30`)
    await expect(page.getByRole('complementary', { name: 'Detalle de Elsa' })).toBeVisible()
    await expect(card(page, 'Elsa')).toBeVisible()
  })
})

test('in English by keyboard: everything without a mouse', async ({ page, product }) => {
  await showNetwork(page)
  await signIn(page, product.url, 'ana')
  await speak(page, 'en')
  await page.goto(`${product.url}/network-marketing?view=binary`)
  await expect(page.getByRole('heading', { name: 'My Binary Tree' })).toBeVisible()
  const tree = page.getByRole('tree', { name: 'Your network' })
  await tree.focus()
  await expect(heard(page)).toHaveText('Ana, ana, 1,000.00 USD, 2 people below')
  await page.keyboard.press('ArrowDown')
  await expect(heard(page)).toHaveText(/^Beto, beto, 2,000\.00 USD, on the left/)
  await page.keyboard.press('ArrowRight')
  await expect(heard(page)).toHaveText(/^Cira.*on the right, Master code/)
  await expect(heard(page)).toHaveAttribute('aria-level', '2')

  await page.keyboard.press('ArrowLeft')
  await expect(heard(page)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Enter')
  await expect(heard(page)).toHaveAttribute('aria-expanded', 'false')
  // Whoever is opened or closed comes to the middle.
  await resting(card(page, 'Beto'))
  const [closed, view] = [
    await card(page, 'Beto').boundingBox(),
    await page.locator('.tree-view').boundingBox(),
  ]
  if (closed === null || view === null) throw new Error('there is nothing to see')
  expect(Math.abs(closed.x + closed.width / 2 - (view.x + view.width / 2))).toBeLessThan(5)
  expect(Math.abs(closed.y + closed.height / 2 - (view.y + view.height / 2))).toBeLessThan(30)
  await page.keyboard.press('Enter')
  await expect(heard(page)).toHaveAttribute('aria-expanded', 'true')

  await page.keyboard.press('Space')
  const sheet = page.getByRole('complementary', { name: 'Details of Beto' })
  await expect(sheet).toBeFocused()
  await expect(sheet).toContainText('$2,000.00')
  await page.keyboard.press('Escape')
  await expect(tree).toBeFocused()

  await page.keyboard.press('Home')
  await expect(heard(page)).toHaveText(/^Ana/)
  const before = await resting(card(page, 'Ana'))
  await page.keyboard.press('-')
  await expect.poll(async () => (await resting(card(page, 'Ana'))).x).not.toBe(before.x)
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Search your network' })).toBeFocused()
  await page.keyboard.type('cira')
  await expect(page.getByRole('option', { name: /Cira/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: 'Details of Cira' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('fingers move the chart, spread it and press people', async ({ page, product }) => {
    await showNetwork(page)
    await signIn(page, product.url, 'ana')
    await page.goto(`${product.url}/network-marketing`)
    const ana = card(page, 'Ana')
    const start = await resting(ana)
    const devtools = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      })
    await touch('touchStart', [195, 640])
    await touch('touchMove', [195, 620])
    await touch('touchMove', [195, 600])
    await touch('touchEnd')
    await expect.poll(async () => (await resting(ana)).y).toBeLessThan(start.y - 20)

    const size = async () => (await ana.boundingBox())?.width ?? 0
    const small = await size()
    const y = Math.round((await resting(ana)).y) + 30
    await touch('touchStart', [170, y], [220, y])
    await touch('touchMove', [150, y], [240, y])
    await touch('touchMove', [140, y], [250, y])
    await touch('touchEnd')
    await expect.poll(size).toBeGreaterThan(small * 1.5)

    await page.getByRole('button', { name: 'Ver todo' }).tap()
    await resting(ana)
    await ana.locator('.tree-name').tap()
    await expect(page.getByRole('complementary', { name: 'Detalle de Ana' })).toContainText('$1,000.00')
    expect(await overflow(page)).toBe(0)
    expect(await axeFaults(page)).toEqual([])
  })
})

import { expect, type Locator, test } from '@playwright/test'
import { axeFaults, overflow } from './axe.ts'
import { openAs, PHONE, speak, wholePage, withoutStream } from './fixture.ts'
import {
  boxOf,
  card,
  cutOff,
  drag,
  resting,
  settledZoom,
  showNetwork,
  vacancy,
  zoom,
} from './tree-fixture.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' }, hasTouch: true, viewport: PHONE })

/** Whether a finger in the middle of each of these presses it, where it is in the window now. */
const allOnTop = (elements: Locator) =>
  elements.evaluateAll(
    (all) =>
      all.length > 0 &&
      all.every((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2))
      }),
  )

/** How many of these a part of the bar lies over. */
const lyingUnder = async (bar: Locator, cards: Locator) => {
  const over = await boxOf(bar)
  return cards.evaluateAll(
    (all, { x, y, width, height }) =>
      all.filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        return right > x && left < x + width && bottom > y && top < y + height
      }).length,
    over,
  )
}

test('in a low window the tools lie over nobody', async ({ page }) => {
  await showNetwork(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await openAs(page, 'ana', '/network-marketing')
  for (const view of ['unilevel', 'binary']) {
    await page.goto(`/network-marketing?view=${view}`)
    await resting(card(page, 'Ana'))
    expect(await lyingUnder(page.getByRole('toolbar'), page.locator('.tree-card'))).toBe(0)
  }
})

test('fingers move the chart, spread it and press people, in both trees', async ({ page }) => {
  await showNetwork(page)
  await withoutStream(page.context())
  await openAs(page, 'ana', '/network-marketing')
  const ana = card(page, 'Ana')
  const fit = page.getByRole('button', { name: 'Ver todo' })

  await test.step('bars and the chat at the foot of the window lie over none of the tools', async () => {
    await wholePage(page)
    const tools = page.getByRole('toolbar').getByRole('button')
    for (const viewport of [{ width: 320, height: 640 }, PHONE]) {
      await page.setViewportSize(viewport)
      await expect.poll(() => allOnTop(tools)).toBe(true)
    }
  })

  const moveAndSpread = async () => {
    const start = await resting(ana)
    await drag(page, [[195, 600]], [[195, 580]], [[195, 560]])
    await expect.poll(async () => (await resting(ana)).y).toBeLessThan(start.y - 20)
    const small = await settledZoom(page)
    const y = Math.round((await resting(ana)).y) + 30
    await drag(
      page,
      [
        [170, y],
        [220, y],
      ],
      [
        [150, y],
        [240, y],
      ],
      [
        [140, y],
        [250, y],
      ],
    )
    await expect.poll(() => zoom(page)).toBeGreaterThan(small * 1.5)
    await page.getByRole('button', { name: 'Cerrar todo' }).tap()
    await resting(ana)
    await fit.tap()
    await settledZoom(page)
  }
  const expectSheet = async (name: string, words: string) => {
    await card(page, name).locator('.tree-name').tap()
    const sheet = page.getByRole('complementary', { name: `Detalle de ${name}` })
    await expect(sheet).toContainText(words)
    expect(await overflow(page)).toBe(0)
    await sheet.getByRole('button', { name: 'Cerrar' }).tap()
    await expect(sheet).toHaveCount(0)
  }

  await test.step('the unilevel tree', async () => {
    await moveAndSpread()
    await expectSheet('Ana', '$1.000,00')
    await card(page, 'Beto').locator('.tree-toggle').tap()
    await resting(card(page, 'Beto'))
    const more = page.locator('.tree-card-more')
    const { x } = await boxOf(more)
    await drag(page, [[350, 600]], [[300, 600]], [[300 - Math.max(0, Math.round(x) - 200), 600]])
    await resting(more)
    await more.getByText('Mostrar 5 más').tap()
    await expect(more).toContainText('Mostrar 2 más')
  })

  await test.step('the binary tree', async () => {
    await page.getByText('Binario', { exact: true }).tap()
    await expect(page.getByRole('heading', { name: 'Mi árbol binario' })).toBeVisible()
    await moveAndSpread()
    await expectSheet('Cira', 'Volumen a la izquierda')
    await card(page, 'Cira').locator('.tree-toggle').tap()
    await resting(card(page, 'Cira'))
    await vacancy(page, 'Lugar libre a la izquierda').getByText('Invitar aquí').tap()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('a la izquierda de Cira')
    await dialog.getByRole('button', { name: 'Cerrar' }).tap()
    await card(page, 'Cira').locator('.tree-toggle').tap()
    await expect(vacancy(page, 'Lugar libre a la izquierda')).toHaveCount(0)
    expect(await axeFaults(page)).toEqual([])
  })

  await test.step('in English it fits as well', async () => {
    await speak(page, 'en')
    await expect(page.getByRole('heading', { name: 'My Binary Tree' })).toBeVisible()
    await expect(ana).toContainText('1,000.00 USD')
    await card(page, 'Cira').locator('.tree-toggle').tap()
    await expect(vacancy(page, 'Free place on the left')).toContainText('Invite to this place')
    await expect(page.getByRole('toolbar', { name: 'Tree tools' })).toBeVisible()
    expect(await settledZoom(page)).toBe(0.7)
    expect([await overflow(page), await axeFaults(page)]).toEqual([0, []])
  })
})

test('on a phone the binary tree opens with both legs in sight, and names of 14 pixels', async ({ page }) => {
  await showNetwork(page)
  await openAs(page, 'ana', '/network-marketing?view=binary')
  await resting(card(page, 'Cira'))
  await expect(page.locator('.tree-card')).toHaveCount(3)
  expect([await cutOff(page), await zoom(page)]).toEqual([[], 0.7])
  // At 0.7.
  await expect(card(page, 'Beto').locator('.tree-name')).toHaveCSS('font-size', '20px')
  await expect(card(page, 'Beto').locator('.tree-state')).toHaveText('Activo')
  // Elsa has places below her, and nobody to be counted.
  await page.getByLabel('Buscar en tu red').fill('nortena@correo')
  await page.getByRole('listbox').getByRole('option', { name: /Elsa/ }).tap()
  await resting(card(page, 'Elsa'))
  await expect(card(page, 'Elsa').locator('.tree-toggle')).toHaveText('')
})

test('on a phone a tree that does not come says so in the window, and comes when it is asked for again', async ({
  page,
}) => {
  await showNetwork(page)
  const tree = '**/api/tree/get-binary-tree/**'
  await page.route(tree, (route) => route.fulfill({ status: 500, json: {} }))
  await openAs(page, 'ana', '/network-marketing')
  const again = page.getByRole('button', { name: 'Reintentar' })
  await expect(again).toBeVisible()
  expect(await allOnTop(again)).toBe(true)
  await page.unroute(tree)
  await again.tap()
  await expect(card(page, 'Ana')).toBeVisible()
})

test('on a phone the network is a list a press away, which stays chosen', async ({ page }) => {
  await showNetwork(page)
  await openAs(page, 'ana', '/network-marketing')
  await resting(card(page, 'Ana'))
  const list = page.getByRole('tree', { name: 'Tu red' })
  const line = (name: string) => list.getByRole('treeitem').filter({ hasText: name })
  await page.getByRole('button', { name: 'Ver como lista' }).tap()
  await expect(page.locator('.tree-view')).toHaveCount(0)
  await expect(line('Beto')).toHaveAttribute('aria-expanded', 'false')

  await test.step('a line opens to those below, who come in steps of five', async () => {
    await line('Beto').locator('.tree-line-toggle').tap()
    await expect(line('Fila 1').first()).toHaveAttribute('aria-level', '3')
    const more = list.getByText('Mostrar 5 más')
    await more.scrollIntoViewIfNeeded()
    await more.tap()
    await expect(list.getByText('Mostrar 2 más')).toHaveCount(1)
  })
  await test.step('a press on somebody shows the details, as in the chart', async () => {
    await line('Cira').first().scrollIntoViewIfNeeded()
    await line('Cira').first().tap()
    const sheet = page.getByRole('complementary', { name: 'Detalle de Cira' })
    await expect(sheet).toContainText('$3.000,00')
    await sheet.getByRole('button', { name: 'Cerrar' }).tap()
    await expect(sheet).toHaveCount(0)
    expect([await overflow(page), await axeFaults(page)]).toEqual([0, []])
  })
  await test.step('by keyboard it is a tree as any other', async () => {
    await list.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await expect(list.locator('[aria-selected=true]')).toContainText('Beto')
    await page.keyboard.press('ArrowLeft')
    await expect(line('Beto')).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('ArrowDown')
    await expect(list.locator('[aria-selected=true]')).toContainText('Cira')
  })
  await test.step('it is a list after a reload, too, and a chart again after a press', async () => {
    await page.reload()
    await expect(line('Beto')).toHaveCount(1)
    await expect(page.locator('.tree-view')).toHaveCount(0)
    await page.getByRole('button', { name: 'Ver como gráfico' }).tap()
    await expect(card(page, 'Beto')).toBeVisible()
  })
})

import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { expect, signIn, test } from './fixture.ts'
import {
  besideMiddle,
  boxOf,
  card,
  cutOff,
  resting,
  settledZoom,
  sight,
  vacancy,
  zoom,
} from './tree-hands.ts'
import { showNetwork } from './tree-network.ts'

const WHITE = 'rgb(255, 255, 255)'
const ORANGE = 'rgb(228, 158, 61)'

async function download(page: Page, kind: string): Promise<Download> {
  await page.getByRole('button', { name: 'Descargar el árbol' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: kind }).click(),
  ])
  return file
}

/** Whether anything is painted below the cards. */
const isPainted = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector('.tree-canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value) => value !== 0)
  })()`)

/** With the clock stopped: until a press has been taken in, a millisecond at a time. */
async function ticking(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  const look = async () => {
    await page.clock.runFor(1)
    return isSo()
  }
  await expect.poll(look, { intervals: [50] }).toBe(true)
}

test('the chart comes after a second, at zoom 0.7, and every move takes 400 milliseconds', async ({
  page,
  product,
}) => {
  await showNetwork(page)
  await signIn(page, product.url, 'ana')
  await page.clock.install()
  await page.goto(`${product.url}/network-marketing`)
  await expect(card(page, 'Ana')).toBeVisible()

  await test.step('for a second there is the note that it is loading, and nothing is drawn', async () => {
    await page.locator('nav a[href="/referrals"]').first().click()
    await expect(page.locator('.tree-view')).toHaveCount(0)
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.locator('nav a[href="/network-marketing"]').first().click()
    await expect(page.locator('.tree-loading')).toBeVisible()
    await page.clock.runFor(990)
    await expect(page.getByText('Cargando tu red…').first()).toBeAttached()
    await expect(page.locator('.tree-loading')).toBeVisible()
    await expect(page.locator('.tree-card')).toHaveCount(0)
    expect(await isPainted(page)).toBe(false)
    await page.clock.runFor(10)
    await expect(page.locator('.tree-loading')).toHaveCount(0)
    await page.clock.runFor(50)
    await expect(card(page, 'Ana')).toBeVisible()
    expect(await isPainted(page)).toBe(true)
  })

  await test.step('it begins at 0.7, with the first in the middle', async () => {
    expect(await zoom(page)).toBe(0.7)
    expect((await boxOf(card(page, 'Ana'))).width).toBeCloseTo(222 * 0.7, 1)
    expect(await besideMiddle(page, card(page, 'Ana'))).toBe(0)
  })

  await test.step('what is opened glides for 400 milliseconds, and then stays', async () => {
    const beto = card(page, 'Beto')
    const places: number[] = [(await boxOf(beto)).x]
    const isFaint: boolean[] = []
    await beto.locator('.tree-toggle').click()
    const spoken = page.getByRole('treeitem', { name: /^Beto/ })
    await ticking(page, async () => (await spoken.getAttribute('aria-expanded')) === 'true')
    for (const time of [200, 160, 80, 1000]) {
      await page.clock.runFor(time)
      places.push((await boxOf(beto)).x)
      isFaint.push(/opacity: 0\./.test((await card(page, 'Fila 1').getAttribute('style')) ?? ''))
    }
    const [start = 0, half = 0, nearly = 0, end = 0, later] = places
    expect(new Set([start, half, nearly, end]).size).toBe(4)
    expect([half > start, nearly > half, end > nearly]).toEqual([true, true, true])
    expect(later).toBe(end)
    expect(isFaint).toEqual([true, true, false, false])
  })

  await test.step('whoever wants no motion has none', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Ver todo' }).click()
    await ticking(page, async () => (await zoom(page)) < 0.7)
    const there = await sight(page)
    await page.clock.runFor(1000)
    expect(await sight(page)).toEqual(there)
  })
})

test('the unilevel tree by mouse: zoom, moving about, people, finding them, other days', async ({
  page,
  product,
}) => {
  await showNetwork(page)
  await signIn(page, product.url, 'ana')
  await page.goto(`${product.url}/network-marketing`)
  const ana = card(page, 'Ana')
  await resting(ana)
  const view = await boxOf(page.locator('.tree-view'))
  const [left, low] = [view.x + 40, view.y + view.height - 40]
  const fit = page.getByRole('button', { name: 'Ver todo' })
  const sheetOf = (name: string) => page.getByRole('complementary', { name: `Detalle de ${name}` })

  await test.step('a master’s frame is orange, others have a white one; a place of nobody invites', async () => {
    for (const part of [card(page, 'Cira'), card(page, 'Cira').locator('.tree-avatar')])
      await expect(part).toHaveCSS('border-top-color', ORANGE)
    for (const part of [card(page, 'Beto'), card(page, 'Beto').locator('.tree-avatar')])
      await expect(part).toHaveCSS('border-top-color', WHITE)
    await expect(card(page, 'Beto')).toHaveCSS('background-color', 'rgb(39, 48, 58)')
    const nobody = vacancy(page, 'Lugar libre')
    await expect(nobody).toBeVisible()
    await expect(nobody.locator('img')).toHaveCount(0)
    await expect(nobody).not.toContainText('USD')
  })

  await test.step('children come in steps of five', async () => {
    await card(page, 'Beto').locator('.tree-toggle').click()
    await resting(card(page, 'Fila 1'))
    const more = page.locator('.tree-card-more')
    await fit.click()
    await resting(more)
    await expect(page.getByText(/^Fila \d+$/)).toHaveCount(5)
    await more.getByRole('button', { name: 'Mostrar 5 más', includeHidden: true }).click()
    await expect(more).toContainText('Mostrar 2 más')
    await card(page, 'Beto').locator('.tree-toggle').click()
    await card(page, 'Beto').locator('.tree-toggle').click()
    await resting(card(page, 'Beto'))
  })

  await test.step('the fit button has everybody in sight', async () => {
    await page.getByRole('button', { name: 'Cerrar todo' }).click()
    await resting(ana)
    await page.mouse.move(left, low)
    await page.mouse.wheel(0, -400)
    expect(await settledZoom(page)).toBeGreaterThan(0.7)
    await expect.poll(() => cutOff(page)).not.toEqual([])
    await fit.click()
    await resting(ana)
    expect(await cutOff(page)).toEqual([])
    await expect(page.locator('.tree-card')).toHaveCount(4)
  })

  await test.step('the wheel zooms from 0.001 to 20 and no further', async () => {
    await page.mouse.move(view.x + view.width / 2, view.y + view.height / 2)
    await page.mouse.wheel(0, -30_000)
    await expect.poll(() => zoom(page)).toBe(20)
    await page.mouse.wheel(0, -500)
    await page.mouse.wheel(0, 500)
    await expect.poll(() => zoom(page)).toBe(10)
    await page.mouse.wheel(0, 30_000)
    await expect.poll(() => zoom(page)).toBe(0.001)
    await page.mouse.wheel(0, 500)
    await page.mouse.wheel(0, -500)
    await expect.poll(() => zoom(page)).toBe(0.002)
    await fit.click()
    await expect(ana).toBeVisible()
  })

  await test.step('the zoom buttons go a step each', async () => {
    const before = await settledZoom(page)
    await page.getByRole('button', { name: 'Alejar' }).click()
    await expect.poll(async () => (await zoom(page)) / before).toBeCloseTo(1 / 1.3, 2)
    await page.getByRole('button', { name: 'Acercar' }).click()
    await expect.poll(() => zoom(page)).toBe(before)
  })

  await test.step('dragging pans as far as the hand goes, and opens nobody', async () => {
    const before = await sight(page)
    const at = await boxOf(ana)
    await page.mouse.move(at.x + 60, at.y + 70)
    await page.mouse.down()
    await page.mouse.move(at.x + 20, at.y + 100, { steps: 4 })
    await page.mouse.up()
    expect(await sight(page)).toEqual({ x: before.x - 40, y: before.y + 30, k: before.k })
    await expect(sheetOf('Ana')).toHaveCount(0)
  })

  await test.step('a press on a card brings it to the middle of what the sheet leaves free, and tells of it', async () => {
    await card(page, 'Cira').locator('.tree-name').click()
    await expect(sheetOf('Cira')).toContainText('$3,000.00')
    await expect(page).toHaveURL(/node=O-3/)
    expect(Math.abs((await besideMiddle(page, card(page, 'Cira'))) + 158)).toBeLessThan(3)
    await sheetOf('Cira').getByRole('button', { name: 'Cerrar' }).click()
    await expect(sheetOf('Cira')).toHaveCount(0)
  })

  await test.step('the small map is there where not all is in sight; a press on it goes there', async () => {
    const map = page.locator('.tree-map')
    await fit.click()
    await expect(map).toBeHidden()
    await page.getByRole('button', { name: 'Abrir todo' }).click()
    for (const _ of [1, 2, 3]) {
      await settledZoom(page)
      await page.getByRole('button', { name: 'Acercar' }).click()
    }
    const before = await resting(page.locator('.tree-map-frame'))
    await map.click({ position: { x: 20, y: 60 } })
    await expect.poll(async () => (await boxOf(page.locator('.tree-map-frame'))).x).toBeLessThan(before.x)
    await map.click({ position: { x: 148, y: 60 } })
    await expect.poll(async () => (await boxOf(page.locator('.tree-map-frame'))).x).toBeGreaterThan(before.x)
  })

  await test.step('it fills the screen and leaves it', async () => {
    await page.getByRole('button', { name: 'Pantalla completa', exact: true }).click()
    const board = page.locator('.tree-board')
    const { width, height } = await page.evaluate<{ width: number; height: number }>(
      '({ width: innerWidth, height: innerHeight })',
    )
    await expect.poll(() => boxOf(board)).toEqual({ x: 0, y: 0, width, height })
    await page.getByRole('button', { name: 'Salir de pantalla completa' }).click()
    await expect.poll(async () => (await boxOf(board)).width).toBe(view.width)
    await page.getByRole('button', { name: 'Pantalla completa', exact: true }).click()
    await page.waitForFunction('document.fullscreenElement !== null')
    await page.evaluate('document.exitFullscreen()')
    await expect.poll(async () => (await boxOf(board)).width).toBe(view.width)
  })

  await test.step('it can be kept as a picture and as vectors', async () => {
    const png = await download(page, 'Imagen (PNG)')
    expect(png.suggestedFilename()).toBe('mi-red.png')
    const pixels = await readFile(await png.path())
    expect(pixels.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
    expect(pixels.length).toBeGreaterThan(5_000)
    const svg = await download(page, 'Vectores (SVG)')
    expect(svg.suggestedFilename()).toBe('mi-red.svg')
    const text = await readFile(await svg.path(), 'utf8')
    const blank = await page.context().newPage()
    const read = await blank.evaluate<string[]>(`(() => {
      const file = new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml')
      return [file.documentElement.nodeName, ...[...file.querySelectorAll('text')].map((one) => one.textContent)]
    })()`)
    await blank.close()
    expect(read[0]).toBe('svg')
    for (const words of ['Ana', '2,000.00 USD', 'Lugar libre', 'Fila 1']) expect(read).toContain(words)
  })

  await test.step('people are found by username and by e-mail; the way to them is pointed out', async () => {
    const search = page.getByRole('combobox', { name: 'Buscar en tu red' })
    await search.fill('nobody')
    await expect(page.getByText('Nadie de tu red coincide.')).toBeVisible()
    await search.fill('FILA12')
    await expect(page.getByRole('option')).toHaveText(/^Fila 12fila12 · nivel 2$/)
    await search.fill('nortena@correo')
    await page.getByRole('option', { name: /Elsa/ }).click()
    await expect(sheetOf('Elsa')).toBeVisible()
    await resting(card(page, 'Elsa'))
    for (const name of ['Elsa', 'Fila 12'])
      await expect(card(page, name)).toHaveAttribute('data-marked', 'true')
    await expect(card(page, 'Fila 10')).toHaveAttribute('data-marked', 'false')
    await expect(card(page, 'Elsa')).toHaveCSS('box-shadow', /0px 0px 0px 2px/)
  })

  await test.step('the way there is written above, and each name on it leads to that person', async () => {
    const trail = page.getByRole('navigation', { name: /Camino/ })
    await expect(trail.getByRole('button')).toHaveText(['Ana', 'Beto', 'Fila 12', 'Elsa'])
    await trail.getByRole('button', { name: 'Beto' }).click()
    await expect(page).toHaveURL(/node=O-2\b/)
    await expect(sheetOf('Beto')).toBeVisible()
    await expect(trail.getByRole('button')).toHaveText(['Ana', 'Beto'])
    await expect(trail.getByText('Beto')).toHaveAttribute('aria-current', 'location')
    expect(Math.abs((await besideMiddle(page, card(page, 'Beto'))) + 158)).toBeLessThan(3)
  })

  await test.step('another day is asked for and said; without anybody nothing is drawn any more', async () => {
    const day = page.getByLabel('A la fecha')
    const asked = page.waitForRequest(/get-binary-tree\/\?as_of=2021-01-15$/)
    await day.fill('2021-01-15')
    await asked
    await expect(page.locator('.tree-card')).toHaveCount(3)
    await expect(page).toHaveURL(/as_of=2021-01-15/)
    await expect(sheetOf('Beto')).toContainText('Estas cifras son de hoy.')
    await day.fill('2001-01-01')
    await expect(page.locator('.tree-card')).toHaveCount(0)
    await expect(page.getByText(/^Tu red empieza contigo/)).toBeVisible()
    await expect(page.getByRole('tree')).toHaveCount(0)
    await expect.poll(() => isPainted(page)).toBe(false)
    await page.getByRole('button', { name: 'Volver a hoy' }).click()
    await expect(card(page, 'Cira')).toBeVisible()
    await expect(day).toHaveValue('')
  })
})

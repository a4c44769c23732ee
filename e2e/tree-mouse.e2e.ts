/** Either tree by mouse: zoom, moving about, the small map, people, finding them, pictures, other days. */
import { readFile } from 'node:fs/promises'
import { type Download, expect, type Page, test } from '@playwright/test'
import { openAs } from './fixture.ts'
import {
  besideMiddle,
  boxOf,
  card,
  cutOff,
  heard,
  isPainted,
  resting,
  settledSight,
  settledZoom,
  showNetwork,
  sight,
  vacancy,
  zoom,
} from './tree-fixture.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const WHITE = 'rgb(255, 255, 255)'
const ORANGE = 'rgb(228, 158, 61)'

/** What differs between them. */
const TREES = [
  {
    view: 'unilevel',
    path: '/network-marketing',
    vacancy: 'Lugar libre',
    /** Cards when everybody is closed. */
    closed: 4,
    deep: { name: 'Fila 12', level: 2 },
    /** Buttons on the trail to the deepest; its steps, with what is left out. */
    trail: ['Ana', 'Beto', 'Fila 12', 'Elsa'],
    steps: ['Ana', 'Beto', 'Fila 12', 'Elsa'],
    leg: '',
    elsa: '/network-marketing?node=O-30',
    above: { name: 'Beto', id: 'O-2', trail: ['Ana', 'Beto'] },
    beside: 'Fila 10',
    tree: /get-binary-tree\/\?as_of=2021-01-15$/,
  },
  {
    view: 'binary',
    path: '/network-marketing?view=binary',
    vacancy: 'Lugar libre a la izquierda',
    closed: 3,
    deep: { name: 'Fila 12', level: 14 },
    trail: ['Ana', 'Fila 11', 'Fila 12', 'Elsa'],
    steps: ['Ana', '…', 'Fila 11', 'Fila 12', 'Elsa'],
    leg: 'R',
    elsa: '/network-marketing?view=binary&node=O-30',
    above: { name: 'Fila 11', id: 'O-20', trail: ['Ana', 'Fila 9', 'Fila 10', 'Fila 11'] },
    beside: 'Cira',
    tree: /get-binary-tree\/\?view=binary&as_of=2021-01-15$/,
  },
] as const

async function download(page: Page, kind: string): Promise<Download> {
  const button = page.getByRole('button', { name: 'Descargar el árbol' })
  const item = page.getByRole('menuitem', { name: kind })
  // The page may still move after a full screen, and the menu with it.
  await resting(button)
  await button.click()
  await resting(item)
  const [file] = await Promise.all([page.waitForEvent('download'), item.click()])
  return file
}

/** The texts of a picture in vectors, after the name of its first element. */
async function textsIn(page: Page, svg: string): Promise<string[]> {
  const blank = await page.context().newPage()
  const read = await blank.evaluate<string[]>(`(() => {
    const file = new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml')
    return [file.documentElement.nodeName, ...[...file.querySelectorAll('text')].map((one) => one.textContent)]
  })()`)
  await blank.close()
  return read
}

test('children come in steps of five', async ({ page }) => {
  await showNetwork(page)
  await openAs(page, 'ana', '/network-marketing')
  const toggle = card(page, 'Beto').locator('.tree-toggle')
  await toggle.click()
  await resting(card(page, 'Fila 1'))
  const more = page.locator('.tree-card-more')
  await page.getByRole('button', { name: 'Ver todo' }).click()
  await resting(more)
  await expect(page.getByText(/^Fila \d+$/)).toHaveCount(5)
  await more.getByRole('button', { name: 'Mostrar 5 más', includeHidden: true }).click()
  await expect(more).toContainText('Mostrar 2 más')
  await toggle.click()
  await expect(more).toHaveCount(0)
  await toggle.click()
  await expect(more).toContainText('Mostrar 2 más')
})

test('far out, where nobody can be read, a label beside the pointer says who is there', async ({ page }) => {
  await showNetwork(page)
  await openAs(page, 'ana', '/network-marketing')
  await resting(card(page, 'Ana'))
  const hint = page.locator('.tree-hint')
  const point = async (down: number) => {
    const [{ x, y, k }, view] = [await settledSight(page), await boxOf(page.locator('.tree-view'))]
    await page.mouse.move(view.x + x, view.y + y + k * down)
  }
  await point(55)
  await expect(hint).toBeHidden()
  for (let step = 0; step < 4; step += 1) await page.getByRole('button', { name: 'Alejar' }).click()
  await expect(page.locator('.tree-card')).toHaveCount(0)
  await point(55)
  await expect(hint).toHaveText('Ana · 1.000,00 USD · Activo')
  await point(55 + 160)
  await expect(hint).toHaveText('Cira · 3.000,00 USD · Activo')
  await point(-200)
  await expect(hint).toBeHidden()
})

for (const tree of TREES) {
  test(`the ${tree.view} tree by mouse: zoom, moving about, people, finding them, other days`, async ({
    page,
  }) => {
    await showNetwork(page)
    await openAs(page, 'ana', tree.path)
    const ana = card(page, 'Ana')
    await resting(ana)
    // The drawing is as high as the window: its foot is in sight where the page ends, with the tools at its left.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    const view = await boxOf(page.locator('.tree-view'))
    const [left, low] = [view.x + view.width / 3, view.y + view.height - 40]
    const fit = page.getByRole('button', { name: 'Ver todo' })
    /** From the middle of what the sheet leaves free. */
    const fromMiddle = async (name: string) => {
      await resting(card(page, name))
      return Math.abs((await besideMiddle(page, card(page, name))) + 158)
    }
    const sheetOf = (name: string) => page.getByRole('complementary', { name: `Detalle de ${name}` })

    await test.step('cards are dark grey; a master’s frame is orange, others have a white one; a place of nobody invites', async () => {
      for (const part of [card(page, 'Cira'), card(page, 'Cira').locator('.tree-avatar')])
        await expect(part).toHaveCSS('border-top-color', ORANGE)
      for (const part of [card(page, 'Beto'), card(page, 'Beto').locator('.tree-avatar')])
        await expect(part).toHaveCSS('border-top-color', WHITE)
      await expect(card(page, 'Beto')).toHaveCSS('background-color', 'rgb(39, 48, 58)')
      const nobody = vacancy(page, tree.vacancy).first()
      await expect(nobody).toBeVisible()
      await expect(nobody.locator('img')).toHaveCount(0)
      await expect(nobody).not.toContainText('USD')
    })

    await test.step('the fit button has everybody in sight', async () => {
      await page.getByRole('button', { name: 'Cerrar todo' }).click()
      await resting(ana)
      await page.mouse.move(left, low)
      // As near as it takes until somebody is out of sight.
      await expect(async () => {
        await page.mouse.wheel(0, -400)
        expect(await settledZoom(page)).toBeGreaterThan(0.7)
        expect(await cutOff(page)).not.toEqual([])
      }).toPass()
      await fit.click()
      await resting(ana)
      expect(await cutOff(page)).toEqual([])
      await expect(page.locator('.tree-card')).toHaveCount(tree.closed)
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

    await test.step('the zoom buttons go a step each, also where they are pressed quickly', async () => {
      const before = await settledZoom(page)
      await page.getByRole('button', { name: 'Alejar' }).dblclick()
      await expect.poll(async () => (await zoom(page)) / before).toBeCloseTo(1 / 1.69, 2)
      await page.getByRole('button', { name: 'Acercar' }).click()
      await expect.poll(async () => (await zoom(page)) / before).toBeCloseTo(1 / 1.3, 2)
      await page.getByRole('button', { name: 'Acercar' }).click()
      await expect.poll(() => zoom(page)).toBe(before)
    })

    await test.step('dragging pans as far as the hand goes, and opens nobody', async () => {
      const before = await settledSight(page)
      const at = await boxOf(ana)
      await page.mouse.move(at.x + 60, at.y + 70)
      await page.mouse.down()
      await page.mouse.move(at.x + 20, at.y + 100, { steps: 4 })
      await page.mouse.up()
      await expect.poll(() => sight(page)).toEqual({ x: before.x - 40, y: before.y + 30, k: before.k })
      await expect(sheetOf('Ana')).toHaveCount(0)
    })

    await test.step('a press that opens or closes takes the keyboard along', async () => {
      await expect(heard(page)).toHaveText(/^Ana/)
      await card(page, 'Beto').locator('.tree-toggle').click()
      await expect(heard(page)).toHaveText(/^Beto/)
      await resting(card(page, 'Beto'))
      await card(page, 'Beto').locator('.tree-toggle').click()
      await resting(card(page, 'Beto'))
      await expect(heard(page)).toHaveText(/^Beto/)
    })

    await test.step('a press on a card brings it to the middle of what the sheet leaves free, and shows its details', async () => {
      await card(page, 'Cira').locator('.tree-name').click()
      await expect(sheetOf('Cira')).toContainText('$3.000,00')
      await expect(page).toHaveURL(/node=O-3/)
      await expect.poll(() => fromMiddle('Cira')).toBeLessThan(3)
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
      await expect
        .poll(async () => (await boxOf(page.locator('.tree-map-frame'))).x)
        .toBeGreaterThan(before.x)
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
      await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(true)
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
      const read = await textsIn(page, await readFile(await svg.path(), 'utf8'))
      expect(read[0]).toBe('svg')
      for (const words of ['Ana', '2.000,00 USD', tree.vacancy, 'Fila 1']) expect(read).toContain(words)
    })

    await test.step('people are found by username and by e-mail; the way to them is pointed out', async () => {
      const search = page.getByRole('combobox', { name: 'Buscar en tu red' })
      await search.fill('nobody')
      await expect(page.getByText('Nadie de tu red coincide.')).toBeVisible()
      await search.fill('FILA12')
      await expect(page.getByRole('listbox').getByRole('option')).toHaveText(
        `Fila 12fila12 · nivel ${tree.deep.level}`,
      )
      await search.fill('nortena@correo')
      await page.getByRole('listbox').getByRole('option', { name: /Elsa/ }).click()
      await expect(page).toHaveURL(/node=O-30/)
      await expect(sheetOf('Elsa')).toContainText('$12.345,67')
      await resting(card(page, 'Elsa'))
      for (const name of ['Elsa', tree.deep.name])
        await expect(card(page, name)).toHaveAttribute('data-marked', 'true')
      await expect(page.locator('.tree-card[data-marked="false"]').first()).toBeAttached()
      await expect(card(page, 'Elsa')).toHaveCSS('box-shadow', /0px 0px 0px 2px/)
    })

    await test.step('the way there is written above, and each name on it leads to that person', async () => {
      const trail = page.getByRole('navigation', { name: /Camino/ })
      const { name, id } = tree.above
      await expect(trail.getByRole('button')).toHaveText(tree.trail)
      await expect(trail.getByRole('listitem')).toHaveText(tree.steps)
      await trail.getByRole('button', { name, exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`node=${id}\\b`))
      await expect(sheetOf(name)).toBeVisible()
      await expect(trail.getByRole('button')).toHaveText(tree.above.trail)
      await expect(trail.getByText(name, { exact: true })).toHaveAttribute('aria-current', 'location')
      await expect.poll(() => fromMiddle(name)).toBeLessThan(3)
    })

    await test.step('another day is asked for and said; a member who came later is not found there', async () => {
      const day = page.getByLabel('A la fecha')
      const asked = page.waitForRequest(tree.tree)
      await page
        .getByRole('navigation', { name: /Camino/ })
        .getByRole('button', { name: 'Ana' })
        .click()
      await expect(sheetOf('Ana')).toBeVisible()
      await day.fill('15/01/2021')
      await asked
      await expect(page.locator('.tree-card-member')).toHaveCount(3)
      await expect(page).toHaveURL(/as_of=2021-01-15/)
      await expect(sheetOf('Ana')).toContainText('Estas cifras son de hoy.')
      await page.getByRole('combobox', { name: 'Buscar en tu red' }).fill('elsa')
      await page.getByRole('listbox').getByRole('option', { name: /Elsa/ }).click()
      await expect(page.getByText('Ese día esa persona no estaba en tu red.')).toBeVisible()
      await expect(page.locator('.tree-card-member')).toHaveCount(3)
      await expect(page.locator('.tree-card[data-marked="true"]')).toHaveCount(0)
    })

    await test.step('without anybody nothing is drawn any more', async () => {
      const day = page.getByLabel('A la fecha')
      await day.fill('01/01/2001')
      await expect(page.locator('.tree-card')).toHaveCount(0)
      await expect(page.getByText('Ese día todavía no había nadie en tu red.')).toBeVisible()
      await expect(page.getByRole('tree')).toHaveCount(0)
      await expect.poll(() => isPainted(page)).toBe(false)
      await page.getByRole('button', { name: 'Volver a hoy' }).click()
      // The address still names the member who was looked for.
      await expect(card(page, 'Elsa')).toHaveAttribute('data-marked', 'true')
      await expect(sheetOf('Elsa')).toBeVisible()
      await expect(day).toHaveValue('')
    })

    await test.step('a shared address leads to the same person', async () => {
      await page.goto(tree.elsa)
      await expect(sheetOf('Elsa')).toBeVisible()
      await expect(card(page, 'Elsa')).toHaveAttribute('data-leg', tree.leg)
      const sheet = expect(sheetOf('Elsa'))
      await (tree.leg === 'R' ? sheet : sheet.not).toContainText('Volumen a la derecha')
    })
  })
}

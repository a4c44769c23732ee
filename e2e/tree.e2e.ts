import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { holdBack, openAs } from './fixture.ts'
import { boxOf, card, heard, resting, settledZoom, showNetwork, vacancy, zoom } from './tree-fixture.ts'

test('a member sees the own network, opens branches and reads about people', async ({ page }) => {
  const letGo = await holdBack(page, '**/api/tree/get-binary-tree/')
  await openAs(page, 'ana', '/network-marketing')
  await expect(page).toHaveTitle(/Mi árbol unilevel/)
  await expect(page.getByText('Cargando tu red…').first()).toBeAttached()
  letGo()
  await expect(card(page, 'Ana')).toContainText(/[\d.]+,\d\d USD/)
  const cards = page.locator('.tree-card')
  await resting(card(page, 'Ana'))
  const all = await cards.count()
  expect(all).toBeGreaterThan(3)
  const branch = card(page, 'Ana').locator('.tree-toggle')
  await branch.click()
  await expect(cards).toHaveCount(1)
  await branch.click()
  await expect(cards).toHaveCount(all)

  await expectAccessible(page, 390, 1280)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: 'Descargar el árbol' }).click()
      await page.getByRole('menuitem', { name: 'Imagen (PNG)' }).click()
    })(),
  ])
  expect(download.suggestedFilename()).toBe('mi-red.png')
})

test('the other tree is shown in place; the binary one has vacant places that invite, and sides', async ({
  page,
}) => {
  await showNetwork(page)
  await openAs(page, 'ana', '/network-marketing')
  await expect(card(page, 'Cira')).toHaveAttribute('data-master', 'true')

  await test.step('children come in pages of five, or all at once', async () => {
    await card(page, 'Beto').locator('.tree-toggle').click()
    const more = page.locator('.tree-card-more')
    await more.getByText('Mostrar 5 más').click()
    await expect(more).toContainText('Mostrar 2 más')
    await more.getByText('Mostrar todos (2)').click()
    await expect(more).toHaveCount(0)
    await page.getByRole('button', { name: 'Ver todo' }).click()
  })

  await test.step('the binary tree has vacant places that invite', async () => {
    await page.evaluate(
      `document.querySelectorAll('.tree-card').forEach((card) => (card.dataset.before = 'true'))`,
    )
    await page.getByText('Binario', { exact: true }).click()
    await expect(page).toHaveURL(/view=binary/)
    await expect(page.getByRole('heading', { name: 'Mi árbol binario' })).toBeVisible()
    // What was shown stays until the other tree is there, and only that one has places.
    await expect(vacancy(page, 'Lugar libre a la izquierda').first()).toBeVisible()
    // A card of the tree before does not become another member's under the finger.
    await expect(page.locator('.tree-card[data-before]')).toHaveCount(0)
    await card(page, 'Cira').locator('.tree-toggle').click()
    await expect(vacancy(page, 'Lugar libre a la izquierda')).toHaveCount(0)
    await card(page, 'Cira').locator('.tree-toggle').click()
    const nobody = vacancy(page, 'Lugar libre a la izquierda')
    await nobody.getByText('Invitar aquí').click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Este lugar está libre, a la izquierda de Cira.')
    await expect(dialog.getByLabel('Tu enlace de registro')).toContainText('/auth/register/')
    await expect(dialog.getByRole('button', { name: 'Cerrar' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await vacancy(page, 'Lugar libre a la derecha').first().getByText('Invitar aquí').click()
    await expect(dialog).toContainText(/Este lugar está libre, a la derecha de \w+\./)
    await expect(dialog.getByRole('button', { name: 'Cerrar' })).toBeFocused()
    await page.keyboard.press('Escape')
  })

  await test.step('a card there shows on which side it stands', async () => {
    const mark = (leg: 'L' | 'R', property: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('.tree-card[data-leg="${leg}"]'), '::after')['${property}']`,
      )
    await expect(card(page, 'Beto')).toHaveAttribute('data-leg', 'L')
    await expect(card(page, 'Cira')).toHaveAttribute('data-leg', 'R')
    expect([await mark('L', 'left'), await mark('L', 'width')]).toEqual(['4px', '4px'])
    expect([await mark('R', 'right'), await mark('R', 'width')]).toEqual(['4px', '4px'])
  })
})

/** Minus and plus go a step, zero has everybody in sight. */
async function keysZoom(page: Page): Promise<void> {
  const before = await settledZoom(page)
  await page.keyboard.press('-')
  await expect.poll(async () => (await zoom(page)) / before).toBeCloseTo(1 / 1.3, 2)
  await settledZoom(page)
  await page.keyboard.press('+')
  await expect.poll(() => zoom(page)).toBe(before)
  await page.keyboard.press('0')
  await expect.poll(() => zoom(page)).not.toBe(before)
  await expect(page.locator('.tree-map')).toBeHidden()
}

async function unilevelByKeyboard(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Binary' }).press('ArrowLeft')
  await expect(page.getByRole('heading', { name: 'My Unilevel Tree' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/view=binary/)
  await expect(page.getByRole('heading', { name: 'My Binary Tree' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page).not.toHaveURL(/view=/)
  await expect(page.getByRole('heading', { name: 'My Unilevel Tree' })).toBeVisible()
  // The tree before stays until the other one is there, and the focus would go with it.
  await expect(heard(page)).toHaveText('Ana, ana, 1,000.00 USD, Active, 3 people below')
  const tree = page.getByRole('tree', { name: 'Your network' })
  await tree.focus()
  await page.keyboard.press('ArrowDown')
  await expect(heard(page)).toHaveText('Cira, cira, 3,000.00 USD, Active, Master code, 1 person below')
  for (const [name, value] of [
    ['level', '2'],
    ['posinset', '2'],
    ['setsize', '3'],
    ['expanded', 'true'],
  ] as const)
    await expect(heard(page)).toHaveAttribute(`aria-${name}`, value)
  await page.keyboard.press('ArrowDown')
  await expect(heard(page)).toHaveText('Free place')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('This place is free. Share')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(tree).toBeFocused()
  for (const key of ['ArrowUp', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await expect(heard(page)).toHaveText(/^Beto/)
  await expect(heard(page)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowDown')
  for (const name of ['Fila 3', 'Fila 4', 'Fila 5']) {
    await expect(heard(page)).toHaveText(new RegExp(`^${name}`))
    await page.keyboard.press('ArrowRight')
  }
  await expect(heard(page)).toHaveText('7 more people: Enter to show some')
  await page.keyboard.press('Enter')
  await expect(heard(page)).toHaveText('2 more people: Enter to show some')
  await page.keyboard.press('Enter')
  await expect(heard(page)).toHaveText(/^Beto/)
  await page.keyboard.press('ArrowDown')
  await expect(heard(page)).toHaveAttribute('aria-setsize', '12')
  await page.keyboard.press('Home')
  await expect(heard(page)).toHaveText(/^Ana/)
  await keysZoom(page)
  await page.keyboard.press('Space')
  await expect(page.getByRole('complementary', { name: 'Details of Ana' })).toBeFocused()
}

test('in English by keyboard: everything without a mouse', async ({ page }) => {
  await showNetwork(page)
  await openAs(page, 'ana', '/network-marketing?view=binary', 'en')
  await expect(page.getByRole('heading', { name: 'My Binary Tree' })).toBeVisible()
  const tree = page.getByRole('tree', { name: 'Your network' })
  await tree.focus()
  await expect(heard(page)).toHaveText('Ana, ana, 1,000.00 USD, Active, 2 people below')
  await page.keyboard.press('ArrowDown')
  await expect(heard(page)).toHaveText(/^Beto, beto, 2,000\.00 USD, Active, on the left/)
  await page.keyboard.press('ArrowRight')
  await expect(heard(page)).toHaveText(/^Cira.*on the right, Master code/)
  await expect(heard(page)).toHaveAttribute('aria-level', '2')
  await expect(page.locator('.tree-ring')).toHaveCSS('opacity', '1')

  const dialog = page.getByRole('dialog')
  for (const [key, side] of [
    ['ArrowDown', 'left'],
    ['ArrowRight', 'right'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(heard(page)).toHaveText(`Free place on the ${side}`)
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText(`This place is free, on the ${side} of Cira.`)
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(tree).toBeFocused()
  }
  await page.keyboard.press('ArrowUp')
  await expect(heard(page)).toHaveText(/^Cira/)

  await page.keyboard.press('ArrowLeft')
  await expect(heard(page)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Enter')
  await expect(heard(page)).toHaveAttribute('aria-expanded', 'false')
  // A card that is opened or closed comes to the middle.
  await resting(card(page, 'Beto'))
  const [closed, view] = [await boxOf(card(page, 'Beto')), await boxOf(page.locator('.tree-view'))]
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
  await keysZoom(page)
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Search your network' })).toBeFocused()
  await page.keyboard.type('cira')
  await expect(page.getByRole('listbox').getByRole('option', { name: /Cira/ })).toBeVisible()
  await page.keyboard.press('Enter')
  const found = page.getByRole('complementary', { name: 'Details of Cira' })
  await expect(found).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(found).toHaveCount(0)

  await test.step('and back to the unilevel tree, where it is the same', () => unilevelByKeyboard(page))
})

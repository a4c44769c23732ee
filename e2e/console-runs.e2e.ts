/** Runs as operators read them after they were paid, and what would change, before anything does. Nothing here decides or moves the clock. */
import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { openAs, speak } from './fixture.ts'

test('a month of runs is gone through by the keyboard, and leads to what each run paid and why', async ({
  page,
}) => {
  await openAs(page, 'olga', '/operator/runs')
  const calendar = page.getByRole('table', { name: 'Calendario de ejecuciones' })
  const paid = calendar.getByRole('button', { name: /, pagado, \$/ })
  await expect(calendar.getByRole('button').first()).toBeVisible()
  // The demo's thirty days lie in this month and the one before.
  if ((await paid.count()) < 2) await page.getByRole('button', { name: 'Mes anterior' }).click()
  await paid.nth(1).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(paid.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(paid.first()).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page, 390, 1280)
  await page.locator('.run-calendar').getByRole('link', { name: 'Ganancia pasiva' }).click()

  await expect(page).toHaveURL(/\/operator\/runs\/\d+$/)
  await expect(page.getByText('Por regla y nivel')).toBeVisible()
  const items = page.getByRole('table', { name: 'Por miembro' })
  await items.getByRole('button', { name: 'Ver detalle' }).first().click()
  await expect(items.getByText(/÷ 30 =/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Los más altos' }).click()
  await expect(page).toHaveURL(/view=largest/)
  await expect(page.getByRole('table', { name: 'Los más altos' }).getByRole('link').first()).toBeVisible()
  await expectAccessible(page, 390, 1280)
})

test('a run is computed again by a press, and comes out the same', async ({ page }) => {
  await openAs(page, 'olga', '/operator/runs')
  const done = page.getByRole('row').filter({ hasText: 'Ganancia pasiva' }).filter({ hasText: 'Terminada' })
  await done.getByRole('link').last().click()
  const replays = page.getByRole('region', { name: 'Calcular de nuevo y comparar' })
  await replays.getByRole('button', { name: 'Calcular de nuevo' }).click()
  await expect(replays.getByText('Igual, bit por bit')).toBeVisible()
  await expect(replays.getByText(/^La pidió olga, /)).toBeVisible()
  await speak(page, 'en')
  await expect(page.getByText('The same, bit for bit')).toBeVisible()
})

test('a lower rate says what it costs members before it is declared', async ({ page }) => {
  await openAs(page, 'olga', '/operator/rates')
  await page.getByLabel('Tasa del día').fill('0.25')
  await page.getByLabel('Motivo').fill('Una semana floja')
  const cost = page.getByRole('region', { name: 'Lo que cuesta a los miembros' })
  await expect(cost.getByText('Con la meta del plan, 0,333333 %')).toBeVisible()
  await expect(cost.getByRole('row').filter({ hasText: 'Desde $1.000,00' })).toBeVisible()
  await expectAccessible(page, 390, 1280)
  // Above the plan there is nothing to cost.
  await page.getByLabel('Tasa del día').fill('0.5')
  await expect(cost).toHaveCount(0)
})

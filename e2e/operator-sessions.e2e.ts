/** Sessions of operators end by themselves, and those of a member end by an operator. */
import { expect, test } from '@playwright/test'
import { register } from '../tools/testing/client.ts'
import { journeyDataDir } from '../tools/testing/journey-place.ts'
import { ageSession } from '../tools/testing/sessions.ts'
import { expectAccessible } from './axe.ts'
import { confirm } from './deciding.ts'
import { openAs, product, toast } from './fixture.ts'

test('an operator who did nothing for half an hour is led to the sign-in, which says why and leads back', async ({
  page,
}) => {
  await openAs(page, 'olga', '/operator/reserves')
  const access = String(await page.evaluate(() => sessionStorage.getItem('access')))
  await ageSession(journeyDataDir, access, { started: 60, acted: 31 })
  // The page asks for its figures by itself, and is told.
  await expect(toast(page, 'Tu sesión terminó tras 30 minutos sin uso.')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/login\/\?next=%2Foperator/)
  // A page that is opened afterwards says so, too.
  await openAs(page, 'olga', '/dashboard')
  const later = String(await page.evaluate(() => sessionStorage.getItem('access')))
  // No page is open meanwhile that could be told first.
  await page.goto('about:blank')
  await ageSession(journeyDataDir, later, { started: 481, acted: 1 })
  await page.goto('/operator/runs')
  await expect(toast(page, 'Tu sesión terminó: dura 8 horas.')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/login\/\?next=%2Foperator%2Fruns/)
})

test('an operator sees the own sessions marked, and ends those of a member with a code', async ({
  page,
  browser,
}) => {
  const member = await register(product.url)
  const phone = await browser.newPage()
  await openAs(phone, member)
  await member.post('support/messages/', { text: 'Perdí mi teléfono.' })

  await openAs(page, 'olga', '/security')
  await expect(
    page.getByText('Las sesiones de operadores terminan a las 8 horas', { exact: false }),
  ).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Este dispositivo' })).toContainText('Operador')

  await page.goto('/operator/support')
  await page.getByRole('link', { name: member.username }).click()
  await page.getByRole('button', { name: 'Cerrar sesiones' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cerrar sesiones' }).click()
  await expect(dialog.getByText('Di por qué')).toBeVisible()
  await dialog.getByLabel('Por qué').fill('Perdió el teléfono.')
  await dialog.getByRole('button', { name: 'Cerrar sesiones' }).click()
  await confirm(page)
  await expect(toast(page, 'Cerramos las sesiones del miembro')).toBeVisible()

  // The page hears of it by itself.
  await expect(phone).toHaveURL(/\/auth\/login/)
  await phone.close()
})

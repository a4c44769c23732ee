import { expect, test } from '@playwright/test'
import { everyFault } from './axe.ts'
import { enterPassword, openAs, operatorsCode, signOut } from './fixture.ts'

test('an operator signs in with a code, once each, and the password alone opens nothing', async ({
  page,
}) => {
  await page.goto('/auth/otp')
  await page.waitForURL('**/auth/login/**')
  await enterPassword(page, 'omar')
  await page.waitForURL('**/auth/otp**')
  expect(await page.evaluate('sessionStorage.getItem("access")')).toBeNull()

  const field = page.getByLabel('Código')
  await field.fill('000000')
  await expect(page.getByText('El código no es correcto o ya se usó', { exact: false })).toBeVisible()
  await expect(field).toHaveValue('000000')
  await page.reload()
  const code = await operatorsCode('omar')
  // As an app shows it, and as a message would be pasted.
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await page.waitForURL('**/dashboard**')
  await signOut(page)

  await enterPassword(page, 'omar')
  await page.waitForURL('**/auth/otp**')
  await field.fill(code)
  await expect(page.getByText('ya se usó', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click()
  await page.getByLabel('Código de recuperación').fill('abcde-fghjk')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('ya se usó', { exact: false })).toBeVisible()
  await page.getByRole('link', { name: 'Volver a la contraseña' }).click()
  await expect(page.getByLabel('Correo o usuario')).toBeVisible()
})

test('a decision is confirmed with a fresh code: a wrong one changes nothing and keeps what was typed', async ({
  page,
}) => {
  await openAs(page, 'olga', '/operator/treasury')
  const pool = page.locator('.pool').first()
  const before = await pool.locator('.figure').textContent()
  const used = await operatorsCode('olga')
  const fund = async (into = pool) => {
    await into.getByLabel('Monto a agregar').fill('12.50')
    await into.getByLabel('Motivo').fill('Para mayo')
    await into.getByRole('button', { name: 'Proponer' }).click()
  }
  await fund()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Proponer $12,50 para el fondo de ganancias.')).toBeVisible()
  const field = dialog.getByLabel('Código de seis dígitos')
  await expect(field).toBeFocused()
  expect(await everyFault(page)).toEqual([])

  await dialog.getByRole('button', { name: 'Confirmar' }).click()
  await expect(dialog.getByText('Escribe los seis dígitos')).toBeVisible()
  await field.fill('000000')
  await dialog.getByRole('button', { name: 'Confirmar' }).click()
  await expect(dialog.getByText('El código no es correcto o ya se usó', { exact: false })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(pool.getByLabel('Monto a agregar')).toHaveValue('12.50')
  await expect(pool.locator('.figure')).toHaveText(before ?? '')

  await fund()
  await field.fill(used)
  await dialog.getByRole('button', { name: 'Confirmar' }).click()
  await expect(dialog).toBeHidden()
  await expect(pool.getByText('Espera aprobación')).toBeVisible()
  await expect(pool.locator('.figure')).toHaveText(before ?? '')

  await fund(page.locator('.pool').nth(1))
  await field.fill(used)
  await dialog.getByRole('button', { name: 'Confirmar' }).click()
  await expect(dialog.getByText('ya se usó', { exact: false })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // The console's styles stay loaded, and change nothing of a member's pages.
  await page.getByRole('button', { name: 'Tu cuenta: olga' }).click()
  await page.getByRole('menuitem', { name: 'Mis páginas de miembro' }).click()
  await expect(page.locator('.header')).toHaveCSS('height', '64px')
})

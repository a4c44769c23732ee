/** What operators confirm in the console. */
import { expect, type Page } from '@playwright/test'
import { codeOf } from '../tools/testing/one-time-code.ts'
import { operatorsCode } from './fixture.ts'

/**
 * Confirms what the console asks a code for. A code is good once, and another journey may have used this one meanwhile: then another is
 * entered.
 * @param who an operator of the demo by username, or what shows the code of another
 */
export async function confirm(page: Page, who: string | (() => Promise<string>) = 'olga'): Promise<void> {
  const field = page.getByLabel('Código de seis dígitos')
  // What asked for it lies behind, and goes a moment later.
  const dialog = page.getByRole('dialog').filter({ has: field })
  const refused = dialog.getByText('El código no es correcto o ya se usó.')
  await expect(async () => {
    await field.clear()
    await field.fill(await (typeof who === 'string' ? operatorsCode(who) : who()))
    await dialog.getByRole('button', { name: 'Confirmar' }).click()
    await expect.poll(async () => (await refused.isVisible()) || (await dialog.isHidden())).toBe(true)
    expect(await refused.isVisible()).toBe(false)
  }).toPass()
}

/** Sets the authenticator up that operators decide with, on a page that has its card. @returns its secret */
export async function turnOnCodes(page: Page, password: string): Promise<string> {
  const card = page.getByRole('region', { name: 'Verificación en dos pasos' })
  await card.getByRole('button', { name: 'Activar', exact: false }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Contraseña actual').fill(password)
  await dialog.getByRole('button', { name: 'Continuar', exact: true }).click()
  const secret = (await card.locator('.address .visually-hidden').textContent()) ?? ''
  await card.locator('input').fill(codeOf(secret))
  await card.getByRole('checkbox').check()
  await card.getByRole('button', { name: 'Listo' }).click()
  return secret
}

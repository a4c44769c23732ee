/** Members whose passkey alone moves their money. */
import { expect, type Locator, type Page } from '@playwright/test'
import { PASSWORD } from '../tools/testing/client.ts'
import { closed } from './fixture.ts'

export const keyCard = (page: Page): Locator =>
  page.getByRole('region', { name: 'Solo mi llave de acceso mueve dinero' })
const dialog = (page: Page): Locator => page.getByRole('dialog')

/** On the security page, by the page's authenticator. */
export async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Agregar llave de acceso' }).click()
  await dialog(page).getByLabel('Contraseña actual').fill(PASSWORD)
  await dialog(page).getByLabel('Nombre').fill(name)
  await dialog(page).getByRole('button', { name: 'Continuar' }).click()
  await closed(dialog(page))
}

/** From now on only this passkey moves money; it was added before, and is the only one. */
export async function switchOn(page: Page, name: string): Promise<void> {
  await keyCard(page).getByRole('button', { name: 'Activar' }).click()
  await dialog(page).getByRole('button', { name: 'Firmar con llave de acceso' }).click()
  await closed(dialog(page))
  await expect(keyCard(page).getByText(`Llave de acceso que mueve tu dinero: ${name}`)).toBeVisible()
}

/** Says that the key was lost, and which passkey is to take its place. */
export async function sayLost(page: Page, name: string): Promise<void> {
  await keyCard(page).getByRole('button', { name: 'Perdí mi llave de acceso' }).click()
  await dialog(page).getByLabel('Llave de acceso').selectOption({ label: name })
  await dialog(page).getByLabel('Contraseña actual').fill(PASSWORD)
  await dialog(page).getByRole('button', { name: 'Firmar con llave de acceso' }).click()
  await closed(dialog(page))
}

/** What every journey needs: the running product, and a person's hands. */
import { test as base, type Page } from '@playwright/test'
import { journeyDevnetUrl, journeyPassword, journeyUrl } from '../tools/testing/journey-place.ts'

export { expect } from '@playwright/test'

/** Where the product runs that all journeys share (playwright.config.ts starts it, with its demo network). */
export const test = base.extend<{ product: { readonly url: string; readonly devnetUrl: string } }>({
  product: async ({ browserName: _ }, use) => {
    await use({ url: journeyUrl, devnetUrl: journeyDevnetUrl })
  },
})

/** Signs in through the Spanish form. */
export async function signIn(
  page: Page,
  url: string,
  username: string,
  password = journeyPassword,
): Promise<void> {
  await page.goto(`${url}/auth/login/`)
  await page.getByLabel('Correo o usuario').fill(username)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await page.waitForURL('**/dashboard**')
}

/** Signs out through the user menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Tu cuenta' }).click()
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click()
  await page.waitForURL('**/auth/login**')
}

/** A figure of the dashboard, as a number of USD. */
export async function figure(page: Page, name: 'daily' | 'investment' | 'total'): Promise<string> {
  const text = (await page.locator(`[data-figure="${name}"]`).textContent()) ?? ''
  return text.replace(/[^\d.]/g, '')
}

/** What every journey needs: the running product, and a person's hands. */
import { test as base, type Page } from '@playwright/test'
import {
  journeyDataDir,
  journeyDevnetUrl,
  journeyPassword,
  journeyUrl,
} from '../tools/testing/journey-place.ts'
import { freshCode } from '../tools/testing/one-time-code.ts'

export { expect } from '@playwright/test'

/** Where the product runs that all journeys share (playwright.config.ts starts it, with its demo network). */
export const test = base.extend<{ product: { readonly url: string; readonly devnetUrl: string } }>({
  product: async ({ browserName: _ }, use) => {
    await use({ url: journeyUrl, devnetUrl: journeyDevnetUrl })
  },
})

/** A code that this operator of the demo can sign in or decide with now. */
export async function operatorsCode(username: string): Promise<string> {
  const code = await freshCode(journeyDataDir, username)
  if (code === null) throw new Error(`${username} has no two-factor`)
  return code
}

/** The first step of a sign-in, through the Spanish form. */
export async function enterPassword(
  page: Page,
  url: string,
  username: string,
  password = journeyPassword,
): Promise<void> {
  await page.goto(`${url}/auth/login/`)
  await page.getByLabel('Correo o usuario').fill(username)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
}

/** The second step of a sign-in: the last digit sends it. */
export async function enterCode(page: Page, username: string): Promise<void> {
  await page.waitForURL('**/auth/otp**')
  await page.getByLabel('Código').fill(await operatorsCode(username))
}

/** Signs in through the Spanish form; operators with their code. */
export async function signIn(
  page: Page,
  url: string,
  username: string,
  password = journeyPassword,
): Promise<void> {
  const isOperator = (await freshCode(journeyDataDir, username)) !== null
  await enterPassword(page, url, username, password)
  if (isOperator) await enterCode(page, username)
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

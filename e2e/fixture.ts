/** What every journey needs: the running product, and a person's hands. */
import { test as base, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from './config.ts'
import { createProduct } from './product.ts'

export { expect } from '@playwright/test'

/** One product with its demo network, started by whoever needs it first and shared by all journeys of the worker. */
export const test = base.extend<object, { product: { readonly url: string; readonly devnetUrl: string } }>({
  product: [
    async ({ browserName: _ }, use) => {
      const product = await createProduct({ DEMO_PASSWORD })
      try {
        await product.start()
        await use(product)
      } finally {
        await product.remove()
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

/** Signs in through the Spanish form. */
export async function signIn(
  page: Page,
  url: string,
  username: string,
  password = DEMO_PASSWORD,
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

import { register } from '../tools/testing/client.ts'
import { expect, signIn, signOut, test } from './fixture.ts'

test('a visitor is sent to sign in and then to where they wanted to go, on this site alone', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/investment-history`)
  await page.waitForURL(/\/auth\/login\/?\?next=/)
  await page.getByLabel('Correo o usuario').fill('luis')
  await page.getByLabel('Contraseña', { exact: true }).fill('journey-password')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await page.waitForURL('**/investment-history')

  await page.evaluate('localStorage.clear()')
  await page.goto(`${product.url}/auth/login/?next=https://example.com/steal`)
  await page.getByLabel('Correo o usuario').fill('luis')
  await page.getByLabel('Contraseña', { exact: true }).fill('journey-password')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await page.waitForURL(`${product.url}/dashboard`)
})

const BEHIND_THE_SIGN_IN = [
  '/dashboard',
  '/profile',
  '/security',
  '/withdrawals',
  '/network-marketing',
  '/referrals',
  '/payments',
  '/investment-history',
]

test('every page of members sends a visitor to sign in, as the root does, and whoever signs out is one', async ({
  page,
  product,
}) => {
  for (const path of BEHIND_THE_SIGN_IN) {
    await page.goto(`${product.url}${path}`)
    await page.waitForURL(`${product.url}/auth/login/?next=${encodeURIComponent(path)}`)
  }
  await page.goto(product.url)
  await page.waitForURL(`${product.url}/auth/login/`)

  await signIn(page, product.url, 'luis')
  await page.goto(product.url)
  await page.waitForURL(`${product.url}/dashboard`)
  await page.evaluate("localStorage.setItem('something', 'of another')")
  await page.getByRole('button', { name: 'Tu cuenta' }).click()
  const head = page.locator('.user-head')
  await expect(head.locator('.avatar')).toBeVisible()
  await expect(head).toContainText('luis')
  await expect(head).toContainText('luis@demo.aval.example')
  await page.keyboard.press('Escape')
  await signOut(page)
  expect(new URL(page.url()).search).toBe('')
  expect(await page.evaluate<string | null>("localStorage.getItem('something')")).toBeNull()
  expect(await page.evaluate<string | null>("localStorage.getItem('refresh')")).toBeNull()
})

test('a wrong password says so, in either language, and keeps what was typed', async ({ page, product }) => {
  await page.goto(`${product.url}/auth/login/`)
  await page.getByLabel('Correo o usuario').fill('luis')
  await page.getByLabel('Contraseña', { exact: true }).fill('not-it-at-all')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page.getByText('El usuario o la contraseña no son correctos', { exact: false })).toBeVisible()
  await expect(page.getByLabel('Correo o usuario')).toHaveValue('luis')
  await page.evaluate("localStorage.setItem('language', 'en')")
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.locator('input').first().fill('luis')
  await page.locator('input[type="password"]').fill('not-it-at-all')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/username or password/i).first()).toBeVisible()
})

test('the balance pays for an investment at once', async ({ page, product }) => {
  await signIn(page, product.url, 'ana')
  const before = await page.locator('[data-figure="investment"]').textContent()
  await page.getByRole('button', { name: 'Invertir ahora' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Invertir', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.locator('[data-figure="investment"]')).not.toHaveText(before ?? '')
})

test('a member is no operator: neither the page nor the calls', async ({ page, product }) => {
  await signIn(page, product.url, 'luis')
  await expect(page.getByRole('link', { name: 'Operación' })).toHaveCount(0)
  await page.goto(`${product.url}/operator`)
  await expect(page.getByRole('heading', { name: 'Página no encontrada' })).toBeVisible()
  const member = await register(product.url)
  expect((await member.get('operator/overview/')).status).toBe(403)
})

test('the dashboard of a busy member fits a laptop without scrolling', async ({ page, product }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, product.url, 'ana')
  await expect(page.locator('[data-figure="total"]')).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBe(800)
})

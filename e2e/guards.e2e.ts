import { expect, test } from '@playwright/test'
import { register } from '../tools/testing/client.ts'
import { amend, enterPassword, fillSignIn, openAs, product, signOut, speak } from './fixture.ts'

test('a visitor is sent to sign in and then to where they wanted to go, on this site alone', async ({
  page,
}) => {
  await page.goto('/investment-history')
  await page.waitForURL(/\/auth\/login\/?\?next=/)
  await fillSignIn(page, 'luis')
  await page.waitForURL('**/investment-history')

  await page.evaluate('localStorage.clear()')
  await page.goto('/auth/login/?next=https://example.com/steal')
  await fillSignIn(page, 'luis')
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

test('every page of members sends a visitor to sign in, as the root does, and a member who signs out is one', async ({
  page,
}) => {
  for (const path of BEHIND_THE_SIGN_IN) {
    await page.goto(path)
    await page.waitForURL(`${product.url}/auth/login/?next=${encodeURIComponent(path)}`)
  }
  await page.goto('/')
  await page.waitForURL(`${product.url}/auth/login/`)

  await openAs(page, 'luis', '/')
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
  expect(await page.evaluate<string | null>("sessionStorage.getItem('access')")).toBeNull()
})

test('a wrong password says so, in either language, and keeps what was typed', async ({ page }) => {
  await enterPassword(page, 'luis', 'not-it-at-all')
  await expect(page.getByText('El usuario o la contraseña no son correctos', { exact: false })).toBeVisible()
  await expect(page.getByLabel('Correo o usuario')).toHaveValue('luis')
  await speak(page, 'en')
  await page.locator('input').first().fill('luis')
  await page.locator('input[type="password"]').fill('not-it-at-all')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText(/username or password/i).first()).toBeVisible()
})

test('the dashboard of a busy member fits a laptop, and the balance pays for an investment at once', async ({
  page,
}) => {
  // Another journey holds a run meanwhile, of which hers waits for funds; that says one line more.
  await amend(page, '**/api/core/dashboard/', { awaiting_funding: 0, in_review: 0 })
  await openAs(page, 'ana')
  // The tallest that it gets: with the steps that she has left, and all that comes after the first screen.
  await amend(page, '**/api/auth/user/', { email_proven: false, usdt_wallet: '', two_factor: false })
  await page.reload()
  await expect(page.getByText('Te falta:').first()).toBeVisible()
  await expect(page.locator('.recent-line').last()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Avanzar un día' })).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBe(800)
  const before = await page.locator('[data-figure="investment"]').textContent()
  await page.getByRole('button', { name: 'Invertir ahora' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Invertir', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.locator('[data-figure="investment"]')).not.toHaveText(before ?? '')
})

test('a member is no operator: neither the page nor the calls', async ({ page }) => {
  await openAs(page, 'luis', '/operator')
  await expect(page.getByRole('heading', { name: 'Página no encontrada' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Operación' })).toHaveCount(0)
  const member = await register(product.url)
  expect((await member.get('operator/today/')).status).toBe(403)
})

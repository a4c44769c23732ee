import type { Page } from '@playwright/test'
import { axeFaults, overflow, wear } from './axe.ts'
import { enterCode, enterPassword, expect, test } from './fixture.ts'

const PATHS = [
  'dashboard',
  'payments',
  'payments?tab=binary',
  'payments?tab=points',
  'payments?tab=not-paid',
  'investment-history',
  'withdrawals',
  'referrals',
  'network-marketing',
  'profile',
  'security',
  'operator',
  'operator?tab=overview',
  'operator?tab=reserves',
  'operator?tab=runs',
  'operator?tab=rates',
  'operator?tab=plan',
  'operator?tab=investments',
  'auth/forgot-password',
  'auth/reset-password?email=ana%40example.com',
  'operator?tab=support',
  'auth/not-me/a-link',
  'nowhere',
] as const

/** Both themes on a laptop and on a phone: the page is not loaded anew between them. */
const LOOKS = [
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 1280 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
] as const

/** What axe finds in each look, and by how much it is too wide. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const { theme, width } of LOOKS) {
    await page.setViewportSize({ width, height: 844 })
    await wear(page, theme)
    found.push(...(await axeFaults(page)).map((fault) => `${theme}, ${width}: ${fault}`))
    const over = await overflow(page)
    if (over > 0) found.push(`${width}: ${over} px too wide`)
  }
  return found
}

test('axe finds nothing before the sign-in', async ({ page, product }) => {
  await page.goto(`${product.url}/auth/login/`)
  expect(await faults(page)).toEqual([])
  await page.goto(`${product.url}/auth/register/0`)
  await expect(page.getByRole('button', { name: 'Crear cuenta' })).toBeVisible()
  expect(await faults(page)).toEqual([])
})

test('axe finds nothing on any page behind it', async ({ page, product }) => {
  // Four looks at each page, each of which had as long by itself.
  test.setTimeout(960_000)
  await enterPassword(page, product.url, 'olga')
  await expect(page.getByLabel('Código')).toBeFocused()
  expect(await faults(page)).toEqual([])
  await enterCode(page, 'olga')
  await page.waitForURL('**/dashboard**')
  for (const path of PATHS) {
    await page.goto(`${product.url}/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect([path, await faults(page)]).toEqual([path, []])
  }
  await page.goto(`${product.url}/dashboard`)
  await page.getByRole('button', { name: 'Invertir ahora' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await faults(page)).toEqual([])
})

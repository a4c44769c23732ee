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
  'auth/not-me/a-link',
  'nowhere',
] as const

for (const theme of ['dark', 'light'] as const) {
  for (const width of [390, 1280]) {
    test(`axe finds nothing in the ${theme} theme at ${width} pixels`, async ({ page, product }) => {
      test.setTimeout(240_000)
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${product.url}/auth/login/`)
      await wear(page, theme)
      expect(await axeFaults(page)).toEqual([])
      await page.goto(`${product.url}/auth/register/0`)
      await expect(page.getByRole('button', { name: 'Crear cuenta' })).toBeVisible()
      expect(await axeFaults(page)).toEqual([])
      await enterPassword(page, product.url, 'olga')
      await expect(page.getByLabel('Código')).toBeFocused()
      expect(await axeFaults(page)).toEqual([])
      await enterCode(page, 'olga')
      await page.waitForURL('**/dashboard**')
      for (const path of PATHS) {
        await page.goto(`${product.url}/${path}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        expect([path, await axeFaults(page)]).toEqual([path, []])
        expect([path, await overflow(page)]).toEqual([path, 0])
      }
      await page.goto(`${product.url}/dashboard`)
      await page.getByRole('button', { name: 'Invertir ahora' }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await axeFaults(page)).toEqual([])
    })
  }
}

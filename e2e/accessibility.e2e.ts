import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { enterCode, enterPassword, expect, test } from './fixture.ts'

/** Every rule of WCAG 2.2 A and AA that axe knows. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const PATHS = [
  'dashboard',
  'payments',
  'payments?tab=binary',
  'payments?tab=points',
  'payments?tab=not-paid',
  'investment-history',
  'profile',
  'operator',
  'operator?tab=runs',
  'operator?tab=rates',
  'operator?tab=plan',
  'operator?tab=investments',
  'auth/not-me/a-link',
  'nowhere',
] as const

/** Pixels by which the page is wider than its window. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

async function wear(page: Page, theme: 'dark' | 'light'): Promise<void> {
  const worn = await page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
  if (!worn.includes(theme))
    await page
      .getByRole('button', { name: theme === 'light' ? 'Usar tema claro' : 'Usar tema oscuro' })
      .click()
}

for (const theme of ['dark', 'light'] as const) {
  for (const width of [390, 1280]) {
    test(`axe finds nothing in the ${theme} theme at ${width} pixels`, async ({ page, product }) => {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${product.url}/auth/login/`)
      await wear(page, theme)
      expect(await faults(page)).toEqual([])
      await page.goto(`${product.url}/auth/register/0`)
      await expect(page.getByRole('button', { name: 'Crear cuenta' })).toBeVisible()
      expect(await faults(page)).toEqual([])
      await enterPassword(page, product.url, 'olga')
      await expect(page.getByLabel('Código')).toBeFocused()
      expect(await faults(page)).toEqual([])
      await enterCode(page, 'olga')
      await page.waitForURL('**/dashboard**')
      for (const path of PATHS) {
        await page.goto(`${product.url}/${path}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        expect([path, await faults(page)]).toEqual([path, []])
        const overflow = await page.evaluate<number>(OVERFLOW)
        expect([path, overflow]).toEqual([path, 0])
      }
      await page.goto(`${product.url}/dashboard`)
      await page.getByRole('button', { name: 'Invertir ahora' }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await faults(page)).toEqual([])
    })
  }
}

import type { Page } from '@playwright/test'
import { axeFaults, colorFaults, overflow, type Theme, wear, wearLook } from './axe.ts'
import { inEnglish } from './english.ts'
import { enterCode, enterPassword, expect, signIn, test } from './fixture.ts'

const OF_VISITORS = [
  'auth/register/0',
  'auth/forgot-password',
  'auth/reset-password?email=ana%40example.com',
  'auth/not-me/a-link',
  'error-pages/server-error',
  'error-pages/not-authorized',
  'error-pages/comming-soon',
  'error-pages/under-maintenance',
  'nowhere',
  'offline.html',
] as const

const OF_MEMBERS = [
  'dashboard',
  'payments',
  'payments?tab=passive',
  'payments?tab=binary',
  'payments?tab=points',
  'payments?tab=not-paid',
  'investment-history',
  'withdrawals',
  'referrals',
  'network-marketing',
  'network-marketing?view=binary',
  'profile',
  'security',
] as const

const OF_OPERATORS = [
  'operator',
  'operator?tab=overview',
  'operator?tab=reserves',
  'operator?tab=runs',
  'operator?tab=rates',
  'operator?tab=plan',
  'operator?tab=investments',
  'operator?tab=support',
] as const

/** Each page in Spanish on a laptop, then in English on a phone; in both themes without being loaded anew. */
const PASSES = [
  { language: 'es', width: 1280, themes: ['dark', 'light'] },
  { language: 'en', width: 390, themes: ['light', 'dark'] },
] as const
type Pass = (typeof PASSES)[number]

/** What axe finds in the two themes of a pass, and by how much the page is too wide. */
async function faults(page: Page, { width, themes }: Pass): Promise<string[]> {
  const found: string[] = []
  for (const theme of themes) {
    await page.setViewportSize({ width, height: 844 })
    await wear(page, theme)
    found.push(...(await axeFaults(page)).map((fault) => `${theme}, ${width}: ${fault}`))
    const over = await overflow(page)
    if (over > 0) found.push(`${width}: ${over} px too wide`)
  }
  return found
}

/** One page in all four looks. */
async function faultsOfAll(page: Page): Promise<string[]> {
  return [...(await faults(page, PASSES[0])), ...(await faults(page, PASSES[1]))]
}

/** Loads each page, waits for all that it shows, and looks at it. */
async function lookThrough(page: Page, url: string, paths: readonly string[], pass: Pass): Promise<void> {
  for (const path of paths) {
    await page.setViewportSize({ width: pass.width, height: 844 })
    await page.goto(`${url}/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    expect([path, await faults(page, pass)]).toEqual([path, []])
  }
}

// A colour on its way to another one is neither.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('axe finds nothing on any page of visitors, error pages and the offline page included', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/auth/login/`)
  expect(await faultsOfAll(page)).toEqual([])
  for (const pass of PASSES) {
    if (pass.language === 'en') await inEnglish(page)
    await lookThrough(page, product.url, OF_VISITORS, pass)
    await page.goto(`${product.url}/auth/login/`)
  }
})

test('axe finds nothing on any page of a member who invests', async ({ page, product }) => {
  test.setTimeout(480_000)
  await signIn(page, product.url, 'ana')
  for (const pass of PASSES) {
    if (pass.language === 'en') await inEnglish(page)
    await lookThrough(page, product.url, OF_MEMBERS, pass)
  }
  await page.goto(`${product.url}/dashboard`)
  await page.getByRole('button', { name: 'Invest now' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await faultsOfAll(page)).toEqual([])
})

/** The one that pages begin with is looked at above. */
const OTHER_COLORS = ['secondary', 'success', 'warning', 'info', 'danger']
const THEMES: readonly Theme[] = ['light', 'dark']

/** Every page wears every colour, each in the theme that the page before did not; the dashboard wears all in both (looks). */
test('no colour of the look leaves a page of members without contrast', async ({ page, product }) => {
  test.setTimeout(480_000)
  await signIn(page, product.url, 'ana')
  for (const [at, path] of OF_MEMBERS.slice(1).entries()) {
    await page.goto(`${product.url}/${path}`)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    for (const [nth, color] of OTHER_COLORS.entries()) {
      const theme = THEMES[(at + nth) % 2] ?? 'light'
      await wearLook(page, { 'color-scheme': theme, theme: color })
      expect([path, theme, color, await colorFaults(page)]).toEqual([path, theme, color, []])
    }
  }
})

test('axe finds nothing on any page of operators', async ({ page, product }) => {
  test.setTimeout(480_000)
  await enterPassword(page, product.url, 'olga')
  await expect(page.getByLabel('Código')).toBeFocused()
  expect(await faultsOfAll(page)).toEqual([])
  await enterCode(page, 'olga')
  await page.waitForURL('**/dashboard**')
  for (const pass of PASSES) {
    if (pass.language === 'en') await inEnglish(page)
    // Without investments, the dashboard is another one.
    await lookThrough(page, product.url, ['dashboard', ...OF_OPERATORS], pass)
  }
})

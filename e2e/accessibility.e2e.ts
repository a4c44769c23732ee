import { colorFaults, type Theme, wearLook } from './axe.ts'
import { inEnglish } from './english.ts'
import { expect, signIn, test } from './fixture.ts'
import { faultsOfAll, lookThrough, PASSES } from './looking.ts'

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

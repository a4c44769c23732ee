import { expect, type Page, test } from '@playwright/test'
import { colorFaults, expectAccessible, setLook } from './axe.ts'
import {
  enterCode,
  enterPassword,
  openAs,
  openIn,
  speak,
  watchPolicy,
  wholePage,
  withoutStream,
} from './fixture.ts'

const OF_VISITORS = [
  'auth/login/',
  'auth/register/0',
  'auth/forgot-password',
  'auth/reset-password?email=ana%40example.com',
  `auth/reset-password#${'x'.repeat(43)}`,
  'auth/not-me#a-link',
  'error-pages/server-error',
  'error-pages/not-authorized',
  'error-pages/comming-soon',
  'error-pages/under-maintenance',
  'nowhere',
  'offline.html',
]

const OF_MEMBERS = [
  'dashboard',
  'payments',
  'payments?tab=passive',
  'payments?tab=all',
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
]

const OF_OPERATORS = [
  // Without investments, the dashboard is another one.
  'dashboard',
  'operator',
  'operator/members',
  'operator/members/2',
  'operator/members/2?tab=network',
  'operator/withdrawals',
  'operator/deposits',
  'operator/treasury',
  'operator/reserves',
  'operator/runs',
  'operator/runs/1',
  'operator/rates',
  'operator/plan',
  'operator/investments',
  'operator/support',
  'operator/audit',
  'operator/operators',
]

/** Another page is opened as a link of the app does, which takes half as long as loading it. */
async function openWhole(page: Page, path: string): Promise<void> {
  await wholeFrame(page)
  const [was, title] = [new URL(page.url()).pathname, await page.title()]
  if (`${was} ${path}`.includes('.html') || path.startsWith(was.slice(1))) await page.goto(path)
  else {
    await page.evaluate(
      `history.pushState(null, '', '/${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await expect(page).not.toHaveTitle(title)
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await wholeFrame(page)
}

/** What floats over a page of members fades in once it is at rest. */
async function wholeFrame(page: Page): Promise<void> {
  if (await page.locator('.shell').isVisible()) await expect(page.locator('.chat-button')).toBeVisible()
}

/**
 * Each page in Spanish on a laptop, then in English on a phone; in both themes without being loaded again. None asks another
 * origin for anything, or needs what the policy stops.
 */
async function checkPages(page: Page, paths: readonly string[]): Promise<void> {
  const stopped = await watchPolicy(page.context())
  for (const [language, width] of [
    ['es', 1280],
    ['en', 390],
  ] as const) {
    if (language === 'en') {
      await speak(page, 'en')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    for (const path of paths) {
      await page.setViewportSize({ width, height: 844 })
      await openWhole(page, path)
      await expectAccessible(page)
      expect([path, stopped]).toEqual([path, []])
    }
  }
}

test('axe finds nothing on any page of visitors, error pages and the offline page included', async ({
  page,
}) => {
  await openIn(page, 'es', '/auth/login/')
  await checkPages(page, OF_VISITORS)
})

test('axe finds nothing on any page of a member who invests', async ({ page }) => {
  await openAs(page, 'ana')
  await checkPages(page, OF_MEMBERS)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Invest now' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 1280, 390)
})

/** The one that pages begin with is checked above. */
const OTHER_COLORS = ['secondary', 'success', 'warning', 'info', 'danger']

/** Every page has every colour, each in the theme that the page before did not; the dashboard has all in both (looks). */
test('no colour of the look leaves a page of members without contrast', async ({ page }) => {
  await openAs(page, 'ana')
  for (const [at, path] of OF_MEMBERS.slice(1).entries()) {
    await openWhole(page, path)
    for (const [nth, color] of OTHER_COLORS.entries()) {
      const look = { 'color-scheme': (at + nth) % 2 === 0 ? 'light' : 'dark', theme: color }
      await setLook(page, look)
      expect([path, look, await colorFaults(page)]).toEqual([path, look, []])
    }
  }
})

test('axe finds nothing on any page of operators', async ({ page }) => {
  await withoutStream(page.context())
  await enterPassword(page, 'olga')
  await expect(page.getByLabel('Código')).toBeFocused()
  await expectAccessible(page, 1280, 390)
  await enterCode(page, 'olga')
  // From here on pages are opened by hand: not before the sign-in has led to one, with all that comes with it.
  await wholePage(page)
  await checkPages(page, OF_OPERATORS)
})

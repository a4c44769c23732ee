/** Every page there is, by who sees it. */
import { expect, type Page } from '@playwright/test'

export const OF_VISITORS = [
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

export const OF_MEMBERS = [
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

export const OF_OPERATORS = [
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
export async function openWhole(page: Page, path: string): Promise<void> {
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

import { expect, type Page, test } from '@playwright/test'
import { enterPassword, holdBack, openAs, wholePage, withoutStream } from './fixture.ts'

const REFRESH = '**/api/auth/token/refresh/'
/** The renewal was due an hour ago. */
const EXPIRE = "sessionStorage.setItem('renew_at', String(Date.now() - 3_600_000))"
const expire = (page: Page) => page.evaluate<void>(EXPIRE)
const accessOf = (page: Page) => page.evaluate<string | null>("sessionStorage.getItem('access')")
/** Calls of members alone: pages of visitors ask others, which never carry a token. */
const OF_MEMBERS = /\/api\/(payments|tree|plans|withdrawals|support|core\/dashboard|auth\/(user|security))/
const toPayments = (page: Page) => page.getByRole('link', { name: 'Pagos', exact: true }).first()
const openPayments = (page: Page) => toPayments(page).dispatchEvent('click')
/** With nothing under way that would itself renew: what floats over a page asks after the page does. */
const settled = async (page: Page) => {
  await expect(page.locator('[data-figure="total"]')).toBeVisible()
  await wholePage(page)
}

test.beforeEach(({ context }) => withoutStream(context))

test('two tabs whose tokens are due renew them once', async ({ page, context }) => {
  await openAs(page, 'luis')
  await settled(page)
  const other = await context.newPage()
  await other.goto('/dashboard')
  await settled(other)
  const before = await accessOf(page)
  const renewals: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/auth/token/refresh/')) renewals.push(request.url())
  })
  // One that begins by itself before both are due would be followed by another.
  const letGo = await holdBack(context, REFRESH)
  for (const tab of [page, other]) await expire(tab)
  await Promise.all([openPayments(page), openPayments(other)])
  await expect.poll(() => renewals.length).toBeGreaterThan(0)
  letGo()
  for (const tab of [page, other]) await expect(tab.getByRole('tab').first()).toBeVisible()
  await expect.poll(() => accessOf(page)).not.toBe(before)
  expect(renewals).toHaveLength(1)
  expect(await accessOf(other)).toBe(await accessOf(page))
  for (const tab of [page, other]) expect(new URL(tab.url()).pathname).toBe('/payments')
})

test('a renewal that is refused clears the tokens, says so in the console, and sends the call without one', async ({
  page,
}) => {
  await openAs(page, 'luis')
  await settled(page)
  await page.route(REFRESH, (route) => route.fulfill({ status: 500, json: 'no' }))
  const said = page.waitForEvent('console', (message) => message.text() === 'Network response was not ok')
  // Whichever call finds the renewal due: what floats over a page may be faster than the page.
  const sent = page.waitForRequest(
    (request) => OF_MEMBERS.test(request.url()) && request.headers()['authorization'] === undefined,
  )
  // At once: a call that comes between the two would be refused, and leave the page.
  await toPayments(page).evaluate(`(link) => { ${EXPIRE}; link.click() }`)
  await said
  await sent
  await page.waitForURL('**/auth/login**')
  expect(await accessOf(page)).toBeNull()
  expect(await page.evaluate<string | null>("localStorage.getItem('session')")).toBeNull()
})

test('a server that cannot be reached at start is said so, and signs nobody out', async ({ page }) => {
  await openAs(page, 'luis')
  await settled(page)
  const answered = Promise.withResolvers<void>()
  await page.route(REFRESH, async (route) => {
    await answered.promise
    await route.abort()
  })
  await page.reload()
  await expect(page.getByRole('status', { name: 'Aval' })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  answered.resolve()
  await expect(page.getByRole('heading', { name: 'Sin conexión con Aval' })).toBeVisible()
  await page.unroute(REFRESH)
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await settled(page)
})

/** What a page can find where it keeps things. */
const STORES = {
  'is forbidden': `Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('denied', 'SecurityError') } })`,
  'is full': `try { for (let size = 1 << 20; size > 0; size >>= 1)
    for (let i = 0; i < 8; i++) localStorage.setItem('filler' + size + i, 'x'.repeat(size)) } catch {}`,
  'holds junk': `for (const key of ['session', 'refresh', 'language', 'themeSettings'])
    if (sessionStorage.getItem('planted') === null)
      localStorage.setItem(key, '{"]\\u00f1\\u0000\\n' + 'x'.repeat(5000))
    sessionStorage.setItem('planted', '1')`,
}

for (const [what, script] of Object.entries(STORES)) {
  test(`a member signs in although the store ${what}, and changes the theme`, async ({ page }) => {
    const broken: string[] = []
    page.on('pageerror', (error) => broken.push(error.message))
    await page.addInitScript(script)
    await enterPassword(page, 'luis')
    await page.waitForURL('**/dashboard**')
    await settled(page)
    const html = page.locator('html')
    await expect(html).toHaveAttribute('data-color-scheme', 'dark')
    await page.getByRole('button', { name: 'Usar tema claro' }).click()
    await expect(html).toHaveAttribute('data-color-scheme', 'light')
    expect(broken).toEqual([])
  })
}

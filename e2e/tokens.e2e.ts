/** Where the browser keeps what a session lives by: a cookie that no script reads; on plain HTTP, where none is taken, the page. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test'
import { chromiumArguments, ensureChromium, unwantedArguments } from '../tools/chromium.ts'
import { journeyPassword } from '../tools/testing/journey-place.ts'
import { expectAccessible } from './axe.ts'
import { enterPassword, fillSignIn, openAs, product, signOut } from './fixture.ts'

const settled = (page: Page) => expect(page.locator('[data-figure="total"]')).toBeVisible()
const reload = async (page: Page) => {
  await page.reload()
  await settled(page)
}
const openPayments = (page: Page) =>
  page.getByRole('link', { name: 'Pagos', exact: true }).first().dispatchEvent('click')
/** The renewal was due an hour ago. */
const expire = (page: Page) =>
  page.evaluate<void>("sessionStorage.setItem('renew_at', String(Date.now() - 3_600_000))")
/** Everything that a script of the page can read. */
const readable = (page: Page) =>
  page.evaluate<string>('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })')
const sessionCookies = async (context: BrowserContext) =>
  (await context.cookies()).filter(({ name }) => name.startsWith('__Host-aval-session-'))
const head = async (page: Page, username: string) => {
  await page.getByRole('button', { name: 'Tu cuenta' }).click()
  await expect(page.locator('.user-head')).toContainText(username)
  await page.keyboard.press('Escape')
}

test('a member signs in, and no script can read what renews the session; it outlives a reload', async ({
  page,
  context,
}) => {
  const answered = page.waitForResponse('**/api/auth/token/')
  await enterPassword(page, 'luis')
  expect(Object.keys((await (await answered).json()) as object)).toEqual(['access'])
  await page.waitForURL('**/dashboard**')
  await settled(page)
  const [cookie, ...more] = await sessionCookies(context)
  expect(more).toEqual([])
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' })
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(86_000)
  expect(await readable(page)).not.toContain(cookie?.value)
  expect(await readable(page)).not.toMatch(/refresh|__Host-/)
  await reload(page)
  const [next] = await sessionCookies(context)
  expect(next?.value).not.toBe(cookie?.value)
  await signOut(page)
  expect(await sessionCookies(context)).toEqual([])
  expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
})

test('two tabs follow each other: out, in again, and in as somebody else', async ({ page, context }) => {
  await openAs(page, 'luis')
  await settled(page)
  const other = await context.newPage()
  await other.goto('/payments')
  await expect(other.getByRole('tab').first()).toBeVisible()

  await signOut(page)
  await other.waitForURL('**/auth/login/?next=%2Fpayments')
  await fillSignIn(page, 'ana')
  await page.waitForURL('**/dashboard**')
  await other.waitForURL('**/payments')
  await head(other, 'ana')
  for (const tab of [page, other]) {
    await expire(tab)
    await tab.goto('/dashboard')
    await settled(tab)
  }
  await head(page, 'ana')
})

test('a restart of the browser signs nobody out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aval-browser-'))
  const open = async () =>
    chromium.launchPersistentContext(folder, {
      executablePath: await ensureChromium(),
      args: chromiumArguments,
      ignoreDefaultArgs: unwantedArguments(),
      baseURL: product.url,
      serviceWorkers: 'block',
    })
  try {
    const first = await open()
    const page = await first.newPage()
    await enterPassword(page, 'luis')
    await page.waitForURL('**/dashboard**')
    await settled(page)
    await first.close()
    const second = await open()
    const again = await second.newPage()
    await again.goto('/')
    await again.waitForURL('**/dashboard**')
    await settled(again)
    await second.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a laptop that wakes renews and goes on; one that slept too long signs in and comes back', async ({
  page,
  context,
}) => {
  await openAs(page, 'luis')
  await settled(page)
  const before = await sessionCookies(context)
  // The access token has expired: the server takes it no more, and the renewal is due.
  await page.evaluate("sessionStorage.setItem('access', 'expired.expired.expired')")
  await expire(page)
  await openPayments(page)
  await expect(page.getByRole('tab').first()).toBeVisible()
  await expect.poll(() => sessionCookies(context)).not.toEqual(before)

  // After a day the browser drops the cookie by itself.
  // No page of the app is open meanwhile, whose calls could find the renewal due first.
  await page.goto('/favicon.svg')
  await expire(page)
  await context.clearCookies()
  await page.goto('/withdrawals')
  await page.waitForURL('**/auth/login/?next=%2Fwithdrawals')
  expect(await page.evaluate<string | null>("sessionStorage.getItem('access')")).toBeNull()
  await fillSignIn(page, 'luis')
  await page.waitForURL('**/withdrawals')
})

test('a page that comes back out of the browser’s memory looks whether its member is still signed in', async ({
  page,
}) => {
  await openAs(page, 'luis', '/payments')
  await expect(page.getByRole('tab').first()).toBeVisible()
  // The page itself hears nothing of its own changes, as one hears nothing in the browser's memory.
  await page.evaluate(`localStorage.removeItem('session')
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
  await page.waitForURL('**/auth/login/?next=%2Fpayments')
})

test('a sign-out that does not reach the server is made up for at the next start', async ({
  page,
  context,
}) => {
  await openAs(page, 'luis')
  await settled(page)
  const LOGOUT = '**/api/auth/logout/'
  await page.route(LOGOUT, (route) => route.abort())
  await signOut(page)
  // The server could not remove the cookie, and no script can.
  expect(await sessionCookies(context)).toHaveLength(1)
  await page.goto('/dashboard')
  await page.waitForURL('**/auth/login/**')
  await page.unroute(LOGOUT)
  await page.goto('/dashboard')
  await page.waitForURL('**/auth/login/**')
  await expect.poll(() => sessionCookies(context)).toEqual([])
  expect(await page.evaluate('localStorage.length')).toBe(0)
})

test('a page at another port of the same machine, whose calls carry the cookie, can do nothing with it', async ({
  page,
  context,
}) => {
  await openAs(page, 'luis')
  await settled(page)
  const [cookie] = await sessionCookies(context)
  const neighbour = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>neighbour</title>')
  })
  await new Promise<void>((resolve) => {
    neighbour.listen(0, 'localhost', resolve)
  })
  try {
    const theirs = await context.newPage()
    await theirs.goto(`http://localhost:${(neighbour.address() as AddressInfo).port}/`)
    const outcomes = await theirs.evaluate(async (api) => {
      const post = (path: string, init: RequestInit) =>
        fetch(`${api}/api/auth/${path}`, { method: 'POST', credentials: 'include', ...init }).then(
          () => 'answered',
          () => 'kept from the page',
        )
      const headers = { 'Aval-App': 'web' }
      return [
        await post('token/refresh/', { mode: 'no-cors' }),
        await post('token/refresh/', { headers }),
        await post('logout/', { headers }),
        await post('logout/', { mode: 'no-cors' }),
        await post('token/refresh/', { mode: 'no-cors', headers }),
      ]
    }, product.url)
    expect(new Set(outcomes)).toEqual(new Set(['kept from the page']))
    await theirs.setContent(`<form method="post" enctype="text/plain" action="${product.url}/api/auth/logout/">
      <input name='{"refresh":null,"x":"' value='"}'></form>`)
    const posted = theirs.waitForResponse('**/api/auth/logout/')
    await theirs.evaluate('document.forms[0].submit()')
    // It is the same site, so the browser does send the cookie.
    expect((await (await posted).request().allHeaders())['cookie']).toContain(cookie?.value)
    expect(await sessionCookies(context)).toEqual([cookie])
    await reload(page)
  } finally {
    neighbour.close()
  }
})

test('on plain HTTP away from this machine the page keeps its tokens itself, and says that the connection is not encrypted', async () => {
  const { port } = new URL(product.url)
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: [...chromiumArguments, '--host-resolver-rules=MAP aval.test 127.0.0.1'],
    ignoreDefaultArgs: unwantedArguments(),
  })
  try {
    const context = await browser.newContext({ baseURL: `http://aval.test:${port}`, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto('/auth/login/')
    await expect(page.getByText('Esta conexión no está cifrada', { exact: false })).toBeVisible()
    await expectAccessible(page, 390, 1280)
    const answered = page.waitForResponse('**/api/auth/token/')
    await fillSignIn(page, 'luis', journeyPassword)
    expect(Object.keys((await (await answered).json()) as object)).toEqual(['access', 'refresh'])
    await page.waitForURL('**/dashboard**')
    await settled(page)
    expect(await sessionCookies(context)).toEqual([])
    const refresh = () => page.evaluate<string | null>("localStorage.getItem('refresh')")
    const first = await refresh()
    expect(first).toMatch(/^[\w-]{43}$/)
    for (let turn = 0; turn < 2; turn += 1) await reload(page)
    expect(await refresh()).not.toBe(first)
    await signOut(page)
    expect(await refresh()).toBeNull()
    await page.evaluate("localStorage.setItem('language', 'en')")
    await page.reload()
    await expect(page.getByText('This connection is not encrypted', { exact: false })).toBeVisible()
  } finally {
    await browser.close()
  }
})

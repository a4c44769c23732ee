/** Bytes and requests of the first pages on a phone: figures that are the same on any machine. How fast: `npm run bench -- pages`. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { type Lab, openLab } from '../bench/lighthouse.ts'
import { everyFault } from './axe.ts'
import { amend, holdBack, LAPTOP, openAs, PHONE, product, speak } from './fixture.ts'

/** Bytes as they travel (gzip), and requests of all kinds: 14 and 22 when this was written. */
const BUDGETS = {
  signIn: { script: 130_000, style: 25_000, requests: 18 },
  dashboard: { script: 150_000, style: 25_000, requests: 28 },
} as const

interface Arrival {
  readonly script: number
  readonly style: number
  readonly requests: readonly string[]
  /** Sum of the layout shifts, as Chromium counts them. */
  readonly shift: number
}

test.use({ viewport: PHONE })

/** Opens the address with an empty cache and counts until the page is at rest. */
async function arrive(
  context: BrowserContext,
  url: string,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<{ page: Page; arrival: Arrival }> {
  const page = await context.newPage()
  await prepare(page)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  const asked = new Map<string, { url: string; type: string }>()
  const bytes = new Map<string, number>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other' }) => {
    if (!request.url.startsWith('data:')) asked.set(requestId, { url: request.url, type })
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.set(requestId, encodedDataLength)
  })
  // What a page loads ahead once it has been at rest for a while is no part of its arrival, however long that takes here.
  await page.addInitScript(`
    const { setTimeout } = window
    window.setTimeout = (work, ms, ...given) => (ms >= 1000 ? 0 : setTimeout(work, ms, ...given))
    window.layoutShift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  await page.goto(url, { waitUntil: 'networkidle' })
  await expect(page.locator('h1').first()).toBeVisible()
  const bytesOf = (kind: string) =>
    [...asked].reduce((total, [id, { type }]) => total + (type === kind ? (bytes.get(id) ?? 0) : 0), 0)
  const arrival = {
    script: bytesOf('Script'),
    // The first style sheets are in the page.
    style: bytesOf('Stylesheet') + bytesOf('Document'),
    requests: [...asked.values()].map((one) => one.url),
    shift: await page.evaluate<number>('window.layoutShift'),
  }
  return { page, arrival }
}

function keepsBudget(name: keyof typeof BUDGETS, { script, style, requests, shift }: Arrival, own: string) {
  const budget = BUDGETS[name]
  process.stdout.write(
    `${name}: ${requests.length} requests, ${(script / 1000).toFixed(1)} kB JavaScript, ${(style / 1000).toFixed(1)} kB page and CSS, layout shift ${shift.toFixed(3)}\n`,
  )
  expect(script).toBeGreaterThan(0)
  expect(script).toBeLessThanOrEqual(budget.script)
  expect(style).toBeLessThanOrEqual(budget.style)
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(budget.requests)
  expect(requests.filter((url) => new URL(url).origin !== own)).toEqual([])
  expect(shift).toBeLessThanOrEqual(0.02)
}

let lab: Lab
test.beforeAll(async () => {
  lab = await openLab()
})
test.afterAll(() => lab.close())

/** The answers come in any order: this one draws the most before it is known who the member is. */
async function figuresFirst(page: Page): Promise<void> {
  const letGo = await holdBack(page, '**/api/auth/user/')
  void page.locator('.holdings .money').first().waitFor().then(letGo)
}

/** Lighthouse's audits that depend on no clock. */
async function isWhole(url: string): Promise<void> {
  const visit = await lab.visit(url, ['accessibility', 'best-practices'])
  const { scores, remarks } = visit ?? { scores: null, remarks: ['the visit was not recorded'] }
  expect(scores, remarks.join('\n')).toEqual({ performance: null, accessibility: 100, 'best-practices': 100 })
}

test('the sign-in page is small, steady and whole on a phone', async ({ context }) => {
  const url = `${product.url}/auth/login/`
  const { page, arrival } = await arrive(context, url)
  keepsBudget('signIn', arrival, new URL(product.url).origin)
  expect(await everyFault(page)).toEqual([])
  await isWhole(url)
})

test('the dashboard is small, steady and whole on a phone', async ({ context, page: first }) => {
  await openAs(first, 'ana')
  await first.close()
  const url = `${product.url}/dashboard`
  const { page, arrival } = await arrive(context, url, figuresFirst)
  keepsBudget('dashboard', arrival, new URL(product.url).origin)
  expect(await everyFault(page)).toEqual([])
  await lab.prepare(async (browser) => {
    const other = await browser.newPage()
    await openAs(other, 'ana')
    await other.close()
  })
  await isWhole(url)
})

/** Parts of a page that stand where they will stay before any script of the app has run. */
const FIRST_PARTS = {
  'auth/login/': [
    '.auth-card h1',
    '.auth-card .field-box',
    '.auth-card .button',
    '.auth-card .auth-forgot',
    '.auth-card .auth-foot',
  ],
  dashboard: [
    '.header',
    '.page-head .button',
    '.holdings h2',
    '.holding-amount',
    '.phone-place:not(:nth-child(3))',
  ],
} as const

/** Opens the page while the scripts are held back. @returns its first paint, and what lets the scripts go */
async function firstPaint(page: Page, path: string) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  const letGo = await holdBack(page, '**/assets/index-*.js')
  await page.goto(`/${path}`, { waitUntil: 'commit' })
  return { paint: page.locator('.first-paint'), letGo }
}

for (const language of ['es', 'en'] as const)
  test(`in ${language} a phone shows the page before the scripts, and nothing moves when they have run`, async ({
    page,
  }) => {
    const places = (path: keyof typeof FIRST_PARTS) =>
      Promise.all(
        FIRST_PARTS[path].map((part) =>
          page.locator(part).evaluateAll((all) =>
            all.map((one) => {
              const { x, y, height } = one.getBoundingClientRect()
              return [x, y, height].map(Math.round)
            }),
          ),
        ),
      )
    const staysInPlace = async (path: keyof typeof FIRST_PARTS, shown: string) => {
      const { paint, letGo } = await firstPaint(page, path)
      await expect(paint).toBeVisible()
      await expect(page.locator('.boot')).toBeHidden()
      const before = await places(path)
      letGo()
      await expect(page.locator(shown)).toBeVisible()
      await expect(paint).toHaveCount(0)
      expect(await places(path)).toEqual(before)
    }
    // Notices stand above the figures, and other journeys leave reasons for some.
    await amend(page, '**/api/core/dashboard/', { awaiting_funding: 0, in_review: 0 })
    await amend(page, '**/api/reserves/', { verdict: 'matched' })
    await page.goto('/auth/login/')
    await speak(page, language)
    await staysInPlace('auth/login/', 'input[name="email"]')
    await openAs(page, 'ana', '/dashboard', language)
    await staysInPlace('dashboard', '.holdings .money')
  })

test('who is signed out is not shown a member’s page first, nor a wide window either page', async ({
  page,
}) => {
  await page.goto('/auth/login/')
  const ofMembers = await firstPaint(page, 'dashboard')
  await expect(page.locator('.boot')).toBeVisible()
  await expect(ofMembers.paint).toBeHidden()
  ofMembers.letGo()
  await page.waitForURL('**/auth/login/**')
  await page.setViewportSize(LAPTOP)
  const { paint } = await firstPaint(page, 'auth/login/')
  await expect(page.locator('.boot')).toBeVisible()
  await expect(paint).toBeHidden()
})

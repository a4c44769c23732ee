import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { openAs, product } from './fixture.ts'

/** A browser in which the worker may run; the other journeys go without, so that nothing stands between them and the wire. */
test.use({ serviceWorkers: 'allow' })

async function workerRuns(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null')).toBe(true)
}

/** Every address that any store of the worker holds. */
const kept = (page: Page) =>
  page.evaluate<string[]>(`caches.keys()
    .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
    .then((lists) => lists.flat().map(({ url }) => new URL(url).pathname))`)

async function reloadWithout(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true)
  await page.reload()
}

test('without a connection a page says so in our words, and comes back by itself', async ({
  page,
  context,
}) => {
  await page.goto('/auth/login/')
  await workerRuns(page)
  await reloadWithout(page, context)
  await expect(page.getByRole('heading', { name: 'Sin conexión con Aval' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No connection to Aval' })).toBeHidden()
  await expect(page).toHaveTitle('Sin conexión · Aval')
  expect(new URL(page.url()).pathname).toBe('/auth/login/')

  await page.evaluate(`localStorage.setItem('language', 'en')
    localStorage.setItem('themeSettings', JSON.stringify({ theme: 'light', color: 'info' }))`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No connection to Aval' })).toBeVisible()
  await expect(page).toHaveTitle('No connection · Aval')
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'light')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCSS(
    'background-color',
    'rgb(2, 160, 228)',
  )

  await context.setOffline(false)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
})

test('what the browser keeps is about nobody, and signing out leaves nothing else', async ({
  page,
  context,
}) => {
  await openAs(page, 'luis')
  await workerRuns(page)
  await page.reload()
  await expect(page.locator('[data-figure="total"]')).toBeVisible()
  await expect.poll(async () => (await kept(page)).some((path) => path.endsWith('.js'))).toBe(true)
  const strangers = (await kept(page)).filter(
    (path) => !/^\/(assets\/[\w.-]+|offline\.html|theme\.js|favicon\.svg)$/.test(path),
  )
  expect(strangers).toEqual([])
  await reloadWithout(page, context)
  await expect(page.getByRole('heading', { name: 'Sin conexión con Aval' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.locator('[data-figure="total"]')).toBeVisible()
})

test('a browser finds everything it needs to install it', async ({ page }) => {
  await page.goto('/auth/login/')
  const session = await page.context().newCDPSession(page)
  const { data = '', errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data) as {
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ id: '/', start_url: '/', name: 'Aval', display: 'standalone' })
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(manifest.icons.map(({ purpose = 'any' }) => purpose)).toContain('maskable')
  for (const { src } of manifest.icons)
    expect((await page.request.get(`${product.url}${src}`)).status()).toBe(200)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A context of a test is a private window, which installs nothing; nothing else is missing. The headless shell installs nothing.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

test('a link to register shows a picture and a text in a preview', async ({ request }) => {
  const html = await (await request.get(`${product.url}/auth/register/1234567`)).text()
  const picture = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
  expect(picture).toBe(`${product.url}/og.png`)
  expect((await request.get(picture)).headers()['content-type']).toBe('image/png')
  expect(html).toContain('Te invitaron a Aval')
})

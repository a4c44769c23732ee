/** What the journeys share: the running product, members who are signed in, and answers of the server that are replaced. */
import { type BrowserContext, expect, type Locator, type Page, type Route } from '@playwright/test'
import { type Client, signIn } from '../tools/testing/client.ts'
import {
  journeyDataDir,
  journeyDevnetUrl,
  journeyPassword,
  journeyUrl,
} from '../tools/testing/journey-place.ts'
import { freshCode } from '../tools/testing/one-time-code.ts'

export type Language = 'es' | 'en'

export const PHONE = { width: 390, height: 844 }
export const LAPTOP = { width: 1280, height: 800 }

/** The product that all journeys share (playwright.config.ts starts it, with its demo network). */
export const product = { url: journeyUrl, devnetUrl: journeyDevnetUrl }

/** A code that this operator of the demo can sign in or decide with now. */
export async function operatorsCode(username: string): Promise<string> {
  const code = await freshCode(journeyDataDir, username)
  if (code === null) throw new Error(`${username} has no two-factor`)
  return code
}

/** Writes into the page's local storage before any page of the product is loaded. */
async function store(page: Page, items: Readonly<Record<string, string>>): Promise<void> {
  await page.goto(`${product.url}/favicon.svg`)
  await page.evaluate((all) => {
    for (const [name, value] of Object.entries(all)) localStorage.setItem(name, value)
  }, items)
}

/** Opens a page as a visitor with a language. */
export async function openIn(page: Page, language: Language, path: string): Promise<void> {
  await store(page, { language })
  await page.goto(path)
}

/**
 * Opens a page as a member who is signed in. The sign-in goes over the wire and its refresh token into the page's storage, from where
 * the page moves it into its cookie: the form has journeys of its own.
 *
 * @param who a member of the demo by username, or any who is signed in
 */
export async function openAs(
  page: Page,
  who: string | Client,
  path = '/dashboard',
  language: Language = 'es',
): Promise<void> {
  const code = () => operatorsCode(String(who))
  const { tokens } = typeof who === 'string' ? await signIn(journeyUrl, who, journeyPassword, code) : who
  await store(page, { session: String(Date.now()), refresh: tokens.refresh, language })
  await page.goto(product.url + path)
  await expect(page.locator('.boot')).toHaveCount(0)
  // Until then the tokens are being renewed; leaving the page would lose them.
  await expect.poll(() => page.evaluate<boolean>("'access' in sessionStorage")).toBe(true)
}

/** What only this page is headed with. */
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true })

/**
 * Follows a link, or whatever else leads to another page, until that one is there. The page before stays until the next is loaded, under
 * the address of the next: a field or a button that both have would be the one before's.
 */
export async function follow(
  page: Page,
  link: Locator,
  title: string | RegExp,
  press: (thing: Locator) => Promise<void> = (thing) => thing.click(),
): Promise<void> {
  await press(link)
  await expect(heading(page, title)).toBeVisible()
}

/** Until a dialog is closed, and the step of the history that it took is taken back: that would end a navigation begun meanwhile. */
export async function closed(dialog: Locator): Promise<void> {
  await expect(dialog).toBeHidden()
  await expect.poll(() => dialog.page().evaluate('history.state?.opened ?? 0')).toBe(0)
}

/** The first step of a sign-in, through the Spanish form. */
export async function enterPassword(page: Page, username: string, password = journeyPassword): Promise<void> {
  await page.goto('/auth/login/')
  await fillSignIn(page, username, password)
}

/** The Spanish form, where it is shown. */
export async function fillSignIn(page: Page, username: string, password = journeyPassword): Promise<void> {
  await page.getByLabel('Correo o usuario').fill(username)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
}

/**
 * The second step of a sign-in: the last digit sends it. A code is good once, and another journey may have used this one meanwhile: then
 * another is entered.
 */
export async function enterCode(page: Page, username: string): Promise<void> {
  await expect(heading(page, 'Verificación en dos pasos')).toBeVisible()
  const arrived = page.locator('.shell')
  const refused = page.getByText('El código no es correcto o ya se usó.')
  await expect(async () => {
    await page.getByLabel('Código').fill(await operatorsCode(username))
    await expect(arrived.or(refused)).toBeVisible()
    expect(await refused.isVisible()).toBe(false)
  }).toPass()
}

/** Signs out through the user menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Tu cuenta' }).click()
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click()
  await page.waitForURL('**/auth/login**')
}

/** Loads the page again in another language. */
export async function speak(page: Page, language: Language): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** Collects every request of pages and worker to another origin, and everything the policy had to stop. */
export async function watchPolicy(context: BrowserContext): Promise<string[]> {
  const faults: string[] = []
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== product.url && !/^(data|blob):$/.test(url.protocol)) faults.push(`asked ${url.origin}`)
  })
  context.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|Trusted|Permissions.Policy|stopped by the policy/i.test(text))
      faults.push(text)
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('stopped by the policy:', event.violatedDirective, event.blockedURI, event.sample))`)
  return faults
}

/** The toast with this text. */
export const toast = (page: Page, text: string): Locator =>
  page.locator('.toast').filter({ hasText: text }).first()

/** A refusal as the server words it. */
export const problem = (status: number, detail: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/problem+json', json: { status, detail, code: 'x' } })

/** Keeps the answers to a call back. @returns what lets them go */
export async function holdBack(where: Page | BrowserContext, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await where.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Changes fields of what the server answers to a GET of the page, to these, or to what becomes of what it answers. */
export async function amend<Answer = unknown>(
  page: Page,
  url: string,
  changes: object | ((answer: Answer) => object),
): Promise<void> {
  await page.route(url, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch().catch(() => null)
    const json = (await response?.json().catch(() => null)) ?? null
    // A page that is left aborts its requests.
    if (response === null || json === null) await route.abort().catch(() => undefined)
    else {
      const changed = typeof changes === 'function' ? changes(json) : changes
      await route.fulfill({ response, json: { ...json, ...changed } })
    }
  })
}

const REPLACED = 'event: replaced\ndata: {"within_ms":0}\n\n'

/**
 * For journeys that end or expire a session by hand, or wait for an idle network. A stream of events would be under way for as long as the page is, and the try
 * after one that failed would be the first to find that. One that another replaced is not tried again for minutes.
 */
export const withoutStream = (context: BrowserContext): Promise<unknown> =>
  context.route('**/api/core/events/', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: REPLACED }),
  )

/**
 * What floats over a page comes once the page is at rest, and asks for something of its own: waits until it is there. For journeys without
 * the stream: on a slow line it begins before the network was ever idle, and is under way from then on.
 */
export async function wholePage(page: Page): Promise<void> {
  for (const later of ['.chat-button', '.demo-bar']) await expect(page.locator(later)).toBeVisible()
  await page.waitForLoadState('networkidle')
}

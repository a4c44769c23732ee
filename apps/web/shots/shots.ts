/**
 * Takes a picture of every page at three widths, in both themes and languages, and runs axe on each.
 *
 *   BASE_URL=http://localhost:3000 SHOTS_USER=ana SHOTS_PASSWORD=… node apps/web/shots/shots.ts [page …]
 *
 * The pictures land in `.shots/` of the working directory. An operator's sign-in also shows the operator's page, and needs
 * the two-factor secret that `npm start` prints: SHOTS_TOTP.
 * Ends with 1 when axe finds something or a page scrolls sideways, so that a check can call it.
 */
import { mkdir } from 'node:fs/promises'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { TOTP as OneTimeCodes, Secret } from 'otpauth'
import { everyFault } from '../../../e2e/axe.ts'
import { chromiumArguments, ensureChromium } from '../../../tools/chromium.ts'
import { BASE_URL, PASSWORD, TOTP, USER } from './config.ts'
import { answerAs, SIGN_IN_STATES, type State } from './sign-in.ts'

const WIDTHS = { 390: 844, 768: 1024, 1280: 800 } as const
const SCHEMES = ['light', 'dark'] as const
const LANGUAGES = ['es', 'en'] as const
const FOLDER = '.shots'

interface Shot extends Partial<Pick<State, 'says' | 'act'>> {
  name: string
  path: string
  visitor?: boolean
  /** What to press first, by its accessible name in either language. */
  press?: RegExp
}

const SHOTS: Shot[] = [
  { name: 'sign-in', path: '/auth/login/', visitor: true },
  { name: 'register', path: '/auth/register/0', visitor: true },
  { name: 'register-unknown', path: '/auth/register/0000001', visitor: true },
  { name: 'forgot-password', path: '/auth/forgot-password', visitor: true },
  { name: 'reset-password', path: '/auth/reset-password?email=ana%40example.com', visitor: true },
  { name: 'reset-link', path: `/auth/reset-password#${'x'.repeat(43)}`, visitor: true },
  ...SIGN_IN_STATES,
  { name: 'not-me', path: '/auth/not-me#a-link', visitor: true },
  { name: 'not-found', path: '/nowhere', visitor: true },
  { name: 'server-error', path: '/error-pages/server-error', visitor: true },
  { name: 'dashboard', path: '/dashboard' },
  { name: 'settings', path: '/dashboard', press: /^(Personalizar apariencia|Customize the look)$/ },
  { name: 'reserves', path: '/dashboard?show=reserves' },
  { name: 'invest', path: '/dashboard', press: /^(Invertir ahora|Invest now)$/ },
  { name: 'payments', path: '/payments' },
  { name: 'payments-why', path: '/payments', press: /^(Ver detalle|Show details)$/ },
  { name: 'payments-passive', path: '/payments?tab=passive', press: /^(Ver detalle|Show details)$/ },
  { name: 'payments-all', path: '/payments?tab=all' },
  { name: 'payments-binary', path: '/payments?tab=binary', press: /^(Ver detalle|Show details)$/ },
  { name: 'payments-points', path: '/payments?tab=points' },
  { name: 'payments-not-paid', path: '/payments?tab=not-paid', press: /^(Ver detalle|Show details)$/ },
  {
    name: 'statement',
    path: '/payments',
    press: /^(Estado de cuenta|Statement)$/,
  },
  { name: 'referrals', path: '/referrals' },
  { name: 'withdrawals', path: '/withdrawals' },
  { name: 'history', path: '/investment-history' },
  { name: 'tree', path: '/network-marketing' },
  { name: 'tree-binary', path: '/network-marketing?view=binary' },
  { name: 'profile', path: '/profile' },
  { name: 'security', path: '/security' },
  { name: 'two-factor', path: '/security', press: /^(Activar|Turn on)$/ },
  { name: 'passkey', path: '/security', press: /^(Agregar passkey|Add a passkey)$/ },
  { name: 'chat', path: '/profile', press: /^(Chat en vivo|Live Chat)$/ },
  { name: 'operator', path: '/operator' },
  { name: 'operator-reserves', path: '/operator?tab=reserves' },
  { name: 'operator-runs', path: '/operator?tab=runs' },
  { name: 'operator-rates', path: '/operator?tab=rates' },
  { name: 'operator-plan', path: '/operator?tab=plan' },
  { name: 'operator-investments', path: '/operator?tab=investments' },
  { name: 'operator-support', path: '/operator?tab=support' },
]

interface Look {
  width: keyof typeof WIDTHS
  scheme: (typeof SCHEMES)[number]
  language: (typeof LANGUAGES)[number]
}

const looks: Look[] = [390, 768, 1280].flatMap((width) =>
  SCHEMES.flatMap((scheme) =>
    LANGUAGES.map((language) => ({ width: width as Look['width'], scheme, language })),
  ),
)

/** What a signed-in browser keeps: its cookies, and what it stored. A code is good once, so one sign-in has to do for all pictures. */
type Kept = Awaited<ReturnType<BrowserContext['storageState']>>
const NOTHING: Kept = { cookies: [], origins: [] }

async function contextOf(browser: Browser, look: Look, storageState = NOTHING): Promise<BrowserContext> {
  const viewport = { width: look.width, height: WIDTHS[look.width] }
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', storageState })
  await context.addInitScript(({ language, scheme }) => {
    localStorage.setItem('language', language)
    localStorage.setItem('themeSettings', JSON.stringify({ color: 'warning', theme: scheme }))
  }, look)
  return context
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${BASE_URL}/auth/login/`)
  await page.locator('input[name="email"]').fill(USER)
  await page.locator('input[name="password"]').fill(PASSWORD)
  await page.locator('button[type="submit"]').click()
  if (TOTP !== '') {
    const code = new OneTimeCodes({ secret: Secret.fromBase32(TOTP.replaceAll(' ', '')) }).generate()
    await page.locator('input[name="code"]').fill(code)
  }
  await page.waitForURL('**/dashboard**')
}

/** Shown with all its figures, in its own face. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton, .boot-mark') === null)
  await page.evaluate(() => document.fonts.ready)
}

/** @returns what is wrong with the page, a line each */
async function take(page: Page, shot: Shot, look: Look): Promise<string[]> {
  const name = `${shot.name}-${look.width}-${look.scheme}-${look.language}`
  await answerAs(page, look.language, shot.says ?? [])
  // Another fragment alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(`${BASE_URL}${shot.path}`)
  await settled(page)
  await shot.act?.(page)
  if (shot.press !== undefined) {
    const button = page.getByRole('button', { name: shot.press }).first()
    if (await button.isVisible()) await button.click()
    if (shot.name === 'invest' || shot.name === 'settings') await page.getByRole('dialog').waitFor()
    await settled(page)
  }
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: shot.press === undefined })
  const faults = (await everyFault(page)).map((fault) => `${name}: axe ${fault}`)
  const root = page.locator('html')
  const over = await root.evaluate((html) => html.scrollWidth - html.clientWidth)
  if (over > 0) faults.push(`${name}: scrolls sideways by ${over} px`)
  return faults
}

async function takeAll(browser: Browser, wanted: Shot[]): Promise<string[]> {
  const faults: string[] = []
  const members = wanted.filter(({ visitor }) => !visitor)
  let kept = NOTHING
  for (const look of looks) {
    const visitor = await contextOf(browser, look)
    const open = await visitor.newPage()
    for (const shot of wanted.filter((shot) => shot.visitor)) faults.push(...(await take(open, shot, look)))
    await visitor.close()
    if (members.length === 0) continue
    const member = await contextOf(browser, look, kept)
    const page = await member.newPage()
    if (kept === NOTHING) await signIn(page)
    for (const shot of members) faults.push(...(await take(page, shot, look)))
    kept = await member.storageState()
    await member.close()
  }
  return faults
}

const names = process.argv.slice(2)
const wanted = names.length === 0 ? SHOTS : SHOTS.filter(({ name }) => names.includes(name))
await mkdir(FOLDER, { recursive: true })
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumArguments })
try {
  const faults = await takeAll(browser, wanted)
  process.stdout.write(`${looks.length * wanted.length} pictures in ${FOLDER}/\n`)
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await browser.close()
}

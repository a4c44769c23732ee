/**
 * Takes a picture of every page in its states at five widths, in both themes and languages, and looks for faults in each.
 *
 *   BASE_URL=http://localhost:3000 SHOTS_USER=ana SHOTS_PASSWORD=… node apps/web/shots/shots.ts [--axe] [page …]
 *
 * The pictures land in `.shots/` of the working directory. An operator's sign-in shows the console, and needs the two-factor
 * secret that `npm start` prints: SHOTS_TOTP. SHOTS_WIDTHS=390,1280,1920 or SHOTS_LANGUAGE=es takes these alone, and a name that ends in * stands for
 * all that begin so. `--axe` runs axe on each as well, which takes longer.
 * Ends with 1 when something is wrong with a page, so that a check can call it.
 */
import { mkdir } from 'node:fs/promises'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { TOTP as OneTimeCodes, Secret } from 'otpauth'
import { everyFault, setLook } from '../../../e2e/axe.ts'
import { chromiumArguments, ensureChromium } from '../../../tools/chromium.ts'
import { BASE_URL, PASSWORD, SPOKEN, TOTP, USER, WIDTHS } from './config.ts'
import { visibleFaults, watchConsole } from './faults.ts'
import { SHOTS } from './pages.ts'
import type { Shot } from './shot.ts'
import { answerAs } from './sign-in.ts'

const HEIGHTS = { 320: 640, 390: 844, 768: 1024, 1280: 800, 1920: 1080 } as const
/** A page is loaded once for those that are alike, in the first of them. */
const WINDOWS = ([[390, 320], [768], [1280, 1920]] as const)
  .map((widths) => widths.filter((width) => WIDTHS === '' || WIDTHS.split(',').includes(String(width))))
  .filter((widths) => widths.length > 0)
const SCHEMES = ['light', 'dark'] as const
const LANGUAGES = (['es', 'en'] as const).filter((name) => SPOKEN === '' || SPOKEN === name)
const FOLDER = '.shots'
/** Milliseconds until what does not come is a fault. */
const PATIENCE = 15_000

type Width = keyof typeof HEIGHTS
/** Width and theme are changed without loading the page again. */
interface Look {
  readonly widths: readonly Width[]
  readonly language: (typeof LANGUAGES)[number]
}

const looks: readonly Look[] = WINDOWS.flatMap((widths) =>
  LANGUAGES.map((language) => ({ widths, language })),
)
const PICTURES = WINDOWS.flat().length * LANGUAGES.length * SCHEMES.length

/** What a signed-in browser keeps: its cookies, and what it stored. A code is good once, so one sign-in has to do for all pictures. */
type Kept = Awaited<ReturnType<BrowserContext['storageState']>>
const NOTHING: Kept = { cookies: [], origins: [] }

async function contextOf(browser: Browser, look: Look, storageState = NOTHING): Promise<BrowserContext> {
  const [width = 1280] = look.widths
  const viewport = { width, height: HEIGHTS[width] }
  const hasTouch = width < 768
  const context = await browser.newContext({ viewport, hasTouch, reducedMotion: 'reduce', storageState })
  context.setDefaultTimeout(PATIENCE)
  await context.addInitScript(({ language }) => {
    // about:blank has no storage.
    if (window.location.protocol === 'about:') return
    localStorage.setItem('language', language)
    localStorage.setItem('themeSettings', JSON.stringify({ color: 'warning', theme: 'light' }))
    // A tree that was shown as a list would stay one.
    localStorage.removeItem('treeMode')
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
  await page.waitForURL(/\/(dashboard|operator)/)
  await settled(page)
}

/** Shown with all its figures, in its own face. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton, .boot-mark') === null)
  await page.evaluate(() => document.fonts.ready)
}

/** The frame's own calls, without which there would be no page to fail. */
const FRAME = /\/api\/(auth\/|core\/(events|look)|operator\/me\/)/

async function answerCalls(page: Page, calls: Shot['calls']): Promise<void> {
  if (calls === undefined) return
  await page.route('**/api/**', async (route) => {
    if (FRAME.test(route.request().url())) return route.fallback()
    if (calls === 'fail') await route.fulfill({ status: 500, json: {} })
  })
}

/** What stands for a number in an address, and the list whose first link has it. */
const NUMBERED = {
  ':member': '/operator/members?q=ana',
  ':run': '/operator/runs',
}
const found = new Map<string, string>()

/** The address of a shot, with the number of a member or run that there is. */
async function addressOf(page: Page, path: string): Promise<string> {
  for (const [name, list] of Object.entries(NUMBERED)) {
    if (!path.includes(name)) continue
    if (!found.has(name)) {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.goto(`${BASE_URL}${list}`)
      // A run that paid nothing has little to show.
      const row = page.locator('main tbody tr', { hasNotText: '$0' })
      const link = row.locator(`a[href^="${list.split('?')[0]}/"]`).first()
      found.set(name, (await link.getAttribute('href'))?.split('/').at(-1) ?? '')
    }
    return path.replace(name, found.get(name) ?? '')
  }
  return path
}

/** Brings the page into its state. */
async function open(page: Page, shot: Shot, look: Look): Promise<void> {
  const address = await addressOf(page, shot.path)
  await answerAs(page, look.language, shot.says ?? [])
  await answerCalls(page, shot.calls)
  await shot.before?.(page)
  // Another fragment alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(`${BASE_URL}${address}`)
  if (shot.calls === 'wait') {
    await page.locator('.skeleton:visible').first().waitFor()
    return
  }
  await settled(page)
  await shot.act?.(page)
  if (shot.press === undefined) return
  // Some come once the page is at rest.
  await page.getByRole('button', { name: shot.press }).first().click()
  if (shot.shows !== undefined) await page.locator(shot.shows).first().waitFor()
  await settled(page)
}

/** @returns what is wrong with the page, a line each */
async function take(page: Page, shot: Shot, look: Look, withAxe: boolean): Promise<string[]> {
  const said = watchConsole(page)
  const found: string[] = []
  const where = `${shot.name}-${look.widths[0]}-${look.language}`
  try {
    await open(page, shot, look)
    for (const width of look.widths)
      for (const scheme of SCHEMES) {
        const name = `${shot.name}-${width}-${scheme}-${look.language}`
        await page.setViewportSize({ width, height: HEIGHTS[width] })
        await setLook(page, { 'color-scheme': scheme })
        await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: shot.window !== true })
        const axe = withAxe ? (await everyFault(page)).map((fault) => `axe ${fault}`) : []
        found.push(...[...(await visibleFaults(page)), ...axe].map((fault) => `${name}: ${fault}`))
      }
  } catch (error) {
    found.push(`${where}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
  found.push(...said.take().map((line) => `${where}: ${line}`))
  page.removeAllListeners('console')
  page.removeAllListeners('pageerror')
  return found
}

async function takeAll(browser: Browser, wanted: readonly Shot[], withAxe: boolean): Promise<string[]> {
  const faults: string[] = []
  const members = wanted.filter(({ visitor }) => !visitor)
  let kept = NOTHING
  for (const look of looks) {
    const visitor = await contextOf(browser, look)
    const page = await visitor.newPage()
    for (const shot of wanted.filter((shot) => shot.visitor))
      faults.push(...(await take(page, shot, look, withAxe)))
    await visitor.close()
    if (members.length === 0) continue
    const member = await contextOf(browser, look, kept)
    const own = await member.newPage()
    if (kept === NOTHING) await signIn(own)
    for (const shot of members) faults.push(...(await take(own, shot, look, withAxe)))
    kept = await member.storageState()
    await member.close()
  }
  return faults
}

const given = process.argv.slice(2)
const names = given.filter((name) => name !== '--axe')
const isNamed = (name: string) =>
  names.some((given) => (given.endsWith('*') ? name.startsWith(given.slice(0, -1)) : name === given))
const wanted = SHOTS.filter(({ name }) =>
  names.length === 0 ? TOTP !== '' || !name.startsWith('operator') : isNamed(name),
)
await mkdir(FOLDER, { recursive: true })
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumArguments })
try {
  const faults = await takeAll(browser, wanted, given.includes('--axe'))
  process.stdout.write(`${PICTURES * wanted.length} pictures in ${FOLDER}/\n`)
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await browser.close()
}

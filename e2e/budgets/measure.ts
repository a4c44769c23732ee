/** What Lighthouse says about a page, in a browser of ours. */
import { type BrowserContext, chromium } from '@playwright/test'
import { launch } from 'chrome-launcher'
import lighthouse, { type Flags } from 'lighthouse'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'
import { chromiumArguments, findChromium } from '../../tools/chromium.ts'

export interface Measured {
  /** 0 to 100. */
  readonly performance: number
  /** How many times slower than this machine, at this moment, the phone is taken to be. */
  readonly slowdown: number
  readonly accessibility: number | null
  readonly bestPractices: number | null
  readonly cls: number
  /** Milliseconds, on the phone and the line that Lighthouse pretends to have. */
  readonly fcp: number
  readonly lcp: number
  readonly tbt: number
  /** Bytes as they travelled. */
  readonly script: number
  readonly style: number
  /** What costs the page points, by the names that Lighthouse has for it. */
  readonly remarks: readonly string[]
}

export interface Lab {
  /** Something to do in the browser before it is measured; what it leaves in local storage stays. */
  prepare(work: (context: BrowserContext) => Promise<void>): Promise<void>
  /** One visit with an empty cache; null where its recording failed. @param whole with everything that is not about speed */
  visit(url: string, whole: boolean): Promise<Measured | null>
  close(): void
}

const SPEED = ['performance']
const WHOLE = [...SPEED, 'accessibility', 'best-practices']
/** Judged by people, or about a certificate that localhost does not have. */
const NOT_HERE = ['is-on-https', 'redirects-http']

/** Lighthouse's word for a trace without a beginning, which a busy machine gives now and then. */
const NOT_RECORDED = 'NO_NAVSTART'

const percent = (score: number | null | undefined) => Math.round((score ?? 0) * 100)

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

function bytesOf(result: Result, kind: string): number {
  const details = result.audits['network-requests']?.details as
    | { items?: { resourceType?: string; transferSize?: number }[] }
    | undefined
  const own = (details?.items ?? []).filter(({ resourceType }) => resourceType === kind)
  return own.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)
}

function read(result: Result, categories: readonly string[]): Omit<Measured, 'slowdown'> {
  const number = (name: string) => result.audits[name]?.numericValue ?? Number.NaN
  const scoreOf = (name: string) =>
    categories.includes(name) ? percent(result.categories[name]?.score) : null
  const remarks = Object.values(result.audits)
    .filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
    )
    .map(({ id, displayValue = '' }) => `${id} ${displayValue}`.trim())
  return {
    performance: percent(result.categories['performance']?.score),
    accessibility: scoreOf('accessibility'),
    bestPractices: scoreOf('best-practices'),
    cls: number('cumulative-layout-shift'),
    fcp: number('first-contentful-paint'),
    lcp: number('largest-contentful-paint'),
    tbt: number('total-blocking-time'),
    script: bytesOf(result, 'Script'),
    style: bytesOf(result, 'Stylesheet'),
    remarks,
  }
}

/** The machine that Lighthouse's four-fold slowdown is meant for, by its own measure; it warns below half of that. */
const EXPECTED_HOST = 2000
const SLOWDOWN = 4

/**
 * The same phone on any machine: where this one is slower than expected, or others work on it too, what it takes is
 * multiplied by less.
 */
async function slowdownNow(context: BrowserContext): Promise<number> {
  const page = await context.newPage()
  const index = await page.evaluate(pageFunctions.computeBenchmarkIndex)
  await page.close()
  return Math.min(SLOWDOWN, Math.max(1, (SLOWDOWN * index) / EXPECTED_HOST))
}

/** Opens a browser that Lighthouse can reach. */
export async function openLab(): Promise<Lab> {
  const chromePath = findChromium()
  const browser = await launch({
    chromeFlags: ['--headless=new', ...chromiumArguments],
    logLevel: 'error',
    ...(chromePath !== null && { chromePath }),
  })
  // Playwright listens to every page of a browser it is connected to, and the page pays for that: it leaves before a visit.
  const inside = async <T>(work: (context: BrowserContext) => Promise<T>): Promise<T> => {
    const connected = await chromium.connectOverCDP(`http://127.0.0.1:${browser.port}`)
    try {
      const [context] = connected.contexts()
      if (context === undefined) throw new Error('the browser has no context')
      return await work(context)
    } finally {
      await connected.close()
    }
  }
  return {
    prepare: inside,
    async visit(url, whole) {
      const onlyCategories = whole ? WHOLE : SPEED
      const slowdown = await inside(slowdownNow)
      const flags: Flags = {
        port: browser.port,
        onlyCategories,
        skipAudits: NOT_HERE,
        logLevel: 'error',
        throttling: { cpuSlowdownMultiplier: slowdown },
      }
      const result = await lighthouse(url, flags)
      if (result === undefined || result.lhr.runtimeError?.code === NOT_RECORDED) return null
      if (result.lhr.runtimeError !== undefined) throw new Error(result.lhr.runtimeError.message)
      return { ...read(result.lhr, onlyCategories), slowdown }
    },
    close: () => browser.kill(),
  }
}

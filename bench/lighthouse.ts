/** What Lighthouse says about a page, in a browser of its own. */
import { type BrowserContext, chromium } from '@playwright/test'
import { launch } from 'chrome-launcher'
import lighthouse, { type Flags } from 'lighthouse'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'
import { chromiumArguments, findChromium } from '../tools/chromium.ts'

export type Category = 'performance' | 'accessibility' | 'best-practices'

export interface Visit {
  /** 0 to 100; null where the category was not asked for. */
  readonly scores: Readonly<Record<Category, number | null>>
  /** Milliseconds on Lighthouse's phone and line, which hold the browser back; NaN where speed was not measured. */
  readonly fcp: number
  readonly lcp: number
  readonly tbt: number
  /** Sum of the layout shifts. */
  readonly shift: number
  /** Audits below 90, with what they found. */
  readonly remarks: readonly string[]
}

export type Lab = Awaited<ReturnType<typeof openLab>>

/** Judged by people, or about a certificate that localhost does not have. */
const NOT_HERE = ['is-on-https', 'redirects-http']
/** Lighthouse's code for a trace without a beginning, which a busy machine gives now and then. */
const NOT_RECORDED = 'NO_NAVSTART'

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

function read(result: Result): Visit {
  const number = (name: string) => result.audits[name]?.numericValue ?? Number.NaN
  const scoreOf = (name: Category) => {
    const score = result.categories[name]?.score
    return score === undefined || score === null ? null : Math.round(score * 100)
  }
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
    },
    fcp: number('first-contentful-paint'),
    lcp: number('largest-contentful-paint'),
    tbt: number('total-blocking-time'),
    shift: number('cumulative-layout-shift'),
    remarks: Object.values(result.audits)
      .filter(
        ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
      )
      .map(({ id, displayValue = '' }) => `${id} ${displayValue}`.trim()),
  }
}

/** Lighthouse's four-fold slowdown is meant for a machine of this benchmark index; it warns below half of it. */
const EXPECTED_INDEX = 2000
const SLOWDOWN = 4

/** The same phone on any machine: a machine slower than expected, or busy, is slowed down less. */
async function slowdownNow(context: BrowserContext): Promise<number> {
  const page = await context.newPage()
  const index = await page.evaluate(pageFunctions.computeBenchmarkIndex)
  await page.close()
  return Math.min(SLOWDOWN, Math.max(1, (SLOWDOWN * index) / EXPECTED_INDEX))
}

export async function openLab() {
  const chromePath = findChromium()
  const browser = await launch({
    chromeFlags: ['--headless=new', ...chromiumArguments],
    logLevel: 'error',
    ...(chromePath !== null && { chromePath }),
  })
  // Playwright listens to every page of a browser it is connected to, which costs the page: it disconnects before a visit.
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
    /** Does something in the browser before a visit; local storage stays. */
    prepare: inside,
    /** One visit with an empty cache; null where its recording failed. */
    async visit(url: string, categories: readonly Category[]): Promise<Visit | null> {
      // Held back, and not reckoned from a visit that was not: on this machine all files are here before the first paint, and the
      // reckoning takes each for one that the paint waited for.
      const speed: Flags = categories.includes('performance')
        ? {
            throttlingMethod: 'devtools',
            throttling: { cpuSlowdownMultiplier: await inside(slowdownNow) },
          }
        : { throttlingMethod: 'provided', disableFullPageScreenshot: true }
      const flags: Flags = {
        port: browser.port,
        onlyCategories: [...categories],
        skipAudits: NOT_HERE,
        logLevel: 'error',
        ...speed,
      }
      const result = await lighthouse(url, flags)
      if (result === undefined || result.lhr.runtimeError?.code === NOT_RECORDED) return null
      if (result.lhr.runtimeError !== undefined) throw new Error(result.lhr.runtimeError.message)
      return read(result.lhr)
    },
    close: () => browser.kill(),
  }
}

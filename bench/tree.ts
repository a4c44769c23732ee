/**
 * The chart of a network in a browser: opening everybody, panning and zooming, beside d3-org-chart on the same data. Its
 * page is apps/web/bench/treeBench.ts.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumArguments, ensureChromium } from '../tools/chromium.ts'
import { childEnvironment, root } from '../tools/core/config.ts'
import { spreadOf, tenth } from './measures.ts'
import { gridOf, type Outcome, type Tell } from './report.ts'

type Shape = 'power' | 'chain' | 'star'
type Chart = 'ours' | 'theirs'

interface Frames {
  readonly p50: number
  readonly p99: number
}

/** Filled in one figure after the other: what is absent was not reached in time. */
interface Measured {
  readonly chart: Chart
  readonly members: number
  readonly shape: Shape
  /** Milliseconds from the press that opens everybody until they are drawn; the median of some runs. */
  openMs?: number
  /** Milliseconds from frame to frame, while cards can be read and with everybody in sight. */
  panCards?: Frames
  panAll?: Frames
  zoom?: Frames
  elements?: number
  /** Megabytes of the page with all of it open, after a collection: scripts, elements and arrays. */
  heapMb?: number
}

const FRAMES = 160
const SLOW_MS = 2_000
const RUNS = 3
/** After this the other one is given up. */
const PATIENCE_MS = 120_000

const CASES: readonly [Chart, number, Shape][] = [
  ...[1_000, 3_000, 10_000, 100_000].flatMap((members): [Chart, number, Shape][] => [
    ['ours', members, 'power'],
    ['theirs', members, 'power'],
  ]),
  ['ours', 100_000, 'chain'],
  ['ours', 100_000, 'star'],
]

/** A call of the page's global object. */
const ask = <Answer>(page: Page, call: string): Promise<Answer> => page.evaluate<Answer>(`treeBench.${call}`)

async function frames(page: Page, kind: 'pan' | 'zoom'): Promise<Frames> {
  const { p50, p99 } = spreadOf(await ask<number[]>(page, `gesture('${kind}', ${FRAMES})`))
  return { p50: tenth(p50), p99: tenth(p99) }
}

async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  return Math.round((usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6)
}

async function measureOn(page: Page, result: Measured): Promise<void> {
  const { chart, members, shape } = result
  const call = `${chart === 'ours' ? 'openOurs' : 'openTheirs'}(${members}, '${shape}')`
  const times: number[] = []
  // The first run warms up; a chart that takes seconds is not asked again.
  for (let run = 0; run <= RUNS; run += 1) {
    const time = await ask<number>(page, call)
    if (run > 0 || time > SLOW_MS) times.push(time)
    if (time > SLOW_MS) break
  }
  result.openMs = tenth(spreadOf(times).p50)
  result.elements = await ask<number>(page, 'elements()')
  result.heapMb = await heapOf(page)
  result.panCards = await frames(page, 'pan')
  result.zoom = await frames(page, 'zoom')
  await ask(page, 'showAll()')
  result.panAll = await frames(page, 'pan')
}

/** In a page of its own; given up after a while, with nothing measured. */
async function measure(browser: Browser, folder: string, one: (typeof CASES)[number]): Promise<Measured> {
  const [chart, members, shape] = one
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  try {
    await page.setContent('<!doctype html><html><body></body></html>')
    await page.addStyleTag({ path: join(folder, 'tree.css') })
    await page.addScriptTag({ path: join(folder, 'tree.js') })
    const late = new Promise<void>((resolve) => {
      setTimeout(resolve, PATIENCE_MS).unref()
    })
    const result: Measured = { chart, members, shape }
    await Promise.race([measureOn(page, result).catch(() => undefined), late])
    return structuredClone(result)
  } finally {
    // A page that is still busy is not waited for.
    void context.close().catch(() => undefined)
  }
}

async function build(folder: string): Promise<void> {
  const vite = join(root, 'node_modules/.bin/vite')
  const args = [vite, 'build', '--config', 'bench/vite.config.ts', '--outDir', folder, '--logLevel', 'error']
  await promisify(execFile)(process.execPath, args, { cwd: join(root, 'apps/web'), env: childEnvironment() })
}

export async function runTree(tell: Tell): Promise<Outcome> {
  const executablePath = await ensureChromium()
  const folder = await mkdtemp(join(tmpdir(), 'aval-tree-'))
  try {
    tell('Building the page …')
    await build(folder)
    const results: Measured[] = []
    for (const one of CASES) {
      // Each in a browser of its own: no chart pays for another's memory.
      const browser = await chromium.launch({ executablePath, args: chromiumArguments })
      const measured = await measure(browser, folder, one)
      await browser.close()
      tell(
        `${one.join(', ')}: ${measured.openMs === undefined ? 'given up' : `open in ${measured.openMs} ms`}`,
      )
      results.push(measured)
    }
    return { table: tableOf(results), figures: results }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const shown = (frames: Frames | undefined) => (frames === undefined ? '-' : `${frames.p50} / ${frames.p99}`)

function tableOf(results: readonly Measured[]): string {
  const head = ['Chart', 'Members', 'Shape', 'Open', 'Pan', 'Pan, all in sight', 'Zoom', 'Elements', 'Heap']
  const rows = results.map(({ chart, members, shape, openMs, elements, heapMb, ...gestures }) => [
    chart,
    String(members),
    shape,
    openMs === undefined ? `> ${PATIENCE_MS}` : String(openMs),
    ...[gestures.panCards, gestures.panAll, gestures.zoom].map(shown),
    String(elements ?? '-'),
    heapMb === undefined ? '-' : `${heapMb} MB`,
  ])
  return gridOf(18, [head, ...rows])
}

/**
 * `npm run bench -- pages`: how fast the first pages are on Lighthouse's phone and line, beside a bare page of the
 * same run: one HTML file with a heading and no script. The ratio says what the machine has no part in.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ensureChromium } from '../tools/chromium.ts'
import { createProduct } from '../tools/testing/product.ts'
import { type Lab, openLab, type Visit } from './lighthouse.ts'
import { spreadOf } from './measures.ts'
import { gridOf, hundredth, type Outcome, type Tell } from './report.ts'

const VISITS = 5
const MOST_TRIES = 15
const PASSWORD = 'bench-password'
const BARE =
  '<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Bare</title></head><body><h1>Bare</h1></body></html>'

async function serveBare(): Promise<Server> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(BARE),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

async function visits(lab: Lab, url: string): Promise<Visit[]> {
  const all: Visit[] = []
  for (let tried = 0; all.length < VISITS; tried += 1) {
    if (tried === MOST_TRIES) throw new Error(`${url} could not be recorded`)
    const visit = await lab.visit(url, ['performance'])
    if (visit !== null) all.push(visit)
  }
  return all
}

async function measure(lab: Lab, page: string, url: string) {
  const all = await visits(lab, url)
  const middle = (of: (visit: Visit) => number) => spreadOf(all.map(of)).p50
  const median = (of: (visit: Visit) => number) => Math.round(middle(of))
  return {
    page,
    /** 0 to 100; the others are milliseconds. */
    performance: median(({ scores }) => scores.performance ?? 0),
    fcp: median(({ fcp }) => fcp),
    lcp: median(({ lcp }) => lcp),
    tbt: median(({ tbt }) => tbt),
    shift: middle(({ shift }) => shift),
  }
}

/** Signs in through the Spanish form; what renews the session stays in the browser. */
function signIn(lab: Lab, url: string): Promise<void> {
  return lab.prepare(async (context) => {
    const page = await context.newPage()
    await page.goto(`${url}/auth/login/`)
    await page.getByLabel('Correo o usuario').fill('ana')
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Iniciar sesión' }).click()
    await page.waitForURL('**/dashboard**')
    await page.close()
  })
}

export async function runPages(tell: Tell): Promise<Outcome> {
  await ensureChromium()
  const product = await createProduct({ DEMO: 'on', DEMO_PASSWORD: PASSWORD })
  const bare = await serveBare()
  const lab = await openLab()
  try {
    tell('Starting the product with its demo network …')
    await product.start()
    const { port } = bare.address() as AddressInfo
    const results = [await measure(lab, 'bare', `http://127.0.0.1:${port}/`)]
    tell('The bare page is measured.')
    results.push(await measure(lab, 'sign-in', `${product.url}/auth/login/`))
    tell('The sign-in is measured.')
    await signIn(lab, product.url)
    results.push(await measure(lab, 'dashboard', `${product.url}/dashboard`))
    const [bareLcp] = results.map(({ lcp }) => lcp)
    const figures = results.map((each) => ({ ...each, ratio: hundredth(each.lcp / (bareLcp ?? Number.NaN)) }))
    const rows = figures.map(({ page, performance, fcp, lcp, tbt, shift, ratio }) => [
      page,
      String(performance),
      ...[fcp, lcp, tbt].map((time) => `${time} ms`),
      shift.toFixed(3),
      `${ratio} ×`,
    ])
    const head = ['Page', 'Performance', 'FCP', 'LCP', 'TBT', 'Shift', 'LCP / bare']
    return { table: gridOf(14, [head, ...rows]), figures }
  } finally {
    lab.close()
    bare.close()
    await product.remove()
  }
}

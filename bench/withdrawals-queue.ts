/** The page on which operators decide, as their browser asks for it. */
import type pg from 'pg'
import { type Spread, spreadOf, timed } from './measures.ts'
import { signedIn } from './withdrawals-members.ts'
import type { Product } from './withdrawals-product.ts'

/** The 99th percentile of five hundred is the sixth slowest. */
const READS = 500
const WARM_UPS = 100

export interface Page {
  /** How many withdrawals the page counts. */
  readonly open: number
  readonly first: Spread
  /** With all others skipped. */
  readonly last: Spread
}

async function readPage(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await fetch(url, { headers })
  const body: unknown = await answer.json()
  if (answer.status !== 200) throw new Error(`the queue answers ${answer.status}: ${JSON.stringify(body)}`)
  return body
}

const countOf = (body: unknown): { count: number; total_pages: number } =>
  body as { count: number; total_pages: number }

async function measured(work: () => Promise<unknown>): Promise<Spread> {
  const times: number[] = []
  for (let read = 0; read < WARM_UPS; read += 1) await work()
  for (let read = 0; read < READS; read += 1) times.push(await timed(work))
  return spreadOf(times)
}

/** One after the other over HTTP, from this process to the server's. */
export async function measurePage(product: Product, operatorId: bigint): Promise<Page> {
  const headers = await signedIn(product, operatorId, true)
  const page = (number: number) =>
    readPage(`${product.url}/api/operator/withdrawals/?state=requested&page=${number}`, headers)
  const { count: open, total_pages: pages } = countOf(await page(1))
  return { open, first: await measured(() => page(1)), last: await measured(() => page(pages)) }
}

/** What a question to the database takes by itself. */
export function measureRoundTrip(client: pg.Client): Promise<Spread> {
  return measured(() => client.query('SELECT 1'))
}

/** What is measured of money out: the queue of operators, settling, and one withdrawal that nobody has to approve. */

import { setTimeout as pause } from 'node:timers/promises'
import { withdrawal } from '@aval/contract'
import { inTransaction } from '@aval/db'
import type pg from 'pg'
import { z } from 'zod'
import { decide } from '../apps/server/src/features/withdrawals/decide.commands.ts'
import { msSince, type Spread, spreadOf, timed } from './measures.ts'
import {
  countApproved,
  countDead,
  countMail,
  isCodeSent,
  isHandedOver,
  type Mail,
  selectDelay,
  selectMilestones,
  selectRequested,
} from './withdrawals.sql.ts'
import { type Person, signedIn } from './withdrawals-members.ts'
import type { Product } from './withdrawals-product.ts'

/** The 99th percentile of five hundred is the sixth slowest. */
const READS = 500
const WARM_UPS = 100

/** The page on which operators decide, as their browser asks for it. */
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

/** From approved to completed: every withdrawal through gateway, signer, chain and worker. */
export interface Settling {
  readonly withdrawals: number
  /** What the decision itself took: one for all of them. */
  readonly approvingMs: number
  /** Since it was there until the last of them ... */
  readonly ms: {
    readonly prepared: number
    readonly signed: number
    readonly settled: number
    /** ... was completed. */
    readonly completed: number
  }
  /** Transfers that were prepared in vain. */
  readonly dead: number
  /** What each process used of processors meanwhile, in seconds. */
  readonly processors: Readonly<Record<string, number>>
  /** What the worker had sent meanwhile, and what it had not. */
  readonly mail: Mail
}

const LOOK_EVERY_MS = 250
const TELL_EVERY_MS = 15_000
/** Without a single one more being completed. */
const STUCK_MS = 180_000

/** All of them in one transaction, so that they are due at one instant. */
async function approveAll({ context }: Product, operatorId: bigint, ids: readonly bigint[]): Promise<void> {
  const now = new Date()
  const approval = { decision: 'approve', ids, reason: '' } as const
  await inTransaction(context.db, (tx) => decide(tx, approval, { operatorId, now, systemNow: now }))
}

/** Waits until nothing is approved and on its way. @param all how many there are now */
export async function allCompleted(
  owner: pg.Client,
  all: number,
  tell: (line: string) => void,
): Promise<void> {
  let left = all
  let moved = performance.now()
  let saidAt = performance.now()
  while (left > 0) {
    await pause(LOOK_EVERY_MS)
    const now = await countApproved(owner)
    if (now < left) moved = performance.now()
    left = now
    if (msSince(moved) > STUCK_MS)
      throw new Error(`${left} withdrawals wait: ${(await selectDelay(owner)) ?? 'nothing is in their way'}`)
    if (msSince(saidAt) < TELL_EVERY_MS) continue
    saidAt = performance.now()
    tell(`${all - left} of ${all} are completed`)
  }
}

export async function settleAll(
  product: Product,
  owner: pg.Client,
  operatorId: bigint,
  tell: (line: string) => void,
): Promise<Settling> {
  const ids = await selectRequested(owner)
  const approving = performance.now()
  await approveAll(product, operatorId, ids)
  const before = await countMail(owner)
  const used = await product.processorSeconds()
  const approved = Date.now()
  const approvingMs = msSince(approving)
  await allCompleted(owner, ids.length, tell)
  const mail = await countMail(owner)
  const now = await product.processorSeconds()
  const until = await selectMilestones(owner, ids.at(-1) ?? 0n)
  const since = (at: Date) => at.getTime() - approved
  return {
    withdrawals: ids.length,
    approvingMs,
    ms: {
      prepared: since(until.prepared),
      signed: since(until.signed),
      settled: since(until.settled),
      completed: since(until.booked),
    },
    dead: await countDead(owner),
    processors: Object.fromEntries(
      Object.entries(now).map(([name, seconds]) => [name, seconds - (used[name] ?? 0)]),
    ),
    mail: { sent: mail.sent - before.sent, queued: mail.queued },
  }
}

/** One withdrawal that nobody has to approve: from the answer to the member until its transfer is with the node. */
export interface Submitted {
  /** From the answer to whoever asked for a code until its mail is out, before everything else that is to be sent. */
  readonly code: Spread
  /** What the request itself took. */
  readonly answer: Spread
  /** From the answer until the gateway has noted what the node replied. */
  readonly handedOver: Spread
}

const AMOUNT = '25.00'
const SUBMIT_LOOK_EVERY_MS = 3
const WITHIN_MS = 60_000

type Headers = Readonly<Record<string, string>>

async function post(product: Product, path: string, headers: Headers, body: object) {
  const answer = await fetch(`${product.url}/api/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const content: unknown = await answer.json()
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${JSON.stringify(content)}`)
  return content
}

const letters = z.array(z.object({ text: z.string() }))

/** What stands in a member's newest mail with a code. */
async function codeOf({ url }: Product, memberId: bigint): Promise<string> {
  const mail = letters.parse(await (await fetch(`${url}/dev/mail.json?to=m${memberId}@bench.example`)).json())
  const [code = ''] = mail.flatMap(({ text }) => /: (\d{7})$/m.exec(text)?.[1] ?? [])
  return code
}

/** Waits until there is what is looked for. @returns milliseconds */
async function until(what: string, look: () => Promise<boolean>): Promise<number> {
  const begun = performance.now()
  while (!(await look())) {
    if (msSince(begun) > WITHIN_MS) throw new Error(`${what}: not within ${WITHIN_MS / 1000} s`)
    await pause(SUBMIT_LOOK_EVERY_MS)
  }
  return msSince(begun)
}

async function submit(product: Product, owner: pg.Client, { memberId, wallet }: Person) {
  const headers = await signedIn(product, memberId)
  const asked = { amount: AMOUNT, wallet_address: wallet }
  await post(product, 'withdrawals/withdrawals/create-code/', headers, asked)
  const made = performance.now()
  await until('the mail with the code', () => isCodeSent(owner, memberId))
  const codeMs = msSince(made)
  const used_code = await codeOf(product, memberId)
  const sent = performance.now()
  const { id, stage } = withdrawal.parse(
    await post(product, 'withdrawals/withdrawals/', headers, { ...asked, used_code }),
  )
  const answered = performance.now()
  if (stage !== 'approved') throw new Error(`withdrawal ${id} of member ${memberId} is ${stage}`)
  const handedOverMs = await until('the hand-over', () => isHandedOver(owner, memberId, id))
  return { codeMs, answerMs: answered - sent, handedOverMs }
}

/** One after the other, by members who have withdrawn before from the same browser. */
export async function measureSubmits(
  product: Product,
  owner: pg.Client,
  people: readonly Person[],
): Promise<Submitted> {
  const samples: Awaited<ReturnType<typeof submit>>[] = []
  for (const person of people) samples.push(await submit(product, owner, person))
  return {
    code: spreadOf(samples.map(({ codeMs }) => codeMs)),
    answer: spreadOf(samples.map(({ answerMs }) => answerMs)),
    handedOver: spreadOf(samples.map(({ handedOverMs }) => handedOverMs)),
  }
}

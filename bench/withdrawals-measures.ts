/** What is measured of money out: the queue of operators, settling, and one withdrawal by itself. */

import { setTimeout as pause } from 'node:timers/promises'
import { withdrawal } from '@aval/contract'
import type pg from 'pg'
import { z } from 'zod'
import type { Approver } from '../tools/testing/approver.ts'
import { msSince, type Spread, spreadOf, timed, until } from './measures.ts'
import type { Tell } from './report.ts'
import {
  countApproved,
  countDead,
  countMail,
  isCodeSent,
  isHandedOver,
  selectDelay,
  selectMilestones,
  selectRequested,
} from './withdrawals.sql.ts'
import { type Person, signedIn } from './withdrawals-members.ts'
import type { Product } from './withdrawals-product.ts'

/** The 99th percentile of five hundred is the sixth slowest. */
const READS = 500
const WARM_UPS = 100

const pageShape = z.object({ count: z.int(), total_pages: z.int() })

async function measured(work: () => Promise<unknown>): Promise<Spread> {
  const times: number[] = []
  for (let read = 0; read < WARM_UPS; read += 1) await work()
  for (let read = 0; read < READS; read += 1) times.push(await timed(work))
  return spreadOf(times)
}

/** The page on which operators decide, as their browser asks for it: one read after the other over HTTP. */
export async function measurePage(product: Product, operatorId: bigint) {
  const headers = await signedIn(product, operatorId, true)
  const page = (number: number) =>
    ask(`${product.url}/api/operator/withdrawals/?state=requested&page=${number}`, { headers })
  const { count: open, total_pages: pages } = pageShape.parse(await page(1))
  /** With all other pages skipped. */
  const last = () => page(pages)
  return { open, first: await measured(() => page(1)), last: await measured(last) }
}
export type Page = Awaited<ReturnType<typeof measurePage>>

/** @throws when it is not answered with success */
async function ask(url: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(url, request)
  const body: unknown = await answer.json()
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${JSON.stringify(body)}`)
  return body
}

/** What a question to the database takes by itself. */
export function measureRoundTrip(client: pg.Client): Promise<Spread> {
  return measured(() => client.query('SELECT 1'))
}

const LOOK_EVERY_MS = 250
const TELL_EVERY_MS = 15_000
/** Without a single one more being completed. */
const STUCK_MS = 180_000

/** Waits until nothing is approved and on its way. @param all how many there are now */
export async function allCompleted(owner: pg.Client, all: number, tell: Tell): Promise<void> {
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

/** From approved to completed: every withdrawal through gateway, signer, chain and worker. */
export async function settleAll(product: Product, owner: pg.Client, approver: Approver, tell: Tell) {
  const ids = await selectRequested(owner)
  const approving = performance.now()
  await approver.approve(ids)
  const before = await countMail(owner)
  const used = await product.processorSeconds()
  const approved = Date.now()
  const approvingMs = msSince(approving)
  await allCompleted(owner, ids.length, tell)
  const mail = await countMail(owner)
  const now = await product.processorSeconds()
  const last = await selectMilestones(owner, ids.at(-1) ?? 0n)
  const since = (at: Date) => at.getTime() - approved
  const completed = since(last.booked)
  return {
    withdrawals: ids.length,
    /** What approving took: a passkey's signature over all of them, verified by the signer. */
    approvingMs,
    /** From there until the last of them was prepared, signed, settled and completed. */
    ms: {
      prepared: since(last.prepared),
      signed: since(last.signed),
      settled: since(last.settled),
      completed,
    },
    perSecond: (ids.length * 1000) / completed,
    /** Transfers that were prepared in vain. */
    inVain: await countDead(owner),
    /** What each process used of processors meanwhile, in seconds. */
    processorS: Object.fromEntries(
      Object.entries(now).map(([name, seconds]) => [name, seconds - (used[name] ?? 0)]),
    ),
    /** What the worker had sent meanwhile, and what it had not. */
    mail: { sent: mail.sent - before.sent, queued: mail.queued },
  }
}

const AMOUNT = '25.00'
/** How often, and for how long at most, a step of a withdrawal is asked for. */
const STEP = { everyMs: 3, withinMs: 60_000 }

const letters = z.array(z.object({ text: z.string() }))

/** What stands in a member's newest mail with a code. */
async function codeOf({ url }: Product, memberId: bigint): Promise<string> {
  const mail = letters.parse(await (await fetch(`${url}/dev/mail.json?to=m${memberId}@bench.example`)).json())
  const [code = ''] = mail.flatMap(({ text }) => /: (\d{7})$/m.exec(text)?.[1] ?? [])
  return code
}

async function submit(product: Product, owner: pg.Client, approver: Approver, { memberId, wallet }: Person) {
  const headers = { ...(await signedIn(product, memberId)), 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    ask(`${product.url}/api/withdrawals/withdrawals/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  const asked = { amount: AMOUNT, wallet_address: wallet }
  await post('create-code/', asked)
  const codeMs = await until('the mail with the code', STEP, () => isCodeSent(owner, memberId))
  const used_code = await codeOf(product, memberId)
  const sent = performance.now()
  const { id, stage } = withdrawal.parse(await post('', { ...asked, used_code }))
  const answerMs = msSince(sent)
  if (stage !== 'requested') throw new Error(`withdrawal ${id} of member ${memberId} is ${stage}`)
  await approver.approve([id])
  const handedOverMs = await until('the hand-over', STEP, () => isHandedOver(owner, memberId, id))
  return { codeMs, answerMs, handedOverMs }
}

/** Withdrawals one after the other, each approved alone, by members who have withdrawn before from the same browser. */
export async function measureSubmits(
  product: Product,
  owner: pg.Client,
  approver: Approver,
  people: readonly Person[],
) {
  const samples: Awaited<ReturnType<typeof submit>>[] = []
  for (const person of people) samples.push(await submit(product, owner, approver, person))
  return {
    /** From the answer to the request for a code until its mail is out, before everything else that is to be sent. */
    codeMs: spreadOf(samples.map(({ codeMs }) => codeMs)),
    submitMs: {
      /** From the approval's acceptance until the gateway has noted what the node replied. */
      handedOver: spreadOf(samples.map(({ handedOverMs }) => handedOverMs)),
      /** What the request itself took. */
      answer: spreadOf(samples.map(({ answerMs }) => answerMs)),
    },
  }
}

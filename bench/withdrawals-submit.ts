/** One withdrawal that nobody has to approve: from the answer to the member until its transfer is with the node. */
import { setTimeout as pause } from 'node:timers/promises'
import { withdrawal } from '@aval/contract'
import type pg from 'pg'
import { z } from 'zod'
import { msSince, type Spread, spreadOf } from './measures.ts'
import { isCodeSent, isHandedOver } from './withdrawals.sql.ts'
import { type Person, signedIn } from './withdrawals-members.ts'
import type { Product } from './withdrawals-product.ts'

export interface Submitted {
  /** From the answer to whoever asked for a code until its mail is out, before everything else that is to be sent. */
  readonly code: Spread
  /** What the request itself took. */
  readonly answer: Spread
  /** From the answer until the gateway has noted what the node replied. */
  readonly handedOver: Spread
}

const AMOUNT = '25.00'
const LOOK_EVERY_MS = 3
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
    await pause(LOOK_EVERY_MS)
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

/** One withdrawal that nobody has to approve: from the answer to the member until its transfer is with the node. */
import { setTimeout as pause } from 'node:timers/promises'
import { withdrawal } from '@aval/contract'
import type pg from 'pg'
import { z } from 'zod'
import { msSince, type Spread, spreadOf } from './timing.ts'
import { isHandedOver, selectCode } from './withdrawals.sql.ts'
import { type Person, signedIn } from './withdrawals-members.ts'
import type { Product } from './withdrawals-product.ts'

export interface Submitted {
  /** What the request itself took. */
  readonly answer: Spread
  /** From the answer until the gateway has noted what the node replied. */
  readonly handedOver: Spread
}

const AMOUNT = '25.00'
const LOOK_EVERY_MS = 3
const HANDED_OVER_WITHIN_MS = 60_000

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

/** From the database while the mail waits there, and then from the mail. */
async function codeOf(product: Product, owner: pg.Client, memberId: bigint): Promise<string> {
  const waiting = await selectCode(owner, memberId)
  if (waiting !== null) return waiting
  const answer = await fetch(`${product.url}/dev/mail.json?to=m${memberId}@bench.example`)
  const [newest] = letters.parse(await answer.json()).filter(({ text }) => /: \d{7}$/m.test(text))
  return /: (\d{7})$/m.exec(newest?.text ?? '')?.[1] ?? ''
}

async function submit(product: Product, owner: pg.Client, { memberId, wallet }: Person) {
  const headers = await signedIn(product, memberId)
  const asked = { amount: AMOUNT, wallet_address: wallet }
  await post(product, 'withdrawals/withdrawals/create-code/', headers, asked)
  const used_code = await codeOf(product, owner, memberId)
  const sent = performance.now()
  const { id, stage } = withdrawal.parse(
    await post(product, 'withdrawals/withdrawals/', headers, { ...asked, used_code }),
  )
  const answered = performance.now()
  if (stage !== 'approved') throw new Error(`withdrawal ${id} of member ${memberId} is ${stage}`)
  while (!(await isHandedOver(owner, memberId, id))) {
    if (msSince(answered) > HANDED_OVER_WITHIN_MS) throw new Error(`withdrawal ${id} is not handed over`)
    await pause(LOOK_EVERY_MS)
  }
  return { answerMs: answered - sent, handedOverMs: msSince(answered) }
}

/** One after the other, by members who have withdrawn before from the same browser. */
export async function measureSubmits(
  product: Product,
  owner: pg.Client,
  people: readonly Person[],
): Promise<Submitted> {
  const answers: number[] = []
  const handed: number[] = []
  for (const person of people) {
    const { answerMs, handedOverMs } = await submit(product, owner, person)
    answers.push(answerMs)
    handed.push(handedOverMs)
  }
  return { answer: spreadOf(answers), handedOver: spreadOf(handed) }
}

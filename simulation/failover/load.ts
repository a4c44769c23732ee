/**
 * People at work while the database fails over: members invest and withdraw, a day is paid after the other, and somebody writes as
 * often as is answered. Whatever the product acknowledged is kept here, as its clients would, and looked up at the end.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { demoState, investmentPayment } from '@aval/contract'
import { z } from 'zod'
import { type Client, keepSignedIn, PASSWORD, register, signIn } from '../../tools/testing/client.ts'
import type { Product } from '../../tools/testing/product.ts'
import { type Member, newMember, type Operator } from '../processes/people.ts'
import { newRequest, send } from '../processes/request.ts'

const POLL_MS = 200
const INVESTORS = 3
const WITHDRAWERS = 2
const BETWEEN_DAYS_MS = 15_000
const BETWEEN_WRITES_MS = 50
const BETWEEN_INVESTMENTS_MS = 1_000
const BETWEEN_WITHDRAWALS_MS = 500
const WARM_MS = 240_000

/** Polls until there is a result; a failure is none. */
export async function untilWithin<Result>(
  ms: number,
  what: string,
  poll: () => Promise<Result | null | false>,
): Promise<Result> {
  const deadline = performance.now() + ms
  let cause: unknown = null
  while (performance.now() < deadline) {
    try {
      const result = await poll()
      if (result !== null && result !== false) return result
    } catch (error) {
      cause = error
    }
    await pause(POLL_MS)
  }
  throw new Error(`${what}: not within ${ms / 1000} s`, { cause })
}

/** A call of the one who writes all the time. */
export interface Write {
  readonly at: number
  readonly ms: number
  /** 0: the connection to the product failed. */
  readonly status: number
}

/** What was acknowledged. */
export interface Acknowledged {
  readonly members: string[]
  readonly invoices: string[]
  readonly payments: string[]
  readonly withdrawals: { readonly id: number; readonly member: string; readonly amount: string }[]
  /** Mornings to which the demo's clock was set, each with its runs. */
  readonly days: string[]
  readonly writes: Write[]
  /** Of what was written, what was gone when it was read again. */
  readonly lost: string[]
}

export class Load {
  readonly acknowledged: Acknowledged = {
    members: [],
    invoices: [],
    payments: [],
    withdrawals: [],
    days: [],
    writes: [],
    lost: [],
  }
  readonly #product: Product
  readonly #operator: Operator
  readonly #demoPassword: string
  #isOver = false

  constructor(product: Product, operator: Operator, demoPassword: string) {
    this.#product = product
    this.#operator = operator
    this.#demoPassword = demoPassword
  }

  /** @returns ends all of it, each with what it is at */
  start(): () => Promise<void> {
    const people = [
      this.#write(),
      this.#payDays(),
      ...Array.from({ length: INVESTORS }, (_, index) => this.#invest(index)),
      ...Array.from({ length: WITHDRAWERS }, (_, index) => this.#withdraw(index)),
    ]
    const all = Promise.all(people)
    all.catch(() => undefined)
    return async () => {
      this.#isOver = true
      await all
    }
  }

  /** Everybody is at work: something of each kind was acknowledged. */
  async isWarm(): Promise<void> {
    const { writes, invoices, withdrawals, days } = this.acknowledged
    await untilWithin(WARM_MS, 'all of the work to have begun', async () =>
      [writes, invoices, withdrawals, days].every((list) => list.length > 0),
    )
  }

  /** The first write that was begun after this moment and acknowledged. */
  async firstWriteAfter(at: number, withinMs: number): Promise<Write> {
    return untilWithin(
      withinMs,
      'a write to be acknowledged again',
      async () => this.acknowledged.writes.find((each) => each.at >= at && each.status === 200) ?? null,
    )
  }

  /** The longest time without an acknowledgement between a moment and the end of a write. */
  longestPause(from: number, last: Write): number {
    const ends = this.acknowledged.writes
      .filter(({ at, ms, status }) => status === 200 && at + ms > from && at <= last.at)
      .map(({ at, ms }) => at + ms)
    return Math.max(...ends.map((end, place) => end - (ends[place - 1] ?? from)))
  }

  /** Tries until it works or the end has come. */
  async #insist<Result>(work: () => Promise<Result>): Promise<Result | null> {
    while (!this.#isOver) {
      try {
        return await work()
      } catch {
        await pause(POLL_MS)
      }
    }
    return null
  }

  /** A number as the first name, one higher each time: what is read later is not less than what was acknowledged. */
  async #write(): Promise<void> {
    const { writes, lost } = this.acknowledged
    const username = 'escribe'
    const client = keepSignedIn(() => signIn(this.#product.url, username, PASSWORD))
    await this.#insist(() => register(this.#product.url, '0', username))
    let known = 0
    for (let next = 1; !this.#isOver; next += 1) {
      const session = await this.#insist(client)
      if (session === null) return
      const at = performance.now()
      const status = await session.patch('auth/user/', { first_name: nameOf(next) }).then(
        (answer) => answer.status,
        () => 0,
      )
      writes.push({ at, ms: performance.now() - at, status })
      if (status === 200) known = next
      const found = await session.get('auth/user/').then(numberIn, () => null)
      if (found !== null && found < known) lost.push(`write ${known} was acknowledged, and ${found} is there`)
      await pause(BETWEEN_WRITES_MS)
    }
  }

  /** The demo's mornings, each with its payout runs. */
  async #payDays(): Promise<void> {
    const client = keepSignedIn(() => signIn(this.#product.url, 'ana', this.#demoPassword))
    while (!this.#isOver) {
      await pause(BETWEEN_DAYS_MS)
      await this.#insist(async () => {
        const answer = await (await client()).post('demo/advance-day/', {})
        if (answer.status !== 200) throw new Error(String(answer.status))
        this.acknowledged.days.push(answer.as(demoState).now.slice(0, 10))
      })
    }
  }

  /** Registers, invests, pays, and tops up again and again. */
  async #invest(index: number): Promise<void> {
    const { members, invoices } = this.acknowledged
    for (let turn = 0; !this.#isOver; turn += 1) {
      const username = `invierte${index}t${turn}`
      const member = await this.#insist(() => register(this.#product.url, '0', username))
      if (member === null) return
      members.push(username)
      const invoice = await this.#insist(async () => {
        const client = await signIn(this.#product.url, username, PASSWORD)
        const answer = await client.post('plans/create-investment-payment/', { amount: 500 + turn })
        if (answer.status !== 201) throw new Error(String(answer.status))
        return answer.as(investmentPayment).result
      })
      if (invoice === null) return
      invoices.push(invoice.txn_id)
      await this.#pay(invoice.address, invoice.amount, invoice.txn_id)
      await pause(BETWEEN_INVESTMENTS_MS)
    }
  }

  /** Even when the end has come: under one key, however often it takes. */
  async #pay(to: string, amount: string, key: string): Promise<void> {
    await untilWithin(60_000, 'the development chain', async () => {
      await this.#product.dev('pay', { to, amount, key })
      return true
    })
    this.acknowledged.payments.push(key)
  }

  /** Withdraws a little of a balance, has it approved, and begins with the next one. */
  async #withdraw(index: number): Promise<void> {
    let member: Member | null = null
    for (let turn = 0; !this.#isOver; turn += 1) {
      if (turn % 60 === 0) {
        let attempt = 0
        member = await this.#insist(() => {
          attempt += 1
          return newMember(this.#product, `retira${index}t${turn}a${attempt}`)
        })
      }
      if (member === null) return
      await pause(BETWEEN_WITHDRAWALS_MS)
      await this.#withdrawOnce(member, (20 + (1 + (turn % 60)) / 100).toFixed(2))
    }
  }

  async #withdrawOnce(member: Member, amount: string): Promise<void> {
    const request = await this.#insist(() => newRequest(this.#product, member, amount))
    if (request === null) return
    const id = await this.#insist(async () => {
      const answer = await send(request)
      // A day went by, and its code with it.
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 401) return null
      if (answer.status !== 201) throw new Error(String(answer.status))
      return z.object({ id: z.number() }).parse(answer.body).id
    })
    if (id === null) return
    this.acknowledged.withdrawals.push({ id, member: member.id, amount })
    await this.#insist(async () => {
      const [row] = await this.#product.query<{ state: string }>(
        'SELECT state FROM withdrawal WHERE id = $1',
        [id],
      )
      if (row?.state === 'requested') await this.#operator.approve([id])
    })
  }
}

/** Names have letters. */
const nameOf = (count: number): string =>
  [...String(count)].map((digit) => 'abcdefghij'[Number(digit)]).join('')

/** The number that stands as the first name; null where the answer has none. */
function numberIn({ status, body }: Awaited<ReturnType<Client['get']>>): number | null {
  if (status !== 200) return null
  const { first_name: name } = z.object({ first_name: z.string() }).parse(body)
  return name === '' ? 0 : Number([...name].map((letter) => 'abcdefghij'.indexOf(letter)).join(''))
}

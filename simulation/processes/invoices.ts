/** A member's open investments, as they are paid, completed, cancelled and left to expire; every act can be repeated. */
import { randomUUID } from 'node:crypto'
import { type InvoiceStatus, investmentPayment, invoiceStatus } from '@aval/contract'
import type { Answer } from '../../tools/testing/client.ts'
import type { Product } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'
import type { Member } from './people.ts'

/** What a member asked to invest, oldest first. */
export interface Invoices {
  readonly product: Product
  readonly member: Member
  readonly txnIds: string[]
  address: string
}

/** Something that moves an invoice on. */
export interface Action {
  /** Sets it off, and waits for nothing. */
  begin(): Promise<unknown>
  /** Whether the database has it; of several transfers, one. */
  isBooked(): Promise<boolean>
  /** Sees to it that it is done, as its caller would: repeats what was not answered, waits for the rest. */
  ensure(): Promise<void>
}

const countOf = async (product: Product, rows: string, values: readonly unknown[]) =>
  (await product.query(`SELECT FROM ${rows}`, values)).length

/** A call under one Idempotency-Key, however often it is sent. */
function call(invoices: Invoices, path: () => string, body: object, onAnswer = (_: Answer) => {}): Action {
  const { product, member } = invoices
  const key = randomUUID()
  const send = async () => (await member.client()).post(path(), body, key)
  const answered = () =>
    until(`an answer to ${path()}`, async () => {
      const answer = await send()
      if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer
    })
  return {
    begin: async () => void send().catch(() => undefined),
    isBooked: async () => (await countOf(product, 'idempotency_response WHERE key = $1', [key])) === 1,
    async ensure() {
      const [first, second] = [await answered(), await answered()]
      if (JSON.stringify(first.body) !== JSON.stringify(second.body))
        throw new Error(`two answers: ${JSON.stringify([first.body, second.body])}`)
      onAnswer(first)
    },
  }
}

/** Asks for an invoice. */
export function ask(invoices: Invoices, amount: number): Action {
  return call(
    invoices,
    () => 'plans/create-investment-payment/',
    { amount },
    (answer) => {
      const { txn_id, address } = answer.as(investmentPayment).result
      invoices.txnIds.push(txn_id)
      invoices.address = address
    },
  )
}

const oldest = ({ txnIds: [first] }: Invoices) => first ?? ''

export const complete = (invoices: Invoices): Action =>
  call(invoices, () => `plans/invoices/${oldest(invoices)}/complete/`, {})
export const cancel = (invoices: Invoices): Action =>
  call(invoices, () => `plans/invoices/${oldest(invoices)}/cancel/`, {})

const UNCREDITED =
  'incoming_transfer t WHERE member_id = $1 AND NOT EXISTS (SELECT FROM deposit_credit c WHERE c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position)'

/** Whether something is recorded for the member and not credited. */
export const waitsForCredit = async ({ product, member }: Invoices) =>
  (await countOf(product, UNCREDITED, [member.id])) > 0

/** Pays all amounts in one transaction. */
export function pay(invoices: Invoices, amounts: readonly string[]): Action {
  const { product, member } = invoices
  const credits = () => countOf(product, 'deposit_credit WHERE member_id = $1', [member.id])
  let before = Number.POSITIVE_INFINITY
  return {
    async begin() {
      before = await credits()
      const [amount, ...others] = amounts
      const to = invoices.address
      if (others.length === 0) await product.dev('pay', { to, amount, key: randomUUID() })
      else await product.dev('fault', { kind: 'several_transfers', to, amounts })
    },
    isBooked: async () => (await credits()) > before,
    async ensure() {
      await until(
        `the credit of ${amounts.join(' and ')}`,
        async () => (await credits()) >= before + amounts.length,
      )
    },
  }
}

/** Its two hours are over: now, or at the moment that is given. */
export function end(invoices: Invoices, at = 'clock_timestamp()'): Promise<unknown> {
  const sql = `UPDATE invoice SET expires_at = ${at} WHERE txn_id = $1 AND state = 'open'`
  return invoices.product.query(sql, [oldest(invoices)])
}

/** A minute begins. */
export const runExpiry = ({ product }: Invoices) =>
  product.query(
    "SELECT graphile_worker.add_job('investments.expire', '{}'::json, job_key => 'investments.expire')",
  )

/** Until the job is begun again; a product waits longer. */
const A_MINUTE_MS = 500

/** The job finds the oldest invoice past its end. */
export function expire(invoices: Invoices): Action {
  const { product } = invoices
  const isBooked = async () =>
    (await countOf(product, "invoice WHERE txn_id = $1 AND state = 'expired'", [oldest(invoices)])) === 1
  return {
    async begin() {
      await end(invoices)
      await until('the chain to be read up to the end of the invoice', async () => {
        const read = 'invoice i, chain_cursor c WHERE i.txn_id = $1 AND c.scanned_at > i.expires_at'
        return (await countOf(product, read, [oldest(invoices)])) > 0
      })
      await runExpiry(invoices)
    },
    isBooked,
    async ensure() {
      const ended = async () => {
        if (!(await isBooked())) await runExpiry(invoices)
        return isBooked()
      }
      await until('the end of the invoice', ended, A_MINUTE_MS)
    },
  }
}

/** What the member sees of each invoice. */
export async function statesOf({ member, txnIds }: Invoices): Promise<InvoiceStatus['state'][]> {
  return until('the states of the invoices', async () => {
    const client = await member.client()
    const answers = await Promise.all(txnIds.map((txnId) => client.get(`plans/invoices/${txnId}/`)))
    return answers.map((answer) => answer.as(invoiceStatus).state)
  })
}

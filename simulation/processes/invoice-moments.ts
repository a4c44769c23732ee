/** Where an invoice can be when a process dies: every step of each process that moves its money. */
import type { ProcessName, Release, Step } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'
import { type Action, end, type Invoices, runExpiry, waitsForCredit } from './invoices.ts'

export interface InvoiceMoment {
  readonly name: string
  /** Whose death is tried then: of the process that takes the step; at a COMMIT of the database, too. */
  readonly victims: readonly ProcessName[]
  /** Begins the action and brings it there, where it stays until it is released. */
  reach(invoices: Invoices, action: Action): Promise<Release>
}

type Writer = 'api' | 'worker' | 'gateway'

/** In the middle of a transaction, which waits at this step. */
const inside = (name: string, writer: Writer, step: Step): InvoiceMoment => ({
  name,
  victims: step.at === 'COMMIT' ? [writer, 'postgres'] : [writer],
  async reach({ product }, action) {
    const hold = await product.holdAt(step)
    await action.begin()
    await until(name, () => hold.isAwaitedBy(writer))
    return hold.release
  },
})

/** The database has it, and the process never hears of that. */
const afterCommit = (name: string, writer: Writer, table: string, when = 'true'): InvoiceMoment => ({
  name,
  victims: [writer],
  async reach({ product }, action) {
    const hold = await product.holdAt(commit(table, when))
    await action.begin()
    await until(name, () => hold.isAwaitedBy(writer))
    const resume = await product.freeze(writer)
    await hold.release()
    await until(`${name}: the rows`, () => action.isBooked())
    return resume
  },
})

const before = (table: string, when = 'true'): Step => ({ at: 'BEFORE', of: 'INSERT', table, when })
const after = (table: string): Step => ({ at: 'AFTER', of: 'INSERT', table })
const commit = (table: string, when = 'true'): Step => ({ at: 'COMMIT', of: 'INSERT OR UPDATE', table, when })
const afterInvoice = (state: string): Step => ({
  at: 'AFTER',
  of: 'UPDATE',
  table: 'invoice',
  when: `NEW.state = '${state}'`,
})

const HAS_EXPIRED = "NEW.state = 'expired'"

/** Between the chain and the first row of a credit. */
const ARRIVING: readonly InvoiceMoment[] = [
  {
    name: 'solid, not read',
    victims: ['gateway'],
    async reach({ product }, action) {
      const resume = await product.freeze('gateway')
      await action.begin()
      await until('the transfer in a block', async () => (await product.chain()).pending === 0)
      const { head } = await product.chain()
      await until('its block to be solid', async () => (await product.chain()).solid >= head)
      return resume
    },
  },
  inside('about to be recorded, the cursor moved', 'gateway', before('incoming_transfer')),
  inside('recorded, in its COMMIT', 'gateway', commit('incoming_transfer')),
  {
    name: 'recorded, not credited',
    victims: ['worker', 'postgres'],
    async reach(invoices, action) {
      const resume = await invoices.product.freeze('worker')
      await action.begin()
      await until('the transfer to be recorded', () => waitsForCredit(invoices))
      return resume
    },
  },
]

/** A transfer that is not the last one of its invoice. */
export const PART: readonly InvoiceMoment[] = [
  ...ARRIVING,
  inside('about to go to pending', 'worker', before('posting', "NEW.kind = 'deposit_to_pending'")),
  inside('in pending, without its credit', 'worker', before('deposit_credit')),
  inside('credited, not counted', 'worker', after('deposit_credit')),
  inside('counted', 'worker', afterInvoice('open')),
  inside('credited, in its COMMIT', 'worker', commit('deposit_credit')),
  afterCommit('credited, the job not done', 'worker', 'deposit_credit'),
]

/** The transfer that makes the sum complete. */
export const REST: readonly InvoiceMoment[] = [
  ...ARRIVING,
  inside('between pending and principal', 'worker', before('posting', "NEW.kind = 'pending_to_principal'")),
  inside('between principal and the fee', 'worker', before('posting', "NEW.kind = 'pending_fee'")),
  inside('posted, without its credit', 'worker', before('deposit_credit', "NEW.outcome <> 'part'")),
  inside('credited, the invoice open', 'worker', after('deposit_credit')),
  inside('paid, without an investment', 'worker', afterInvoice('paid')),
  inside('invested, no commissions asked for', 'worker', after('investment')),
  inside('invested, in its COMMIT', 'worker', commit('investment')),
  afterCommit('invested, the job not done', 'worker', 'deposit_credit'),
]

/** The same with more than is missing: one posting more. */
export const SURPLUS: readonly InvoiceMoment[] = [
  ...REST,
  inside('before the surplus', 'worker', before('posting', "NEW.kind = 'deposit_to_balance'")),
]

/** An answer is stored in the transaction of its call: with the rows of this table. */
const answering = (table: string, when?: string): readonly InvoiceMoment[] => [
  inside('done, in its COMMIT', 'api', commit('idempotency_response')),
  afterCommit('done, not answered', 'api', table, when),
]

export const ASKED: readonly InvoiceMoment[] = [
  inside('about to have its invoice', 'api', before('invoice')),
  inside('its invoice without a public id', 'api', before('invoice_key')),
  ...answering('invoice_key'),
]

export const COMPLETED: readonly InvoiceMoment[] = [
  inside('about to leave pending', 'api', before('posting', "NEW.kind = 'pending_to_principal'")),
  inside('between pending and the balance', 'api', before('posting', "NEW.kind = 'reinvest'")),
  inside('paid, without an investment', 'api', afterInvoice('paid')),
  inside('invested, no commissions asked for', 'api', after('investment')),
  ...answering('investment'),
]

export const CANCELLED: readonly InvoiceMoment[] = [
  inside('cancelled, its part in pending', 'api', afterInvoice('cancelled')),
  inside('its part about to be in the balance', 'api', before('posting', "NEW.kind = 'pending_to_balance'")),
  ...answering('invoice', "NEW.state = 'cancelled'"),
]

export const EXPIRED: readonly InvoiceMoment[] = [
  inside('expired, its part in pending', 'worker', afterInvoice('expired')),
  inside(
    'its part about to be in the balance',
    'worker',
    before('posting', "NEW.kind = 'pending_to_balance'"),
  ),
  inside('expired, in its COMMIT', 'worker', commit('invoice', HAS_EXPIRED)),
  afterCommit('expired, the job not done', 'worker', 'invoice', HAS_EXPIRED),
]

/** A transfer that comes after the end, when nothing has ended the invoice yet: its credit does. */
export const LATE: readonly InvoiceMoment[] = [
  ...EXPIRED.slice(0, 2),
  inside(
    'the invoice ended, the late part not credited',
    'worker',
    before('deposit_credit', "NEW.outcome = 'late'"),
  ),
  afterCommit('late, the job not done', 'worker', 'deposit_credit'),
]

/** The rest comes in the invoice's last instant; while it is credited, the job that ends invoices begins. */
export const BESIDE_EXPIRY: readonly InvoiceMoment[] = [
  {
    name: 'its credit held, the job that ends it waiting',
    victims: ['worker', 'postgres'],
    async reach(invoices, action) {
      const { product, member } = invoices
      const resume = await product.freeze('worker')
      await action.begin()
      await until('the transfer to be recorded', () => waitsForCredit(invoices))
      await end(
        invoices,
        `(SELECT max(block_at) FROM incoming_transfer WHERE member_id = ${BigInt(member.id)})`,
      )
      const hold = await product.holdAt(before('posting', "NEW.kind = 'pending_to_principal'"))
      await resume()
      await until('the credit between two postings', () => hold.isAwaitedBy('worker'))
      await runExpiry(invoices)
      await until('the job behind it', async () => {
        const waiting = await product.query(
          "SELECT FROM pg_stat_activity WHERE application_name = 'aval-worker' AND wait_event_type = 'Lock'",
        )
        return waiting.length >= 2
      })
      return hold.release
    },
  },
]

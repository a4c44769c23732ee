import { z } from 'zod'
import { amountInput, amountText, instant, typedMark } from './common.ts'

/** A checkbox as clients send it: JSON boolean, or the text of one. */
const checkbox = z.union([
  z.boolean(),
  z.enum(['true', 'false', '']).transform((text) => text === 'true'),
  z.null().transform(() => false),
])

/** POST plans/create-investment-payment/ */
export const createInvestmentBody = z.object({ amount: amountInput, payPasive: checkbox.optional() })

export const investmentPayment = z.object({
  error: z.literal('ok'),
  result: z.object({
    /** What to send, company fee included. */
    amount: amountText,
    txn_id: z.string(),
    address: z.string(),
    confirms_needed: z.int(),
    /** Seconds until the invoice lapses. */
    timeout: z.int(),
    checkout_url: z.string(),
    status_url: z.string(),
    qrcode_url: z.string(),
  }),
})

export const verifyBody = z.object({ txn_id: typedMark().min(1).max(64) })

export const INVOICE_STATES = [
  'waiting',
  'confirming',
  'partly_paid',
  'paid',
  'expired',
  'cancelled',
] as const

/** GET plans/invoices/{txn_id}/ (the `status_url`), and a row of GET plans/invoices/. */
export const invoiceStatus = z.object({
  txn_id: z.string(),
  state: z.enum(INVOICE_STATES),
  /** False once its end is booked: it takes nothing any more, and cannot be completed or cancelled. */
  is_open: z.boolean(),
  /** What becomes the investment. */
  investment: amountText,
  fee: amountText,
  /** Investment and fee. */
  amount: amountText,
  /** Solidified and counted; on its way; still to send. */
  received: amountText,
  on_the_way: amountText,
  missing: amountText,
  /** What the balance would have to add to complete it now, without a fee. */
  from_balance: amountText,
  /** Came for it and went to the balance: a surplus, what came late, or all of it where it ended unpaid. */
  to_balance: amountText,
  /** What to send for what is missing: whole cents. */
  to_send: amountText,
  /** Of an older open investment that what arrives counts for first. */
  behind: amountText.nullable(),
  confirmations: z.int(),
  confirms_needed: z.int(),
  created_at: instant,
  expires_at: instant,
  /** Seconds to its end; 0 past it. */
  timeout: z.int(),
  address: z.string(),
  checkout_url: z.string(),
  paid_txid: z.string().nullable(),
  /** Of one that is paid: when the investment unlocks, and the day of its first payment, "2026-11-24", which is an estimate. */
  unlocks_at: instant.nullable(),
  first_payment_day: z.string().nullable(),
  first_payment: amountText.nullable(),
  explorer_url: z.string().nullable(),
  message: z.string(),
})
export type InvoiceStatus = z.infer<typeof invoiceStatus>

/** Principal whose term runs: how much and of how many investments, and what of each is locked until when. */
export const lockedPrincipal = z.object({
  amount: amountText,
  count: z.int(),
  /** In the order in which they unlock; the first hundred. */
  parts: z.array(z.object({ amount: amountText, invested_at: instant, unlocks_at: instant })),
})
export type LockedPrincipal = z.infer<typeof lockedPrincipal>

/** GET plans/terms/: what the invest form must tell before anything is created. */
export const investmentTerms = z.object({
  minimum: amountText,
  fee_percentage: z.string(),
  lock_days: z.int(),
  daily_percentage: z.string(),
  /** What of the balance can be invested: all of it but what the member owes. */
  balance: amountText,
  /** When what is invested now unlocks. */
  unlocks_at: instant,
  /** What is invested already, how it is locked, and each part by the share of its term that is over. */
  invested: amountText,
  locked: lockedPrincipal,
  elapsed: amountText,
})
export type InvestmentTerms = z.infer<typeof investmentTerms>

/** A row of GET plans/history/. */
export const investmentEntry = z.object({
  id: z.int(),
  amount: amountText,
  date: instant,
  status: z.enum(['completed', 'reversed']),
  reversed_at: instant.nullable(),
  txn_id: z.string().nullable(),
  pay_with_balance: z.boolean(),
  /** The investment's value after this entry, whatever the name says, without what was reversed later. */
  before_investment_value: amountText,
  /** The transaction that completed it; null where the balance paid. `explorer_url` shows that one. */
  txid: z.string().nullable(),
  explorer_url: z.string().nullable(),
})
export type InvestmentEntry = z.infer<typeof investmentEntry>

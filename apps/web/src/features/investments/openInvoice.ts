import { isNumber, isText, shaped } from '../../api/shape.ts'
import { type KeyValueStore, readJson, storage } from '../../api/storage.ts'
import type { CreatedInvoice } from './api.ts'

/** An invoice on its way, kept so that closing the dialog or the page does not lose where to pay. */
export interface OpenInvoice {
  userId: number
  txnId: string
  address: string
  /** Decimal text: what to send. */
  amount: string
  checkoutUrl: string
  /** Milliseconds on this device's clock; the server's may be a demo's, days ahead. */
  deadline: number
}

const KEY = 'open_invoice'
/** A payment may be seen shortly after the deadline; the address stays in view that long. */
const GRACE = 30 * 60 * 1000

export function invoiceFrom(created: CreatedInvoice, userId: number, now: number): OpenInvoice {
  return {
    userId,
    txnId: created.txn_id,
    address: created.address,
    amount: created.amount,
    checkoutUrl: created.checkout_url,
    deadline: now + created.timeout * 1000,
  }
}

export function keepInvoice(invoice: OpenInvoice, store: KeyValueStore = storage): void {
  store.set(KEY, JSON.stringify(invoice))
}

export function forgetInvoice(store: KeyValueStore = storage): void {
  store.remove(KEY)
}

const isWhole = shaped({
  userId: isNumber,
  txnId: isText,
  address: isText,
  amount: isText,
  checkoutUrl: isText,
  deadline: isNumber,
} satisfies Record<keyof OpenInvoice, unknown>)
const isInvoice = (value: unknown): value is OpenInvoice => isWhole(value)

/** The invoice this member left open, or null. Another member's, a lapsed one and junk are dropped. */
export function keptInvoice(userId: number, now: number, store: KeyValueStore = storage): OpenInvoice | null {
  const invoice = readJson(store, KEY)
  if (isInvoice(invoice) && invoice.userId === userId && now < invoice.deadline + GRACE) return invoice
  forgetInvoice(store)
  return null
}

import { type KeyValueStore, storage } from '../../api/storage.ts'
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

/** The invoice this member left open, or null. Another member's, a lapsed one and junk are dropped. */
export function keptInvoice(userId: number, now: number, store: KeyValueStore = storage): OpenInvoice | null {
  const text = store.get(KEY)
  if (text === null) return null
  const invoice = parsed(text)
  if (invoice !== null && invoice.userId === userId && now < invoice.deadline + GRACE) return invoice
  forgetInvoice(store)
  return null
}

function parsed(text: string): OpenInvoice | null {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof OpenInvoice, unknown>> | null
    if (value === null || typeof value !== 'object') return null
    const texts = [value.txnId, value.address, value.amount, value.checkoutUrl]
    const numbers = [value.userId, value.deadline]
    const isWhole = texts.every((part) => typeof part === 'string') && numbers.every(Number.isFinite)
    return isWhole ? (value as OpenInvoice) : null
  } catch {
    return null
  }
}

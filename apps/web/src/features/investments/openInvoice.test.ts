import { describe, expect, it } from 'vitest'
import { safeStore } from '../../api/storage.ts'
import { investmentPayment } from '../../testing/figures.ts'
import { invoiceFrom, keepInvoice, keptInvoice } from './openInvoice.ts'

/** A store that lives as long as the test. */
const memoryStore = () =>
  safeStore(() => {
    throw new Error('none')
  })

describe('an open invoice', () => {
  const now = 1_700_000_000_000
  const invoice = invoiceFrom(investmentPayment.result, 7, now)

  it('is found again until half an hour after its deadline', () => {
    const store = memoryStore()
    keepInvoice(invoice, store)
    expect(keptInvoice(7, now + 7200 * 1000, store)).toEqual(invoice)
    expect(keptInvoice(7, now + 9000 * 1000, store)).toBeNull()
    expect(store.get('open_invoice')).toBeNull()
  })

  it('is not shown to another member', () => {
    const store = memoryStore()
    keepInvoice(invoice, store)
    expect(keptInvoice(8, now, store)).toBeNull()
  })

  it.each(['', 'null', '{', '7', '{"userId":7}', '[]'])('is nothing when %j is stored', (text) => {
    const store = memoryStore()
    store.set('open_invoice', text)
    expect(keptInvoice(7, now, store)).toBeNull()
  })

  it.each([
    { address: undefined },
    { amount: 1005 },
    { txnId: null },
    { checkoutUrl: undefined },
    { deadline: '9000000000000000' },
  ])('is nothing when it was stored with %j', (change) => {
    const store = memoryStore()
    store.set('open_invoice', JSON.stringify({ ...invoice, ...change }))
    expect(keptInvoice(7, now, store)).toBeNull()
  })
})

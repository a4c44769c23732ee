import type { ObservedTransfer } from '@aval/contract'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import * as figures from '../../../testing/figures.ts'
import { show } from '../../../testing/page.tsx'
import { fakeServer } from '../../../testing/server.ts'
import { DepositsPage } from './DepositsPage.tsx'

const deposit = (txid: string, amount: string, more: Partial<ObservedTransfer>): ObservedTransfer => ({
  ...{ txid, position: 0, block: 7, date: figures.DAY, verdict: 'credit', fate: 'part', contract: 'T' },
  ...{ from: figures.WALLET, to: figures.WALLET, value: '1', amount, member: { id: 7, username: 'ana' } },
  ...{ credited_at: figures.DAY, to_balance: null, review: null, explorer_url: null, invoice: null },
  ...more,
})
const invoice = (state: string, received: string) => ({ id: 'i', due: '1005.00', received, state })

it('a part says what it was itself, also once the rest came or its time ran out; who looks for a transaction has its row open', async () => {
  Element.prototype.scrollIntoView = () => undefined
  const server = fakeServer()
  server.on('GET operator/me/', figures.admin)
  const rows = [
    deposit('a'.repeat(64), '400.00', { invoice: invoice('paid', '1005.00') }),
    deposit('b'.repeat(64), '300.00', { invoice: invoice('expired', '300.00') }),
  ]
  server.on('GET operator/transfers/', { ...figures.pageOf(...rows), more: false, sum: '700.00' })
  const at = `/operator/deposits?search=${'b'.repeat(64)}`
  await show(<DepositsPage />, { texts: ['console/deposits', 'console/shared'], at })
  await screen.findByText('$400.00 of $1,005.00')
  screen.getByText('$300.00 of $1,005.00; expired, went to the balance')
  screen.getByText(/that ended incomplete: it went to the balance/)
  expect(screen.queryByText(/It is a part of an invoice/)).toBeNull()
})

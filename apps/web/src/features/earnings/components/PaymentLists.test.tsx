import type { PassivePayment } from '@aval/contract'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { show } from '../../../testing/page.tsx'
import { fakeServer } from '../../../testing/server.ts'
import { PassiveList } from './PaymentLists.tsx'

const day = (more: Partial<PassivePayment>): PassivePayment => ({
  id: 1,
  date: '2026-11-20T05:00:00.000Z',
  current_investment_amount: '1050.00',
  amount: '3.50',
  state: 'paid',
  status: 'paid',
  taken_back: '0.00',
  why: { sentence: '', plan_version: 1, basis: '1050.00', percentage: '0.3333', arithmetic: '' },
  ...more,
})

async function amountOf(payment: PassivePayment): Promise<string> {
  const page = { links: { next: null, previous: null }, total_pages: 1, count: 1, results: [payment] }
  fakeServer().on('GET payments/pasive-payments/', page)
  await show(<PassiveList page={1} onPage={() => undefined} />, { texts: ['earnings'] })
  const row = (await screen.findByText('$1,050.00')).closest('tr') as HTMLElement
  return within(row).getAllByRole('cell').at(2)?.textContent ?? ''
}

describe('the amount of a passive payment', () => {
  it.each([
    ['paid', {}, '+$3.50'],
    ['reversed in part', { status: 'partly_reversed', taken_back: '0.16' }, '+$3.50$0.16 reversed'],
    ['held for its pool', { status: 'pending', state: 'awaiting_funding' }, '$3.50Awaiting funding'],
    ['held for an operator', { status: 'pending', state: 'in_review' }, '$3.50In review'],
    ['in words of a newer server', { status: 'pending', state: 'parked' as 'paid' }, '$3.50On its way'],
    ['reversed whole: it has no plus', { status: 'reversed', taken_back: '3.50' }, '$3.50Reversed'],
  ] as const)('that was %s', async (_, more, text) => {
    expect(await amountOf(day(more))).toBe(text)
  })
})

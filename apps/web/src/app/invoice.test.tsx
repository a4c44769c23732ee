import type { InvoiceStatus } from '@aval/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { InvestDialog } from '../features/investments/components/InvestDialog.tsx'
import { PendingInvestments } from '../features/investments/components/PendingInvestments.tsx'
import { deadlineOf } from '../features/investments/invoice.ts'
import * as figures from '../testing/figures.ts'
import { button, field, show } from '../testing/page.tsx'
import { type FakeServer, fakeServer, held, lost, refused } from '../testing/server.ts'

let server: FakeServer
beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  server = fakeServer()
  server.on('GET auth/user/', figures.user)
  server.on('GET plans/terms/', figures.investmentTerms)
})

const invoice = (more: Partial<InvoiceStatus> = {}): InvoiceStatus => ({ ...figures.invoiceStatus, ...more })
/** 300 of 1,256.75 came; the balance of 120.50 covers the rest. */
const PART = {
  state: 'partly_paid',
  received: '1150.00',
  missing: '106.75',
  to_send: '106.75',
  from_balance: '106.22',
} as const

async function pay(more: Partial<InvoiceStatus> = {}) {
  server.on('GET plans/invoices/INV1/', invoice(more))
  return show(<InvestDialog user={figures.user} start={{ txnId: 'INV1' }} onClose={() => undefined} />, {
    texts: ['investments'],
  })
}

describe('an invoice', () => {
  it.each([
    ['waiting', {}, 'Verify payment', '1,256.75'],
    ['partly paid: exactly the rest', PART, 'Verify payment', '106.75'],
    ['paid', { state: 'paid', is_open: false, missing: '0.00' }, 'Done', 'Your investment grew by'],
    [
      'paid: when it unlocks, and its first payment',
      {
        state: 'paid',
        is_open: false,
        missing: '0.00',
        unlocks_at: '2027-11-20T15:00:00Z',
        first_payment_day: '2026-11-21',
        first_payment: '4.16',
      },
      'Done',
      'an estimated $4.16',
    ],
    [
      'seen: with its amount',
      { state: 'confirming', confirmations: 7, on_the_way: '1256.75', missing: '0.00' },
      'Verify payment',
      'Payment of 1,256.75 USDT seen: 7 of',
    ],
    [
      'paid with a surplus',
      { state: 'paid', is_open: false, missing: '0.00', to_balance: '96.00' },
      'Done',
      'You sent 96.00 USDT more: it is in your balance.',
    ],
    [
      'expired with money',
      { state: 'expired', is_open: false, to_balance: '5.00', message: 'It is in your balance.' },
      'Invest now from my balance',
      'It is in your balance.',
    ],
    [
      'expired without',
      { state: 'expired', is_open: false, message: 'It has expired.' },
      'Create another investment',
      'It has expired.',
    ],
    [
      'cancelled with money',
      { state: 'cancelled', is_open: false, to_balance: '5.00' },
      'Invest now from my balance',
      'You cancelled this investmentThe 5.00 USDT that arrived are in your balance, in full.',
    ],
    [
      'cancelled without',
      { state: 'cancelled', is_open: false },
      'Create another investment',
      'You cancelled this investmentWhat may still arrive goes to your balance, in full.',
    ],
  ] as const)('that is %s says so, and has one next step', async (_, more, next, text) => {
    await pay(more)
    await screen.findByRole('button', { name: next })
    expect(document.body.textContent).toContain(text)
  })

  it('hides where to pay once its time is over, before the server has ended it', async () => {
    await pay({ ...PART, timeout: 0 })
    await screen.findByText('The time for this payment is up')
    screen.getByText(/^What arrived, or still arrives/)
    expect(screen.queryByText(/106\.75/)).toBeNull()
    expect(screen.queryByText('Send exactly')).toBeNull()
    expect(screen.queryByText('Change the amount')).toBeNull()
  })

  it('has no time left once it is over, however late this page reads its clock', () => {
    expect(deadlineOf({ timeout: 0 }, 5_000)).toBeLessThan(4_000)
    expect(deadlineOf({ timeout: 7 }, 5_000)).toBe(12_000)
  })

  it('hides where to pay while all of it is on its way', async () => {
    await pay({ state: 'confirming', missing: '0.00', on_the_way: '1256.75', confirmations: 3 })
    await screen.findByText(/3 of 19/)
    expect(screen.queryByText('Send exactly')).toBeNull()
  })

  it('that nobody knows any more leads back to the amount', async () => {
    server.on('GET plans/invoices/INV1/', refused(404, 'invoice_not_found', 'There is no such invoice.'))
    await show(<InvestDialog user={figures.user} start={{ txnId: 'INV1' }} onClose={() => undefined} />, {
      texts: ['investments'],
    })
    await screen.findByRole('textbox', { name: 'How much do you want to invest?' })
  })

  it('that is not answered says so, and can be asked for again', async () => {
    const call = 'GET plans/invoices/INV1/'
    server.on(call, refused(500, 'unexpected', 'Something went wrong.'))
    const user = await show(
      <InvestDialog user={figures.user} start={{ txnId: 'INV1' }} onClose={() => undefined} />,
      { texts: ['investments'] },
    )
    await screen.findByText('Something went wrong.')
    server.on(call, invoice())
    await user.click(button('Try again'))
    await screen.findByText('Waiting for your payment')
  })

  it('says that an older one is served first', async () => {
    await pay({ behind: '600.00' })
    await screen.findByText(/counts first for the investment of \$600.00/)
  })

  it('that ended leads to the form, with the balance chosen', async () => {
    const user = await pay({ state: 'expired', is_open: false, to_balance: '5.00' })
    await user.click(await screen.findByRole('button', { name: 'Invest now from my balance' }))
    await waitFor(() => expect(field('How much do you want to invest?').value).toBe('120.50'))
    expect(screen.getByRole('checkbox')).toHaveProperty('checked', true)
  })

  it.each([
    ['120.50', '120.50', true],
    ['20.50', '20.50', true],
    ['0.00', '', false],
  ])('with %s of the balance free to invest begins with that', async (balance, amount, isChosen) => {
    server.on('GET plans/terms/', { ...figures.investmentTerms, balance })
    const dialog = <InvestDialog user={figures.user} start="balance" onClose={() => undefined} />
    const user = await show(dialog, { texts: ['investments'] })
    await screen.findByText(/^Minimum/)
    await waitFor(() => expect(field('How much do you want to invest?').value).toBe(amount))
    expect(screen.queryByRole('checkbox')?.matches(':checked') ?? false).toBe(isChosen)
    await user.tab()
    expect(screen.queryByText(/You have/)).toBeNull()
  })

  it('left open somewhere is gone on with, the latest first', async () => {
    const other = invoice({ txn_id: 'INV0' })
    const { reply, give } = held()
    server.on('GET plans/invoices/', reply)
    server.on('GET plans/invoices/INV1/', invoice(PART))
    const dialog = <InvestDialog user={figures.user} start="amount" onClose={() => undefined} />
    await show(dialog, { texts: ['investments'] })
    // Until then it has its shape, not its title alone.
    await waitFor(() => expect(screen.getByRole('dialog').querySelector('.skeleton')).not.toBeNull())
    give([other, invoice(), invoice({ txn_id: 'OVER', timeout: 0 })])
    await screen.findByText('We received 1,150.00 of 1,256.75 USDT')
  })
})

describe('completing an invoice with the balance', () => {
  const CALL = 'POST plans/invoices/INV1/complete/'
  const complete = async () => {
    const user = await pay(PART)
    return {
      user,
      press: await screen.findByRole('button', { name: /Complete with my balance \(\$106.22\)/ }),
    }
  }

  it('is offered only where the balance covers it', async () => {
    await pay({ ...PART, from_balance: '120.51' })
    await screen.findByRole('button', { name: 'Verify payment' })
    expect(screen.queryByRole('button', { name: /Complete/ })).toBeNull()
  })

  it('comes first where it is offered: it needs no other transfer', async () => {
    const { press } = await complete()
    const where = screen.getByText('Send exactly')
    expect(press.compareDocumentPosition(where)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('keeps its key while no answer came, and takes another after a refusal', async () => {
    const { user, press } = await complete()
    for (const reply of [lost, refused(422, 'no', 'Not today.'), { message: 'Done.' }]) {
      server.on(CALL, reply)
      const sent = server.calls(CALL).length
      await user.click(press)
      await waitFor(() => expect(server.calls(CALL)).toHaveLength(sent + 1))
      await waitFor(() => expect(press).toHaveProperty('disabled', false))
    }
    const [first, second, third] = server.calls(CALL).map(({ key }) => key)
    expect(first).toMatch(/^[\w-]{32,}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('is sent once however often it is pressed, and asks anew for what it changed', async () => {
    const { press } = await complete()
    const answer = held()
    server.on(CALL, answer.reply)
    fireEvent.click(press)
    fireEvent.click(press)
    await waitFor(() => expect(server.calls(CALL)).toHaveLength(1))
    const before = server.calls('GET plans/invoices/INV1/').length
    answer.give({ message: 'Your investment grew.' })
    await screen.findByText('Your investment grew.')
    await waitFor(() => expect(server.calls('GET plans/invoices/INV1/').length).toBeGreaterThan(before))
    expect(server.calls(CALL)).toHaveLength(1)
  })
})

describe('cancelling an invoice', () => {
  const CALL = 'POST plans/invoices/INV1/cancel/'
  beforeEach(() => server.on(CALL, { message: 'You cancelled it.' }))

  it('that nothing came for asks before another takes its place, and keeps the amount', async () => {
    const user = await pay()
    await user.click(await screen.findByRole('button', { name: 'Change the amount' }))
    screen.getByText(/1,256\.75 USDT that you opened is cancelled/)
    expect(server.calls('POST')).toEqual([])
    await user.click(button('Yes, change the amount'))
    await screen.findByRole('textbox', { name: 'How much do you want to invest?' })
    expect(server.calls(CALL)).toHaveLength(1)
  })

  it('that a part came for says where the part goes, and asks', async () => {
    const user = await pay(PART)
    await user.click(await screen.findByRole('button', { name: 'Cancel this investment' }))
    const question = await screen.findByRole('alertdialog')
    within(question).getByText(/1,150.00 USDT\) goes to your balance/)
    // The invoice is darkened as the page under it is: the question alone is bright.
    expect(document.querySelectorAll('.dialog-backdrop')).toHaveLength(2)
    expect(server.calls(CALL)).toHaveLength(0)
    await user.click(within(question).getByRole('button', { name: 'Yes, cancel it' }))
    await waitFor(() => expect(server.calls(CALL)).toHaveLength(1))
  })
})

describe('the card of pending investments', () => {
  const card = async (list: unknown) => {
    server.on('GET plans/invoices/', list)
    const [goOn, invest] = [vi.fn(), vi.fn()]
    const part = <PendingInvestments onContinue={goOn} onInvestBalance={invest} hold={<p>On its way</p>} />
    const user = await show(part, { texts: ['investments'] })
    return { user, goOn, invest }
  }

  it('names amount and state, and goes on with the one that is pressed', async () => {
    const { reply, give } = held()
    const { user, goOn } = await card(reply)
    await screen.findByText('On its way')
    give([invoice(PART), invoice({ txn_id: 'INV2' })])
    await screen.findByRole('heading', { name: 'Pending investments' })
    screen.getByText('We received 1,150.00 of 1,256.75 USDT')
    const [first] = screen.getAllByRole('button', { name: 'Continue' })
    await user.click(first as HTMLElement)
    expect(goOn).toHaveBeenCalledWith('INV1')
  })

  it('says where the money of one that ended is, until it is hidden', async () => {
    const ended = invoice({
      state: 'expired',
      is_open: false,
      to_balance: '5.00',
      message: 'In your balance.',
    })
    const { user, invest } = await card([ended])
    await screen.findByText('In your balance.')
    await user.click(button('Invest my balance'))
    expect(invest).toHaveBeenCalledOnce()
    await user.click(button('Hide'))
    expect(screen.queryByText('In your balance.')).toBeNull()
    await card([ended])
    await waitFor(() => expect(server.calls('GET plans/invoices/').length).toBeGreaterThan(1))
    expect(screen.queryByText('In your balance.')).toBeNull()
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import * as figures from '../../../testing/figures.ts'
import { button, field, put, show } from '../../../testing/page.tsx'
import { type FakeServer, fakeServer } from '../../../testing/server.ts'
import { WithdrawalsPage } from './WithdrawalsPage.tsx'

let server: FakeServer
beforeEach(() => {
  sessionStorage.clear()
  server = fakeServer()
  server.on('GET auth/user/', figures.user)
  server.on('GET withdrawals/terms/', { ...figures.withdrawalTerms, needs_otp: false })
  server.on('GET withdrawals/withdrawals/', figures.pageOf())
})

const openPage = () => show(<WithdrawalsPage />, { texts: ['withdrawals'] })

it('who sent a withdrawal is at its timeline, in sight and with the focus', async () => {
  const scrolledTo: Element[] = []
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolledTo.push(this)
  }
  const user = await openPage()
  await screen.findByText(/You can withdraw/)
  await put(user, 'Amount', '50')
  await user.keyboard('{Enter}')
  server.on('POST withdrawals/withdrawals/create-code/', () => Response.json('The code is on its way.'))
  await user.click(await screen.findByRole('button', { name: 'Generate secret code' }))
  await waitFor(() => expect(document.activeElement).toBe(field('Secret code')))
  await user.keyboard('1234567')
  const answer = figures.withdrawal({ id: 7, amount: '50.00' })
  server.on('POST withdrawals/withdrawals/', answer)
  server.on('GET withdrawals/withdrawals/', figures.pageOf(answer))
  await user.click(button(/^Withdraw \$/))
  const heading = await screen.findByRole('heading', { name: /^Withdrawal of/ })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  expect(scrolledTo).toContain(heading)
})

it('a withdrawal that was under way before takes no focus', async () => {
  server.on('GET withdrawals/withdrawals/', figures.pageOf(figures.withdrawal()))
  await openPage()
  await screen.findByRole('heading', { name: /^Withdrawal of/ })
  expect(document.activeElement).toBe(document.body)
})

it.each([
  ['requested', {}, 'In review'],
  ['approved', { status: '2' }, 'Being signed'],
  ['signed', { status: '2' }, 'Being sent to the network'],
  ['confirming', { status: '2', confirmations: 7 }, 'On the network, 7 of 19'],
] as const)('what is %s says what is going on', async (stage, more, words) => {
  server.on('GET withdrawals/withdrawals/', figures.pageOf(figures.withdrawal({ stage, ...more })))
  await openPage()
  const current = await screen.findByRole('region', { name: /^Withdrawal of/ })
  const step = within(current)
    .getAllByRole('listitem')
    .find((item) => item.getAttribute('aria-current') === 'step')
  expect(step?.textContent).toContain(words)
})

it.each([
  ['completed', '2', 'Approved', 'Completed'],
  ['cancelled', '3', 'Refused', 'Cancelled by you'],
  ['confirming', '2', 'Approved', 'On the network, 0 of 19'],
] as const)(
  'the history says beside the badge of what is %s where it stands',
  async (stage, status, badge, words) => {
    server.on('GET withdrawals/withdrawals/', figures.pageOf(figures.withdrawal({ stage, status })))
    await openPage()
    const shown = within(await screen.findByRole('table')).getByText(badge)
    expect(shown.className).toMatch(/^badge /)
    expect(shown.parentElement?.textContent).toBe(`${badge}${words}`)
  },
)

it('one that came to its end says what arrived', async () => {
  const done = figures.withdrawal({ stage: 'completed', status: '2', arrives: '99.00' })
  server.on('GET withdrawals/withdrawals/', figures.pageOf(done))
  const user = await openPage()
  await user.click(await screen.findByRole('button', { name: /etails/ }))
  await screen.findByText('Done: 99.00 USDT arrived in your wallet.')
})

it.each([
  ['later', /Before Nov 23, 10:00/],
  ['late', /It was to arrive before Nov 23, 10:00/],
] as const)('one that is %s says by which date it is to arrive', async (state, words) => {
  const due = { at: '2026-11-23T10:00:00Z', state, seconds: 1 }
  server.on('GET withdrawals/withdrawals/', figures.pageOf(figures.withdrawal({ due })))
  await openPage()
  await screen.findByText(words)
  expect(within(screen.getByRole('region', { name: /^Withdrawal of/ })).queryByText(/72 hours/)).toBeNull()
})

it('shows a withdrawal whose status it does not know as refused, and all others', async () => {
  const unknown = { ...figures.withdrawal({ id: 8, amount: '80.00' }), status: '9', stage: 'parked' }
  server.on(
    'GET withdrawals/withdrawals/',
    figures.pageOf(unknown, figures.withdrawal({ id: 7, amount: '70.00' })),
  )
  await openPage()
  const row = (await screen.findByText('$80.00')).closest('tr') as HTMLElement
  expect(within(row).getByText('Refused').className).toContain('badge-bad')
  expect(screen.getAllByText('$70.00').length).toBeGreaterThan(0)
})

it('shows no list that is damaged in more than its words', async () => {
  server.on('GET withdrawals/withdrawals/', figures.pageOf({ ...figures.withdrawal(), status: 9 }))
  await openPage()
  await screen.findByText(/You can withdraw/)
  expect(screen.queryByText('$100.00')).toBeNull()
})

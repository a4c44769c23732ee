import type { Payment } from '@aval/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { pageOf } from '../../../testing/figures.ts'
import { button, field, put, show } from '../../../testing/page.tsx'
import { fakeServer, refused, type SentCall } from '../../../testing/server.ts'
import { AllPayments } from './AllPayments.tsx'

const payment = (more: Partial<Payment>): Payment => ({
  id: 1,
  date: '2026-11-20T05:00:00.000Z',
  kind: 'direct',
  user_username: 'luis.gomez',
  user_email: 'l•••@g•••.com',
  level: 2,
  basis: '1050.00',
  amount: '21.00',
  state: 'paid',
  status: 'paid',
  taken_back: '0.00',
  why: { sentence: '', plan_version: 1, basis: '1050.00', percentage: '2', arithmetic: '' },
  ...more,
})

const totals = { count: 3, amount: '30.00', waiting: '4.00', taken_back: '5.00', received: '21.00' }

/** A member who has no payments by master code. */
async function list(search = '') {
  const server = fakeServer()
  server.on('GET payments/totals/', totals)
  server.on('GET payments/all/', ({ path }: SentCall) =>
    path.includes('kind=master') ? pageOf() : pageOf(payment({})),
  )
  const at = `/payments${search}`
  const user = await show(<AllPayments page={1} onPage={() => undefined} />, { texts: ['earnings'], at })
  return { user, server, lastAsked: () => server.calls('GET payments/all/').at(-1)?.path }
}

afterEach(() => vi.unstubAllGlobals())

it('says who invested how much, and what the list comes to', async () => {
  await list()
  const row = (await screen.findByText('gomez')).closest('tr') as HTMLElement
  within(row).getByText(/1,050\.00 invested/)
  const sums = screen.getByRole('group', { name: 'Totals of this list' })
  await within(sums).findByText('3 payments · $4.00 to come · $5.00 reversed')
  expect(sums.textContent).toContain('$21.00')
})

it('asks for the kind, the days and the person that the address says, the totals of just those', async () => {
  const filter = 'kind=direct&from=2026-11-01&to=2026-11-30&q=luis'
  const { server, lastAsked } = await list(`?tab=all&${filter}`)
  await screen.findByText('gomez')
  expect(lastAsked()).toBe(`payments/all/?page=1&${filter}`)
  expect(server.calls('GET payments/totals/').map(({ path }) => path)).toEqual([`payments/totals/?${filter}`])
  expect(field('From').value).toBe('11/01/2026')
  expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Person' }).value).toBe('luis')
})

it('keeps what is chosen in the address, and asks once a person is two letters long', async () => {
  const { user, lastAsked } = await list()
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Kind' }), 'direct')
  await put(user, 'From', '11/05/2026')
  const person = screen.getByRole('searchbox', { name: 'Person' })
  await user.type(person, 'l')
  await waitFor(() => expect(window.location.search).toBe('?kind=direct&from=2026-11-05&q=l'))
  expect(lastAsked()).toBe('payments/all/?page=1&kind=direct&from=2026-11-05')
  await user.type(person, 'u')
  await waitFor(() => expect(lastAsked()).toBe('payments/all/?page=1&kind=direct&from=2026-11-05&q=lu'))
})

it('says that nothing matches, and takes all filters away at a press', async () => {
  const { user } = await list('?tab=all&kind=master&q=luis&page=3')
  await screen.findByText('No payment matches these filters.')
  await user.click(button('Clear filters'))
  await screen.findByText('gomez')
  expect(window.location.search).toBe('?tab=all')
})

it('two days the wrong way round are said so, and only the first is asked for', async () => {
  const { lastAsked } = await list('?from=2026-11-30&to=2026-11-01')
  await screen.findByText('This day must not be before the first.')
  expect(lastAsked()).toBe('payments/all/?page=1&from=2026-11-30')
})

it('on a phone a row is two lines, and opens to its why at a press', async () => {
  vi.stubGlobal('matchMedia', (query: string) =>
    Object.assign(new EventTarget(), { matches: query.includes('575px'), media: query }),
  )
  const { user, server } = await list()
  server.on('GET payments/why/1/', refused(404, 'payment_not_found', 'We could not find that payment.'))
  const row = (await screen.findByText('gomez')).closest('tr') as HTMLElement
  const [cell] = within(row).getAllByRole('cell')
  expect(cell?.textContent).toMatch(/^luis\.gomez\+\$21\.00Direct · Nov 20, 2026Level 2$/)
  await user.click(cell as HTMLElement)
  await screen.findByText('We could not find that payment.')
})

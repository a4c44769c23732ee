import type { CurrentUser, Referral } from '@aval/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer } from '../../../../testing/server.ts'
import { ReferralsPage } from './ReferralsPage.tsx'

const LUIS: Referral = {
  id: 7,
  date: '2026-06-02T15:00:00.000Z',
  status: true,
  is_master_code: false,
  referred_username: 'luis',
  referred_email: 'luis@mail.example',
  referred_phone_number: '',
  invested: '500.00',
  brought: '1700.00',
  earned: '49.50',
}
const page = (results: Referral[]) => ({
  links: { next: null, previous: null },
  total_pages: 1,
  count: results.length,
  results,
})
const CALL = 'GET tree/get-referrals/'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
})
const asked = () => server.calls(CALL).map(({ path }) => path.split('?')[1])
const open = (at = '/') =>
  show(<ReferralsPage user={{ ref_code: '1234567', is_fundator: false } as CurrentUser} />, {
    texts: ['genealogy/referrals'],
    at,
  })

it('each referral says what they invested, what their team brought, and what both earned', async () => {
  server.on(CALL, page([LUIS]))
  await open()
  await screen.findByText('luis')
  const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(headers).toEqual([
    'User',
    'Phone',
    'Registration date',
    'Status',
    'Invested',
    'Team brought',
    'Earned you',
  ])
  const cells = within(screen.getAllByRole('row')[1] as HTMLElement).getAllByRole('cell')
  expect(cells.slice(4).map(({ textContent }) => textContent)).toEqual(['$500.00', '$1,700.00', '$49.50'])
  expect(screen.getByText('What each figure adds up')).toBeDefined()
})

it('search, state and order stand in the address, begin at the first page, and are what is asked for', async () => {
  server.on(CALL, page([LUIS]))
  const user = await open('/?page=3')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Sort by' }), 'Earned you most')
  await user.type(screen.getByRole('searchbox'), 'lu%&')
  await waitFor(() => expect(asked().at(-1)).toBe('page=1&q=lu%25%26&sort=-earned'))
  await user.click(screen.getByRole('button', { name: 'Active' }))
  await waitFor(() => expect(asked().at(-1)).toBe('page=1&status=active&q=lu%25%26&sort=-earned'))
  const address = new URLSearchParams(window.location.search)
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('status')).toBe('active'))
  expect([address.get('q'), address.get('sort')]).toEqual(['lu%&', '-earned'])
})

it('an address that asks for what there is not is read as far as it makes sense', async () => {
  server.on(CALL, page([LUIS]))
  await open('/?sort=-id&status=gone&page=x&q=%20')
  await screen.findByText('luis')
  expect(asked()).toEqual(['page=1'])
})

it('a search that finds nobody says so, and is taken back by a press', async () => {
  server.on(CALL, ({ path }: { path: string }) => page(path.includes('q=') ? [] : [LUIS]))
  const user = await open('/?q=zz')
  await screen.findByText('None of your referrals matches “zz”.')
  await user.click(screen.getByRole('button', { name: 'Clear the search' }))
  await waitFor(() => expect(asked().at(-1)).toBe('page=1'))
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('')
})

it('who has no referrals is offered nothing to search or to put in order', async () => {
  server.on(CALL, page([]))
  await open()
  await screen.findByText(/^You have no referrals yet/)
  expect([screen.queryByRole('searchbox'), screen.queryByRole('combobox')]).toEqual([null, null])
})

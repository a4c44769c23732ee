import type { OperatorWaiting } from '@aval/contract'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import * as figures from '../../../testing/figures.ts'
import { show } from '../../../testing/page.tsx'
import { fakeServer } from '../../../testing/server.ts'
import { WaitingCard } from './WaitingCard.tsx'

const one = { count: 1, more: false, oldest_at: figures.DAY }
const nothing = { count: 0, more: false, oldest_at: null }
const waiting: OperatorWaiting = {
  withdrawals: { ...one, sum: '350.00' },
  deadlines: [
    { ...one, due: 'late', state: 'requested', sum: '350.00', seconds: -82_800 },
    { ...one, due: 'soon', state: 'approved', sum: '80.00', seconds: 2400 },
  ],
  runs: { ...nothing, missing: '0.00' },
  decisions: nothing,
  chats: one,
  deposits: [],
  stop: null,
  failing: [{ what: 'signer_away', since: figures.DAY, detail: '' }],
  pools: [],
}

it('what is past its 72 hours comes first, in words too; what is due soon before all else that is to be done', async () => {
  fakeServer().on('GET operator/me/', figures.admin)
  await show(<WaitingCard waiting={waiting} />, { texts: ['console/today', 'console/shared'] })
  await screen.findAllByText(/signer/i)
  const rows = (await screen.findAllByRole('link')).map((row) => row.textContent ?? '')
  expect(rows[0]).toMatch(/1 withdrawal is past its 72 hours.*23 hr late.*\$350\.00.*To decide/)
  expect(rows[1]).toMatch(/signer/i)
  expect(rows[2]).toMatch(/1 withdrawal is due soon.*Due in 40 min.*On its way/)
  expect(rows[3]).toContain('1 withdrawal')
  const links = screen.getAllByRole('link').map((row) => row.getAttribute('href'))
  expect([links[0], links[2]]).toEqual(['/operator/withdrawals', '/operator/withdrawals?state=approved'])
})

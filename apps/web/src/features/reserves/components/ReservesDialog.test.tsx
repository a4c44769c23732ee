import type { Reserves } from '@aval/contract'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../testing/page.tsx'
import { ReservesDialog } from './ReservesDialog.tsx'

const NONE = {
  principal: '0.00',
  balances: '0.00',
  held: '0.00',
  pending: '0.00',
  due: '0.00',
  total: '0.00',
}
const UNCHECKED: Reserves = {
  checked_at: null,
  verdict: 'never',
  custody: '0.00',
  in_flight: '0.00',
  wallets: [{ role: 'deposits', address: null, explorer_url: null, amount: '0.00' }],
  owed: NONE,
  coverage: null,
}

const dialog = (data: Reserves) => {
  const query = { data, isFetching: false, refetch: () => undefined }
  return show(<ReservesDialog query={query} onClose={() => undefined} />, {
    texts: ['reserves', 'reserves/line'],
  })
}

it('before the first comparison no figure is shown, and nobody reads that nothing is owed', async () => {
  await dialog(UNCHECKED)
  await screen.findByText('Not checked yet')
  expect(screen.queryByText('Nothing is owed to members yet')).toBe(null)
  expect(screen.queryAllByText('$0.00')).toEqual([])
})

it('once compared, what is owed to nobody is said so', async () => {
  await dialog({ ...UNCHECKED, verdict: 'matched', checked_at: '2026-11-26T02:00:00.000Z' })
  await screen.findByText('Nothing is owed to members yet')
  expect(screen.queryAllByText('$0.00')).not.toEqual([])
})

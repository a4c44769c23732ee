import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import * as figures from '../../../testing/figures.ts'
import { show } from '../../../testing/page.tsx'
import { fakeServer } from '../../../testing/server.ts'
import { ConfirmProvider } from '../../shared/ConfirmProvider.tsx'
import { TreasuryPage } from './TreasuryPage.tsx'

it('more than the company has is refused before a code is asked for, and what less would change is said', async () => {
  const server = fakeServer()
  server.on('GET operator/treasury/', figures.treasury)
  server.on('GET operator/pools/fundings/', figures.pageOf())
  server.on('GET operator/me/', figures.admin)
  const user = await show(
    <ConfirmProvider>
      <TreasuryPage />
    </ConfirmProvider>,
    { texts: ['console/shared', 'console/treasury'] },
  )
  const [amount] = await screen.findAllByRole('textbox', { name: 'Amount to add' })
  const [reason] = screen.getAllByRole('textbox', { name: 'Reason' })
  const [add] = screen.getAllByRole('button', { name: 'Propose' })
  if (amount === undefined || reason === undefined || add === undefined) throw new Error('there is no form')
  await user.type(amount, '20')
  await screen.findByText(
    'With $20.00 more it would have $20.00: lasts 7 days. $1,470.00 of capital would be left.',
  )
  await user.clear(amount)
  await user.type(amount, '1490.01')
  await user.type(reason, 'For May')
  await user.click(add)
  await screen.findByText('The company’s capital is not enough: $1,490.00 available')
  expect(screen.queryByRole('textbox', { name: 'Six-digit code' })).toBeNull()
  expect(server.calls('POST')).toEqual([])
})

import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import * as figures from '../../../testing/figures.ts'
import { button, put, show } from '../../../testing/page.tsx'
import { fakeServer } from '../../../testing/server.ts'
import { ConfirmProvider } from '../../shared/ConfirmProvider.tsx'
import { RatesTab } from './RatesTab.tsx'

it('a lower rate without a reason is sent nowhere', async () => {
  const server = fakeServer()
  server.on('GET operator/plans/', [figures.planVersion])
  server.on('GET operator/rates/', figures.pageOf())
  for (const [call, answer] of Object.entries(figures.readBeside)) server.on(call, answer)
  server.on('GET demo/', { now: figures.DAY })
  const page = (
    <ConfirmProvider>
      <RatesTab />
    </ConfirmProvider>
  )
  const user = await show(page, { texts: ['console/shared', 'console/plan'] })
  await screen.findByRole('textbox', { name: 'Rate of the day' })
  await put(user, 'Rate of the day', '0.25')
  await user.click(button('Declare rate'))
  await screen.findByText('Say why the day pays less, in at least three letters.')
  expect(server.calls('POST')).toEqual([])
})

import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../../testing/page.tsx'
import { fakeServer, lost } from '../../../../testing/server.ts'
import { RegisterPage } from './RegisterPage.tsx'

it('says what the page is for, also where who invited could not be asked', async () => {
  fakeServer().on('GET auth/inviter//', lost)
  await show(<RegisterPage />, { texts: ['identity'] })
  await screen.findByRole('alert')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Create your account')
})

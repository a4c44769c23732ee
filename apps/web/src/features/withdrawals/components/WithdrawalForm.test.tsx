import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import * as figures from '../../../testing/figures.ts'
import { button, put, show } from '../../../testing/page.tsx'
import { type FakeServer, fakeServer } from '../../../testing/server.ts'
import { WithdrawalForm } from './WithdrawalForm.tsx'

let server: FakeServer
beforeEach(() => {
  sessionStorage.clear()
  server = fakeServer()
  server.on('GET auth/user/', figures.user)
  server.on('GET withdrawals/terms/', figures.withdrawalTerms)
})

it('a code says beside its button, before it is pressed, that it wants the amount and the wallet first', async () => {
  const user = await show(<WithdrawalForm />, { texts: ['withdrawals'] })
  await screen.findByText(/^First enter the amount and choose the wallet/)
  const about = () =>
    document.getElementById(button('Generate secret code').getAttribute('aria-describedby') ?? '')
  expect(about()?.textContent).toMatch(/^First enter the amount/)
  await screen.findByText(/TRC20$/)
  await put(user, 'Amount', '100')
  expect(about()?.textContent).toMatch(/this amount and this wallet/)
  await user.selectOptions(screen.getByRole('combobox'), '')
  expect(about()?.textContent).toMatch(/^First enter the amount/)
  expect(server.calls('POST')).toEqual([])
})

describe('an e-mail that is not proven', () => {
  const about = async (more: object) => {
    server.on('GET auth/user/', { ...figures.user, email_proven: false, ...more })
    server.on('GET auth/member-key/', { waiting: null })
    await show(<WithdrawalForm />, { texts: ['withdrawals'] })
    await screen.findByText(/You can withdraw/)
  }

  it('keeps in what a passkey moves: the page says so and leads to the profile', async () => {
    await about({ passkey_only: true })
    await screen.findByText(/Your e-mail is not confirmed yet/)
    expect(screen.getByRole('link', { name: 'Confirm it in your profile' }).getAttribute('href')).toBe(
      '/profile',
    )
  })

  it('is nothing to who withdraws by a code, which proves it', async () => {
    await about({ passkey_only: false })
    expect(screen.queryByText(/not confirmed/)).toBeNull()
  })
})

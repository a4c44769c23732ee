import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { useCurrentUserQuery } from '../../../../api/user.ts'
import * as figures from '../../../../testing/figures.ts'
import { button, field, show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer, refused } from '../../../../testing/server.ts'
import { EmailProof } from './EmailProof.tsx'

const CALL = 'POST auth/user/confirm-email/'
const UNPROVEN = { ...figures.user, email_proven: false }

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on('GET auth/user/', UNPROVEN)
  server.on(CALL, () => Response.json('We sent a code to a…@example.com.'))
})

/** The part with the member as the server has them, where the app has its navigation before it. */
function Shown() {
  const { data } = useCurrentUserQuery()
  return (
    <>
      <button type="button">Menu</button>
      <main id="main">{data === undefined ? null : <EmailProof user={data} />}</main>
    </>
  )
}
const open = () => show(<Shown />, { texts: ['identity/profile'] })

describe('an e-mail that is not proven', () => {
  it('is said, with what it means, and is proven by the code that a press sends', async () => {
    const user = await open()
    await screen.findByText(/No money leaves until a code/)
    await user.click(button('Send me a code'))
    await screen.findByRole('dialog')
    await screen.findByText('We sent a code to a…@example.com.')
    server.on(CALL, () => Response.json('Your e-mail is confirmed.'))
    server.on('GET auth/user/', figures.user)
    await user.type(field('Code from your e-mail'), '123 4567')
    await waitFor(() => expect(screen.queryByText(/not confirmed yet/)).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
    // The way on is said, and has the focus: the button that it would go back to is gone.
    expect(screen.getByRole('link', { name: 'Back to the dashboard' }).getAttribute('href')).toBe(
      '/dashboard',
    )
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link')))
    expect(server.calls(CALL).map(({ body }) => body)).toEqual([{}, { secret_code: '1234567' }])
  })

  it('keeps the dialog open for a wrong code, and says so at the field; none is sent for who has one', async () => {
    const user = await open()
    await user.click(await screen.findByRole('button', { name: 'I have a code' }))
    server.on(CALL, refused(422, 'code_wrong', 'That code is not right.'))
    await user.type(field('Code from your e-mail'), '1234567')
    await screen.findByText('That code is not right.')
    expect(field('Code from your e-mail').value).toBe('1234567')
    expect(server.calls(CALL)).toHaveLength(1)
  })

  it('wants the whole code before anything is sent', async () => {
    const user = await open()
    await user.click(await screen.findByRole('button', { name: 'I have a code' }))
    await user.type(field('Code from your e-mail'), '123{Enter}')
    await screen.findByText('Enter the seven digits of the code.')
    expect(server.calls(CALL)).toEqual([])
  })
})

it('one that is proven needs no words', async () => {
  server.on('GET auth/user/', figures.user)
  await open()
  await waitFor(() => expect(server.calls('GET auth/user/')).toHaveLength(1))
  expect(screen.queryByText(/not confirmed/)).toBeNull()
})

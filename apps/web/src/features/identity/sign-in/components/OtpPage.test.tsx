import { screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer, held, refused } from '../../../../testing/server.ts'
import { OtpPage } from './OtpPage.tsx'

const CALL = 'POST auth/otp/'
let server: FakeServer
beforeEach(() => {
  server = fakeServer()
})

/** The second step, as the first leads to it. */
function Second() {
  const { state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => void navigate('/auth/otp', { state: { token: 'first' } }), [navigate])
  return state === null ? null : <OtpPage />
}
const open = () => show(<Second />, { texts: ['identity'] })

it('is sent once, by its last digit: a key that comes later, also after the answer, sends nothing', async () => {
  const { reply, give } = held()
  server.on(CALL, reply)
  const user = await open()
  const code = await screen.findByRole('textbox')
  await user.type(code, '123456{Enter}')
  give({ access: 'a', refresh: 'r' })
  await waitFor(() => expect(server.calls(CALL)).toHaveLength(1))
  await user.type(code, '{Enter}')
  await user.click(screen.getByRole('button', { name: /Sign in/ }))
  expect(server.calls(CALL).map(({ body }) => body)).toEqual([{ otp_token: 'first', code: '123456' }])
})

it('can be sent again where it was wrong', async () => {
  server.on(CALL, refused(401, 'otp_invalid', 'That code is not right.'))
  const user = await open()
  await user.type(await screen.findByRole('textbox'), '123456')
  await screen.findByText('That code is not right.')
  await user.type(screen.getByRole('textbox'), '{Enter}')
  await waitFor(() => expect(server.calls(CALL)).toHaveLength(2))
})

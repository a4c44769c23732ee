/** The page of a visitor stays until the next one is loaded, which takes its time on a slow line: nothing is sent again meanwhile. */
import { screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { show } from '../../testing/page.tsx'
import { type FakeServer, fakeServer, refused } from '../../testing/server.ts'
import { ForgotPasswordPage } from './passwords/components/ForgotPasswordPage.tsx'
import { ResetPasswordPage } from './passwords/components/ResetPasswordPage.tsx'
import { SignInPage } from './sign-in/components/SignInPage.tsx'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
})

const AT = '/auth/reset-password?email=ana%40example.com'
const LINK = `/auth/reset-password#${'x'.repeat(43)}`
const NEW = {
  'Code from the e-mail': '1234567',
  'New password': 'a-long-password',
  'Repeat the new password': 'a-long-password',
}
const { 'Code from the e-mail': _, ...BY_LINK } = NEW
const SIGN_IN = { 'E-mail or username': 'ana', Password: 'a-long-password' }

type Form = [
  what: string,
  page: ReactNode,
  at: string,
  typed: Record<string, string>,
  press: string,
  call: string,
  answer: unknown,
]
const FORMS: Form[] = [
  ['a sign-in', <SignInPage key="1" />, '/', SIGN_IN, 'Sign in', 'auth/token/', { access: 'a' }],
  ['a first step', <SignInPage key="2" />, '/', SIGN_IN, 'Sign in', 'auth/token/', { otp_token: 't' }],
  [
    'the wish for a code',
    <ForgotPasswordPage key="3" />,
    '/',
    { 'E-mail': 'ana@example.com' },
    'Send code',
    'auth/reset-password/send/',
    'Sent.',
  ],
  [
    'a new password',
    <ResetPasswordPage key="4" />,
    AT,
    NEW,
    'Change password',
    'auth/reset-password/',
    'Changed.',
  ],
  [
    'a new password by link',
    <ResetPasswordPage key="5" />,
    LINK,
    BY_LINK,
    'Change password',
    'auth/reset-password/link/',
    'Changed.',
  ],
]

async function send(page: ReactNode, at: string, typed: Record<string, string>, press: string) {
  const user = await show(page, { texts: ['identity'], at })
  for (const [label, text] of Object.entries(typed))
    await user.type(await screen.findByLabelText(label), text)
  const button = screen.getByRole('button', { name: press })
  await user.click(button)
  return { user, button }
}

it.each(FORMS)('%s', async (_what, page, at, typed, press, call, answer) => {
  server.on(`POST ${call}`, answer)
  const { user, button } = await send(page, at, typed, press)
  await waitFor(() => expect(server.calls(`POST ${call}`)).toHaveLength(1))
  await user.click(button)
  await user.type(await screen.findByLabelText(Object.keys(typed).at(-1) ?? ''), '{Enter}')
  await user.click(button)
  expect(server.calls(`POST ${call}`)).toHaveLength(1)
})

it.each(FORMS)('%s that was refused can be sent again', async (_what, page, at, typed, press, call) => {
  server.on(`POST ${call}`, refused(429, 'too_many_requests', 'Too many.'))
  const { user, button } = await send(page, at, typed, press)
  await screen.findByText('Too many.')
  await user.click(button)
  await waitFor(() => expect(server.calls(`POST ${call}`)).toHaveLength(2))
})

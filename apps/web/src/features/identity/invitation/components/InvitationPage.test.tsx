/** The link of an invitation: that it was accepted is read before anything else happens. */
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { signOut } from '../../../../api/browserSession.ts'
import { button, show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer } from '../../../../testing/server.ts'
import { InvitationPage } from './InvitationPage.tsx'

vi.mock('../../../../api/browserSession.ts', async (original) => ({
  ...(await original<typeof import('../../../../api/browserSession.ts')>()),
  signOut: vi.fn(() => Promise.resolve()),
}))

const TOKEN = 'x'.repeat(43)
const OFFER = {
  role: 'support',
  invited_by: 'olga',
  expires_at: '2026-11-30T10:00:00.000Z',
  two_factor: true,
  abilities: [],
}
const SAID = 'Accepted. Sign in again with a code.'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  vi.mocked(signOut).mockClear()
})

it('that it was accepted stays on the page until its reader goes on to sign in', async () => {
  server.on('POST auth/operator-invitation/', OFFER)
  server.on('POST auth/operator-invitation/accept/', { message: SAID })
  const user = await show(<InvitationPage user={undefined} />, {
    texts: ['identity', 'identity/invitation', 'identity/security'],
    at: `/operator/invitation#${TOKEN}`,
  })
  await user.type(await screen.findByLabelText('Your password'), 'a-long-password')
  await user.type(screen.getByLabelText('Code of your authenticator app'), '123456')
  await user.click(button('Accept'))
  expect((await screen.findByRole('status')).textContent).toBe(SAID)
  // Nothing is left to send a second time, and nobody was taken to another page.
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  expect(signOut).not.toHaveBeenCalled()
  const before = server.sent.length
  await user.click(button('Sign in'))
  await waitFor(() => expect(signOut).toHaveBeenCalledWith('/auth/login/?next=%2Foperator'))
  expect(server.sent).toHaveLength(before)
})

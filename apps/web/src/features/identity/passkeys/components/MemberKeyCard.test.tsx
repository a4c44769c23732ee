import type { MemberKeyState, PasskeyItem } from '@aval/contract'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import * as figures from '../../../../testing/figures.ts'
import { show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer, refused } from '../../../../testing/server.ts'
import { MemberKeyCard } from './MemberKeyCard.tsx'

const passkey = (id: string): PasskeyItem => ({
  id,
  name: id,
  made_at: '2026-11-23T10:00:00Z',
  used_at: null,
})
const off: MemberKeyState = {
  on: false,
  credential_id: null,
  usable_from: null,
  waiting: null,
  refused: null,
}
const on: MemberKeyState = { ...off, on: true, credential_id: 'Phone' }

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
})

async function showCard(state: MemberKeyState, names: readonly string[]) {
  server.on('GET auth/member-key/', state)
  server.on('GET auth/passkeys/', { results: names.map(passkey), most: 10, origin: '', available: true })
  const user = { ...figures.user, passkey_only: state.on }
  return show(<MemberKeyCard user={user} />, { texts: ['identity/security'] })
}

const offered = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

describe('what may be changed', () => {
  it.each<[string, MemberKeyState, string[], string[]]>([
    ['nothing without a passkey', off, [], []],
    ['switching it on with one', off, ['Phone'], ['Turn on']],
    ['switching it off where there is no other', on, ['Phone'], ['Turn off']],
    ['all of it', on, ['Phone', 'Laptop'], ['Use another passkey', 'I lost my passkey', 'Turn off']],
    [
      'only that it was lost, while it moves nothing yet',
      { ...on, usable_from: '2026-11-26T10:00:00Z' },
      ['Phone', 'Laptop'],
      ['I lost my passkey'],
    ],
    [
      'only taking back, while operators decide',
      { ...on, waiting: { kind: 'recovered', submitted_at: '2026-11-23T10:00:00Z' } },
      ['Phone', 'Laptop'],
      ['Take the request back'],
    ],
    [
      'nothing, while the signer decides',
      { ...on, waiting: { kind: 'replaced', submitted_at: '2026-11-23T10:00:00Z' } },
      ['Phone', 'Laptop'],
      [],
    ],
  ])('is %s', async (_what, state, names, choices) => {
    await showCard(state, names)
    await screen.findByText(state.on ? /The passkey that moves your money: Phone/ : /^Off$/)
    await expect.poll(offered).toEqual(choices)
  })
})

it('a refusal is said in the dialog, also where no password is asked for', async () => {
  const user = await showCard(off, ['Phone'])
  server.on('POST auth/member-key/challenge/', refused(429, 'too_many_requests', 'Too many tries.'))
  await user.click(await screen.findByRole('button', { name: 'Turn on' }))
  await user.click(await screen.findByRole('button', { name: 'Sign with passkey' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Too many tries.')
})

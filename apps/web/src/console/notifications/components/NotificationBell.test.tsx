import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { button, show } from '../../../testing/page.tsx'
import { type FakeServer, fakeServer } from '../../../testing/server.ts'
import { NotificationBell } from './NotificationBell.tsx'

const row = (id: number, kind: string, subject: string, words: object, more: object = {}) => ({
  id,
  kind,
  subject,
  words,
  at: '2026-11-20T10:00:00.000Z',
  over_at: null,
  read: false,
  ...more,
})

let server: FakeServer
beforeEach(() => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  server = fakeServer()
  server.on('GET operator/notifications/', {
    unread: 2,
    results: [
      row(4, 'run_held', 'run:12', { run: '12', kind: 'passive', period: '2026-11-20' }),
      row(3, 'signer_failing', '', { count: '5' }),
      row(
        2,
        'chat_waits',
        'member:7',
        { member: 'ana' },
        { over_at: '2026-11-20T11:00:00.000Z', read: true },
      ),
    ],
  })
  server.on('POST operator/notifications/read/', { message: 'Marked as read.' })
})

it('says how much is unread; each leads to its rows, and is read by following it', async () => {
  const user = await show(<NotificationBell />, {
    texts: ['console/shared', 'console/notifications'],
  })
  await user.click(await screen.findByRole('button', { name: 'What needs you: 2 unread' }))
  const run = await screen.findByRole('link', { name: /Run 12 \(daily, 2026-11-20\) is held and waits/ })
  expect(run.getAttribute('href')).toBe('/operator/runs/12')
  expect(
    screen.getByRole('link', { name: /The signer does not sign\. Withdrawals that wait: 5/ }),
  ).toBeTruthy()
  expect(screen.getByRole('link', { name: /ana has waited/ }).textContent).toContain('seen to')
  await user.click(run)
  await waitFor(() =>
    expect(server.calls('POST operator/notifications/read/')[0]?.body).toEqual({ ids: [4] }),
  )
})

it('marks all as read, and lets one choose what comes by mail', async () => {
  server.on('GET operator/notifications/settings/', {
    kinds: [
      { kind: 'run_held', mailed: true, always: false },
      { kind: 'payments_stopped', mailed: true, always: true },
    ],
  })
  server.on('POST operator/notifications/settings/', { message: 'Saved.' })
  const user = await show(<NotificationBell />, {
    texts: ['console/shared', 'console/notifications'],
  })
  await user.click(await screen.findByRole('button', { name: 'What needs you: 2 unread' }))
  await user.click(await screen.findByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(server.calls('POST operator/notifications/read/')[0]?.body).toEqual({}))
  await user.click(button('E-mails'))
  expect((await screen.findByRole('checkbox', { name: /Stops of payments/ })).hasAttribute('disabled')).toBe(
    true,
  )
  await user.click(screen.getByRole('checkbox', { name: 'Held runs' }))
  await waitFor(() =>
    expect(server.calls('POST operator/notifications/settings/')[0]?.body).toEqual({
      kind: 'run_held',
      mailed: false,
    }),
  )
})

import { SECURITY_EVENT_KINDS } from '@aval/contract'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from '../api/storage.ts'
import { ConfirmProvider } from '../console/shared/ConfirmProvider.tsx'
import en from '../console/shared/locales/en.json' with { type: 'json' }
import es from '../console/shared/locales/es.json' with { type: 'json' }
import { WithdrawalsTab } from '../console/withdrawals/components/WithdrawalsTab.tsx'
import * as figures from '../testing/figures.ts'
import { show } from '../testing/page.tsx'
import { type FakeServer, fakeServer } from '../testing/server.ts'

let server: FakeServer
beforeEach(() => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  storage.clear()
  server = fakeServer()
  server.on(
    'GET operator/withdrawals/',
    figures.pageOf(figures.queued(3, 'ana', '100.00'), figures.queued(4, 'luis', '40.00')),
  )
  server.on('GET operator/withdrawals/4/', {
    ...figures.dossier(4, 'luis', '40.00'),
    security_events: SECURITY_EVENT_KINDS.map((kind) => ({ kind, at: figures.DAY, device: '' })),
  })
  server.on('GET operator/me/', figures.admin)
  server.on('GET operator/approvals-page/', { url: 'https://approve.example' })
})

async function queue() {
  const user = await show(
    <ConfirmProvider>
      <WithdrawalsTab />
    </ConfirmProvider>,
    { texts: ['console/shared', 'console/withdrawals'], at: '/operator/withdrawals' },
  )
  const [ana, luis] = await Promise.all(
    [/3 of ana/, /4 of luis/].map((name) => screen.findByRole('link', { name })),
  )
  // What the operator may do is known.
  await screen.findAllByRole('checkbox')
  return { user, ana, luis }
}

describe('the keys of the queue of withdrawals', () => {
  it('go through the rows, stop at its ends, and open one beside the list', async () => {
    const { user, ana, luis } = await queue()
    const focused = async (keys: string) => {
      await user.keyboard(keys)
      return document.activeElement
    }
    expect(await focused('j')).toBe(ana)
    expect(await focused('jj')).toBe(luis)
    expect(await focused('kk')).toBe(ana)
    expect(await focused('j{Enter}')).toBe(luis)
    await screen.findByRole('region', { name: 'Withdrawal 4' })
    expect(luis?.getAttribute('aria-current')).toBe('true')
  })

  it('choose a row, and refusing only asks: nothing is sent by a key', async () => {
    const { user } = await queue()
    await user.keyboard('r')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('jx')
    expect(screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)).toEqual([
      true,
      false,
    ])
    // The chosen one is what the approvals page is asked to show.
    await waitFor(() =>
      expect(screen.getByRole('link', { name: /Go to approve/ }).getAttribute('href')).toBe(
        'https://approve.example#withdrawals=3',
      ),
    )
    await user.keyboard('r')
    const reason = await screen.findByRole('textbox', { name: 'Reason' })
    await user.type(reason, 'jxr')
    expect((reason as HTMLInputElement).value).toBe('jxr')
    expect(server.calls('POST')).toEqual([])
  })

  it('are listed under "?", and can be switched off for good', async () => {
    const { user } = await queue()
    await user.keyboard('{Shift>}?{/Shift}')
    await screen.findByText('Chooses the withdrawal, or no more')
    await user.click(screen.getByRole('checkbox', { name: 'Use keys of one letter' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    act(() => (document.activeElement as HTMLElement | null)?.blur())
    await user.keyboard('j')
    expect(document.activeElement).toBe(document.body)
    expect(storage.get('console_keys')).toBe('off')
  })
})

describe('a security event beside a withdrawal', () => {
  it('of every kind that the server can write has a text in both languages', async () => {
    for (const texts of [es, en])
      expect(Object.keys(texts.securityEvent).sort()).toEqual([...SECURITY_EVENT_KINDS].sort())
    const { user } = await queue()
    await user.keyboard('jj{Enter}')
    await user.click(await screen.findByRole('button', { name: `${SECURITY_EVENT_KINDS.length - 5} more` }))
    const shown = screen.getByRole('region', { name: 'Withdrawal 4' }).textContent ?? ''
    for (const kind of SECURITY_EVENT_KINDS) {
      expect(shown).toContain(en.securityEvent[kind])
      expect(shown).not.toContain(kind)
    }
  })
})

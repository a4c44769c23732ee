/** The console's navigation where it lies over the page. */
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { admin } from '../../testing/figures.ts'
import { button, show } from '../../testing/page.tsx'
import { fakeServer } from '../../testing/server.ts'
import { ConsoleNav } from './ConsoleNav.tsx'

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open it
      </button>
      <ConsoleNav isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

it('gives the focus back to what opened it, when Escape closes it', async () => {
  fakeServer().on('GET operator/me/', admin)
  const user = await show(<Page />, { texts: [], at: '/operator' })
  const opener = button('Open it')
  await user.click(opener)
  const runs = await screen.findByRole('link', { name: 'Runs' })
  runs.focus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

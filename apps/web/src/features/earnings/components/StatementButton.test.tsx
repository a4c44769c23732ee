import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { button, field, put, show } from '../../../testing/page.tsx'
import { fakeServer, refused } from '../../../testing/server.ts'
import { StatementButton } from './StatementButton.tsx'

const saved = vi.hoisted(() => [] as string[])
vi.mock('../../../ui/saveFile.ts', () => ({ saveFile: (_: Blob, name: string) => saved.push(name) }))
afterEach(() => saved.splice(0))

async function openForm() {
  const server = fakeServer()
  server.on('GET demo/', { now: '2026-11-25T15:00:00.000Z' })
  server.on(
    'GET payments/statement/pdf/',
    new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }),
  )
  server.on('GET payments/statement/', new Response('a,b', { headers: { 'content-type': 'text/csv' } }))
  const user = await show(<StatementButton />, { texts: ['earnings'] })
  await waitFor(() => expect(button('Statement').hasAttribute('disabled')).toBe(false))
  await user.click(button('Statement'))
  const period = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Period' })
  const download = () => user.click(button('Download'))
  return { user, server, period, download }
}

it('is of this year and a PDF until something else is chosen', async () => {
  const { server, download } = await openForm()
  await download()
  await waitFor(() => expect(saved).toEqual(['aval-2026-01-01-2026-11-25.pdf']))
  expect(server.calls('GET payments/statement').map(({ path }) => path)).toEqual([
    'payments/statement/pdf/?from=2026-01-01&to=2026-11-25',
  ])
})

it('a month by its name sets both days, and the file may be a CSV', async () => {
  const { user, period, download } = await openForm()
  await user.selectOptions(period, 'Last month: October 2026')
  expect([field('From').value, field('To').value]).toEqual(['10/01/2026', '10/31/2026'])
  await user.click(screen.getByRole('radio', { name: /^CSV/ }))
  await download()
  await waitFor(() => expect(saved).toEqual(['aval-2026-10-01-2026-10-31.csv']))
})

it('days of one’s own are called other days, and must be in order', async () => {
  const { user, period, download } = await openForm()
  await put(user, 'From', '11/20/2026')
  expect(period.selectedOptions[0]?.textContent).toBe('Other days')
  await put(user, 'To', '11/19/2026')
  await download()
  await screen.findByText('This day must not be before the first.')
  await user.clear(field('From'))
  await download()
  await screen.findByText('Choose a day.')
  expect(saved).toEqual([])
})

it('says what the server says where the days hold more than a PDF may', async () => {
  const { server, download } = await openForm()
  const sentence = 'Choose fewer days, or download the CSV.'
  server.on('GET payments/statement/pdf/', refused(422, 'statement_too_long', sentence))
  await download()
  await screen.findByText(sentence)
  expect(saved).toEqual([])
})

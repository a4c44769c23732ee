import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { button, show } from '../../../testing/page.tsx'
import { fakeServer, refused } from '../../../testing/server.ts'
import { ExportButton } from './ExportButton.tsx'

const saved = vi.hoisted(() => [] as string[])
vi.mock('../../../ui/saveFile.ts', () => ({ saveFile: (_: Blob, name: string) => saved.push(name) }))
afterEach(() => saved.splice(0))

const END = `#end,rows=1,sha256=${'ab'.repeat(32)}\r\n`
const PATH = 'GET operator/members/export/'

// The menu is fetched when it is reached, which takes as long as it takes.
await import('../../../ui/MenuPopup.tsx')

/** Chooses CSV where the server answers so. */
async function choose(answer: () => Response) {
  const server = fakeServer()
  server.on(PATH, answer)
  server.on('GET operator/me/', () => ({
    username: 'ada',
    role: 'compliance',
    abilities: ['members.export'],
  }))
  const user = await show(<ExportButton path="operator/members/export/?active=true" />, {
    texts: ['console/shared'],
  })
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  await user.click(await screen.findByRole('menuitem', { name: /^CSV/ }))
  return { user, server }
}

const csv = (body: string | ReadableStream) =>
  new Response(body, {
    headers: { 'aval-rows-about': '1', 'content-disposition': 'attachment; filename="aval-members.csv"' },
  })

it('saves a list that came whole, under its filters', async () => {
  const { server } = await choose(() => csv(`id\r\n1\r\n${END}`))
  await waitFor(() => expect(saved).toEqual(['aval-members.csv']))
  expect(server.calls(PATH).map(({ path }) => path)).toEqual([
    'operator/members/export/?active=true&format=csv',
  ])
})

it('saves nothing of a list that broke off, and says after how many rows', async () => {
  await choose(() => csv('id\r\n1\r\n2\r\n'))
  await screen.findByText('The export broke off after 2 rows, and nothing was saved. Try again.')
  expect(saved).toEqual([])
})

it('can be cancelled while it comes, and saves nothing then', async () => {
  const { user } = await choose(() => csv(new ReadableStream()))
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(button('Export')).toBeTruthy()
  expect(saved).toEqual([])
})

it('says why it was refused', async () => {
  const sentence = 'Too many exports are being written.'
  await choose(() => refused(409, 'exports_running', sentence))
  await screen.findByText(sentence)
})

import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { storage } from '../../../../api/storage.ts'
import { treeNode } from '../../../../testing/figures.ts'
import { show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer } from '../../../../testing/server.ts'
import { MemberTrees } from './MemberTrees.tsx'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  // As a list: happy-dom lays nothing out for a chart.
  storage.set('treeMode', 'list')
})

const NODES = [
  treeNode(7, 0, { name: 'Ana', username: 'ana' }),
  treeNode(8, 7, { name: 'Luis', username: 'luis', leg: 'L' }),
]

it('shows what is below another member, by calls of operators; who is pressed is gone to, and nobody is invited', async () => {
  server.on('GET operator/members/7/tree/?view=binary', NODES)
  server.on('GET operator/members/7/tree/', NODES)
  const onMember = vi.fn()
  const user = await show(<MemberTrees of="7" username="ana" onMember={onMember} />, {
    texts: ['genealogy/tree'],
  })
  screen.getByRole('heading', { name: 'Network of ana' })
  const tree = await screen.findByRole('tree')
  tree.focus()
  await user.keyboard('{ArrowDown} ')
  expect(onMember).toHaveBeenCalledWith('8')
  expect(screen.queryByText('Invite here')).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Unilevel' }))
  await waitFor(() => expect(server.calls('GET operator/members/7/tree/')).toHaveLength(2))
  expect(server.sent.every(({ path }) => path.startsWith('operator/members/7/tree/'))).toBe(true)
})

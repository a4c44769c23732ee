import type { TreeMember } from '@aval/contract'
import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { treeNode } from '../../../../testing/figures.ts'
import { show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer, refused } from '../../../../testing/server.ts'
import { Legs } from './Legs.tsx'

const ANA: TreeMember = {
  id: 'O-1',
  username: 'ana',
  name: 'Ana',
  imageUrl: '',
  joined: '2026-06-02T15:00:00.000Z',
  active: true,
  invested: '10.00',
  direct: 2,
  team: 3,
  team_volume: '1000.50',
  level: 0,
  leg_volumes: { left: '700.00', right: '300.50' },
  is_master_code: false,
}
const top = { kind: 'member' as const, node: treeNode(1, 0, { name: 'Ana' }), kids: [], paged: 0 }

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
})

it('both legs’ volumes are said, by side', async () => {
  server.on('GET tree/members/O-1/', ANA)
  await show(<Legs top={top} isOwn />, { texts: ['genealogy/tree'] })
  await screen.findByText('$700.00')
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Volume on the left',
    'Volume on the right',
  ])
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '$700.00',
    '$300.50',
  ])
  screen.getByText('Your legs')
})

it('have their place while the network is on its way, and nothing is asked', async () => {
  await show(<Legs top={undefined} isOwn />, { texts: ['genealogy/tree'] })
  screen.getByText('Your legs')
  expect(server.calls('GET')).toEqual([])
})

it('of another member they are named; what did not come is left out', async () => {
  server.on('GET tree/members/O-1/', refused(500, 'unexpected', 'Something went wrong.'))
  await show(<Legs top={top} isOwn={false} />, { texts: ['genealogy/tree'] })
  screen.getByText('Ana’s legs')
  await expect.poll(() => screen.queryByText('Ana’s legs')).toBeNull()
})

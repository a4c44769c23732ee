import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer, held, refused } from '../../../../testing/server.ts'
import { PlacementSide } from './PlacementSide.tsx'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on('GET tree/placement-side/', { side: 'weaker' })
})

const CALL = 'POST tree/placement-side/'
const sides = async () => within(await screen.findByRole('group', { name: 'Next registrations go to' }))
const chosen = async () =>
  (await sides()).getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
const press = async (user: UserEvent, name: string) =>
  user.click((await sides()).getByRole('button', { name }))

it('until the side is known none is shown as chosen, nor can be', async () => {
  const { reply, give } = held()
  server.on('GET tree/placement-side/', reply)
  await show(<PlacementSide />, { texts: ['genealogy/tree'] })
  const buttons = (await sides()).getAllByRole<HTMLButtonElement>('button', { pressed: false })
  expect(buttons.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
    ['Left', true],
    ['Right', true],
    ['Weaker', true],
  ])
  give({ side: 'left' })
  await waitFor(async () => expect(await chosen()).toEqual(['Left']))
})

it('the side of the next registrations is shown, and one press saves another with the server’s sentence', async () => {
  server.on(CALL, { message: 'Saved: to the left.' })
  const user = await show(<PlacementSide />, { texts: ['genealogy/tree'] })
  expect(await chosen()).toEqual(['Weaker'])
  await press(user, 'Left')
  await screen.findByText('Saved: to the left.')
  expect(server.calls(CALL).map(({ body }) => body)).toEqual([{ side: 'left' }])
  expect(await chosen()).toEqual(['Left'])
  // Pressed again, there is nothing to save.
  await press(user, 'Left')
  expect(server.calls(CALL)).toHaveLength(1)
})

it('a side that could not be saved is not shown as if it were', async () => {
  server.on(CALL, refused(500, 'unexpected', 'Something went wrong.'))
  const user = await show(<PlacementSide />, { texts: ['genealogy/tree'] })
  await press(user, 'Right')
  await screen.findByText('Something went wrong.')
  await waitFor(async () => expect(await chosen()).toEqual(['Weaker']))
})

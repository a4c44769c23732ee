import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer, refused } from '../../../../testing/server.ts'
import { PlacementSide } from './PlacementSide.tsx'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on('GET tree/placement-side/', { side: 'weaker' })
})

const CALL = 'POST tree/placement-side/'
const side = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Next registrations go to' })

it('the side of the next registrations is shown, and saved with the server’s sentence', async () => {
  server.on(CALL, { message: 'Saved: to the left.' })
  const user = await show(<PlacementSide />, { texts: ['genealogy/tree'] })
  const select = await side()
  expect(select.selectedOptions[0]?.text).toBe('Weaker leg')
  await user.selectOptions(select, 'Left leg')
  await screen.findByText('Saved: to the left.')
  expect(server.calls(CALL).map(({ body }) => body)).toEqual([{ side: 'left' }])
  expect(select.value).toBe('left')
})

it('a side that could not be saved is not shown as if it were', async () => {
  server.on(CALL, refused(500, 'unexpected', 'Something went wrong.'))
  const user = await show(<PlacementSide />, { texts: ['genealogy/tree'] })
  const select = await side()
  await user.selectOptions(select, 'Right leg')
  await screen.findByText('Something went wrong.')
  await waitFor(() => expect(select.value).toBe('weaker'))
})

import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { browserTimeZone, timeZone } from '../../../../api/timeZone.ts'
import { useCurrentUserQuery } from '../../../../api/user.ts'
import * as figures from '../../../../testing/figures.ts'
import { button, show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer } from '../../../../testing/server.ts'
import { formats } from '../../../../ui/format.ts'
import { ProfilePage } from './ProfilePage.tsx'

const SAVE = 'PATCH auth/user/'
let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on('GET auth/user/', figures.user)
  server.on('GET auth/security/', { locked: false, cools_until: null, cooling_hours: 24 })
  server.on(SAVE, () => Response.json('Your changes are saved.'))
})

function Shown() {
  const { data, refetch } = useCurrentUserQuery()
  return (
    <>
      <ProfilePage user={data} />
      <button type="button" onClick={() => void refetch()}>
        Again
      </button>
    </>
  )
}
const open = () => show(<Shown />, { texts: ['identity', 'identity/profile'] })

it('a member of whom no time zone is known has the browser’s saved, once', async () => {
  server.on('GET auth/user/', { ...figures.user, time_zone: null })
  const user = await open()
  await waitFor(() =>
    expect(server.calls(SAVE).map(({ body }) => body)).toEqual([{ time_zone: browserTimeZone() }]),
  )
  await user.click(button('Again'))
  await waitFor(() => expect(server.calls('GET auth/user/')).toHaveLength(2))
  expect(server.calls(SAVE)).toHaveLength(1)
})

it('another time zone is chosen in the profile, and times are written in it from then on', async () => {
  const at = '2026-11-20T20:30:00Z'
  const user = await open()
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Time zone' })
  expect(choice.value).toBe('UTC')
  expect(formats.time(at)).toBe('20:30')
  await user.selectOptions(choice, 'Asia/Tokyo')
  server.on('GET auth/user/', { ...figures.user, time_zone: 'Asia/Tokyo' })
  await user.click(button('Save changes'))
  await waitFor(() => expect(timeZone()).toBe('Asia/Tokyo'))
  expect(server.calls(SAVE).map(({ body }) => body)).toEqual([{ time_zone: 'Asia/Tokyo' }])
  expect(formats.time(at)).toBe('05:30')
})

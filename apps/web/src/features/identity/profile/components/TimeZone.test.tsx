import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { region } from '../../../../api/region.ts'
import { browserTimeZone, timeZone } from '../../../../api/timeZone.ts'
import { useCurrentUserQuery } from '../../../../api/user.ts'
import * as figures from '../../../../testing/figures.ts'
import { button, show } from '../../../../testing/page.tsx'
import { type FakeServer, fakeServer } from '../../../../testing/server.ts'
import { fieldAmount, plainAmount } from '../../../../ui/amount.ts'
import { formats } from '../../../../ui/format.ts'
import { ProfilePage } from './ProfilePage.tsx'

const SAVE = 'PATCH auth/user/'
let server: FakeServer
beforeEach(() => {
  vi.restoreAllMocks()
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

it('a member of whom no region is known has the browser’s saved, where its languages say one', async () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US', 'es-419', 'es-MX'])
  server.on('GET auth/user/', { ...figures.user, id: 77, region: null })
  await open()
  await waitFor(() => expect(server.calls(SAVE).map(({ body }) => body)).toEqual([{ region: 'es-MX' }]))
  expect(formats.money('1005')).toBe('$1,005.00')
})

it('another region is chosen in the profile by a figure, and figures are written and read as there', async () => {
  const user = await open()
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Number format' })
  const texts = [...choice.options].map(({ text }) => text.replaceAll('\u00a0', ' '))
  expect(texts).toEqual(
    expect.arrayContaining(['Colombia · 1.234,50', 'Mexico · 1,234.50', 'Costa Rica · 1 234,50']),
  )
  await user.selectOptions(choice, 'es-CO')
  server.on('GET auth/user/', { ...figures.user, region: 'es-CO' })
  await user.click(button('Save changes'))
  await waitFor(() => expect(region()).toBe('es-CO'))
  expect(server.calls(SAVE).map(({ body }) => body)).toEqual([{ region: 'es-CO' }])
  expect(formats.money('1005')).toBe('$1.005,00')
  expect(formats.percent('0.5')).toBe('0,5%')
  expect(formats.briefMoney('1234.50')).toMatch(/^\$1,2\sk$/i)
  expect([fieldAmount('1005'), plainAmount('1.005,5'), plainAmount('1,000')]).toEqual([
    '1005,00',
    '1005.5',
    null,
  ])
})

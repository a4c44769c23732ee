import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { button, field, put, show } from '../../testing/page.tsx'
import { DateField } from './DateField.tsx'

/** With what it gives, and another day from outside at a press. */
function Sample() {
  const [day, setDay] = useState('2026-11-20')
  return (
    <>
      <DateField label="From" value={day} min="2026-11-05" max="2026-11-25" onChange={setDay} />
      <output>{day === '' ? 'nothing' : day}</output>
      <button type="button" onClick={() => setDay('2026-01-02')}>
        January
      </button>
    </>
  )
}
const given = () => screen.getByRole('status').textContent

it('shows a day the way the language writes it, and gives what is typed as it travels', async () => {
  const user = await show(<Sample />, { texts: [] })
  expect(field('From').value).toBe('11/20/2026')
  await put(user, 'From', '3/4/2026')
  expect(given()).toBe('2026-03-04')
  await user.tab()
  await user.tab()
  expect(field('From').value).toBe('03/04/2026')
  await user.click(button('January'))
  expect(field('From').value).toBe('01/02/2026')
})

it('says how to write what it cannot read, once the field is left, and keeps it', async () => {
  const user = await show(<Sample />, { texts: [] })
  await put(user, 'From', '30/30/2026')
  expect(given()).toBe('nothing')
  expect(screen.queryByText(/^Write the day/)).toBeNull()
  await user.click(button('January'))
  await put(user, 'From', '2/30/2026')
  await user.tab()
  await user.tab()
  await screen.findByText('Write the day as mm/dd/yyyy.')
  expect(field('From').value).toBe('2/30/2026')
  expect(field('From').getAttribute('aria-invalid')).toBe('true')
})

it('the calendar opens at the day, offers no other than allowed, and gives the focus back', async () => {
  const user = await show(<Sample />, { texts: [] })
  await user.click(button('Open the calendar'))
  await screen.findByRole('dialog', { name: 'Calendar' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /November 4th/ }).disabled).toBe(true)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /November 26th/ }).disabled).toBe(true)
  await user.click(screen.getByRole('button', { name: /November 12th/ }))
  expect(given()).toBe('2026-11-12')
  expect(field('From').value).toBe('11/12/2026')
  expect(screen.queryByRole('dialog')).toBeNull()
})

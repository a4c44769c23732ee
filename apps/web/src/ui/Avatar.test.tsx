import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { user } from '../testing/figures.ts'
import { Avatar } from './Avatar.tsx'

it('a picture that does not load gives way to the initials, under the same name, until there is another', () => {
  const member = { ...user, first_name: 'Ana', last_name: 'Paz', avatar: '/avatars/1.webp' }
  const { rerender } = render(<Avatar user={member} alt="Your picture" />)
  fireEvent.error(screen.getByRole('img', { name: 'Your picture' }))
  expect(screen.getByRole('img', { name: 'Your picture' }).dataset['initials']).toBe('AP')
  rerender(<Avatar user={{ ...member, avatar: '/avatars/2.webp' }} alt="Your picture" />)
  expect(screen.getByRole('img', { name: 'Your picture' }).getAttribute('src')).toBe('/avatars/2.webp')
})

it('a picture comes from the host that the page is on, under whatever name it was opened', () => {
  render(
    <Avatar user={{ ...user, avatar: 'http://127.0.0.1:3000/api/avatars/1/a.webp' }} alt="Your picture" />,
  )
  const picture = screen.getByRole('img', { name: 'Your picture' })
  expect(picture.getAttribute('src')).toBe('/api/avatars/1/a.webp')
})

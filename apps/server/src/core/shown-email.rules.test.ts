import { expect, it } from 'vitest'
import { shownEmail } from './shown-email.rules.ts'

it('is whole for who introduced the member', () => {
  expect(shownEmail('luis@gmail.com', true)).toBe('luis@gmail.com')
})

it.each([
  ['luis@gmail.com', 'l•••@g•••.com'],
  ['a@b.co', 'a•••@b•••.co'],
  ['ñandú.p+x@correo.empresa.com.ve', 'ñ•••@c•••.ve'],
  ['"luis@home"@example.com', '"•••@e•••.com'],
  ['luis.p@host', 'l•••@h•••'],
  ['', ''],
])('%j is shown to everybody else above as %j', (email, shown) => {
  expect(shownEmail(email, false)).toBe(shown)
})

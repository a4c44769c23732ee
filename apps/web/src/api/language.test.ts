import { expect, it } from 'vitest'
import { languageFrom } from './language.ts'

it.each([
  ['es', 'es'],
  ['en', 'en'],
  [null, 'es'],
  ['', 'es'],
  ['fr', 'es'],
  ['EN', 'es'],
])('the language for a stored %j is %s', (stored, language) => {
  expect(languageFrom(stored)).toBe(language)
})

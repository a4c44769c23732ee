import { expect, it } from 'vitest'
import { readId } from './ids.ts'

it.each([
  ['1', 1n],
  ['999999999999999999', 999_999_999_999_999_999n],
  ['0', null],
  ['-1', null],
  ['+1', null],
  ['01', null],
  ['1.0', null],
  ['1e9', null],
  [' 1', null],
  ['1\n', null],
  ['٣', null],
  ['text', null],
  ['', null],
  ['9'.repeat(19), null],
])('%j is the number %s', (text, id) => {
  expect(readId(text)).toBe(id)
})

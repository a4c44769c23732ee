import { expect, it } from 'vitest'
import { errorText } from './PageBroken.tsx'

it.each([
  [new Error('broken'), 'broken'],
  [{ status: 404, statusText: 'Not Found', message: 'no' }, 'Not Found'],
  [{ statusText: '', message: 'a message' }, 'a message'],
  ['a thrown string', 'a thrown string'],
  [null, 'null'],
  [new TypeError(''), 'TypeError'],
])('of %j is %j', (error, text) => {
  expect(errorText(error)).toBe(text)
})

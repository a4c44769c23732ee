import pg from 'pg'
import { expect, it } from 'vitest'
import { loggedError } from './logged-error.ts'

it('an error about data keeps its message and its place, without the value', () => {
  const error = Object.assign(
    new pg.DatabaseError('invalid input syntax for type bigint: "918273"', 1, 'error'),
    {
      code: '22P02',
      detail: 'Failing row contains (918273).',
      where: "unnamed portal parameter $1 = '918273'",
    },
  )
  const logged = loggedError(new Error('not read', { cause: error }))
  expect(logged).toMatchObject({
    message: 'not read',
    cause: {
      code: '22P02',
      message: 'invalid input syntax for type bigint: "…"',
      stack: expect.stringContaining('.ts:'),
    },
  })
  expect(JSON.stringify(logged)).not.toContain('918273')
})

it('what was thrown and is no error says nothing of itself', () => {
  expect(JSON.stringify(loggedError('918273'))).not.toContain('918273')
})

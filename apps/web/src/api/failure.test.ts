import { describe, expect, it } from 'vitest'
import { failureFrom, isUnanswered } from './failure.ts'

describe('failureFrom', () => {
  it('takes a JSON string as the sentence to show', () => {
    expect(failureFrom(422, 'Falta dinero')).toEqual({ status: 422, detail: 'Falta dinero' })
  })

  it('reads a problem document with its fields', () => {
    const fields = [{ path: 'email', code: 'email_taken', detail: 'Ese correo ya existe' }]
    const body = {
      type: 'about:blank',
      title: 'x',
      status: 409,
      detail: 'No',
      code: 'email_taken',
      errors: fields,
    }
    expect(failureFrom(409, body)).toEqual({ status: 409, detail: 'No', code: 'email_taken', fields })
  })

  it.each([null, '', '  ', 7, [], {}, { errors: 'x' }, { errors: [null, 1, {}] }])(
    'says nothing for %j',
    (body) => {
      expect(failureFrom(500, body)).toEqual({ status: 500 })
    },
  )

  it('distinguishes what may have happened from what was answered', () => {
    expect(isUnanswered({ status: 'TIMEOUT_ERROR' })).toBe(true)
    expect(isUnanswered({ status: 422 })).toBe(false)
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { AttemptKey, newIdempotencyKey } from './idempotency.ts'

afterEach(() => vi.unstubAllGlobals())

describe('the key of an attempt', () => {
  const input = { amount: '50.00', ids: [3, 5] }

  it('is the same for the same input, until an answer came', () => {
    const attempt = new AttemptKey()
    const key = attempt.for(input)
    expect(attempt.for({ ...input })).toBe(key)
    for (const status of ['FETCH_ERROR', 'TIMEOUT_ERROR', 'PARSING_ERROR'] as const) {
      attempt.settle({ status })
      expect(attempt.for(input)).toBe(key)
    }
  })

  it.each([
    ['another amount', { ...input, amount: '50.01' }],
    ['another list', { ...input, ids: [5, 3] }],
    ['one more', { ...input, ids: [3, 5, 7] }],
  ])('is another one for %s, and for what came before as well', (_what, other) => {
    const attempt = new AttemptKey()
    const key = attempt.for(input)
    const next = attempt.for(other)
    expect(next).not.toBe(key)
    expect([key, next]).not.toContain(attempt.for(input))
  })

  it.each([null, { status: 409 }, { status: 422 }, { status: 500 }])(
    'is spent by the answer %j',
    (answer) => {
      const attempt = new AttemptKey()
      const key = attempt.for(input)
      attempt.settle(answer)
      const next = attempt.for(input)
      expect(next).toMatch(/^[\w-]{32,}$/)
      expect(next).not.toBe(key)
    },
  )

  it('is never that of another form', () => {
    expect(new AttemptKey().for(input)).not.toBe(new AttemptKey().for(input))
  })
})

describe('a new key', () => {
  it('has 128 random bits also where the browser makes no UUIDs', () => {
    const { getRandomValues } = crypto
    vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
    const keys = Array.from({ length: 50 }, newIdempotencyKey)
    expect(new Set(keys).size).toBe(50)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  })
})

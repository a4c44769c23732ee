import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hasherOf, solve } from './proofOfWork.ts'

const first = (text: string) => createHash('sha256').update(text).digest().readUInt32BE(0)

describe('the hash', () => {
  it.each([0, 1, 40, 53, 54, 55, 56, 57, 63, 64, 65, 83, 119, 120, 128])(
    'is SHA-256 of a text of %d characters and a number',
    (length) => {
      const text = 'abcdefgh'.repeat(20).slice(0, length)
      const hash = hasherOf(text)
      for (const number of [0, 9, 10, 12_345, 4_000_000]) expect(hash(number)).toBe(first(`${text}${number}`))
    },
  )
})

describe('a solution', () => {
  it('has for each part a number whose hash begins with so many zero bits', () => {
    const request = { challenge: 'x'.repeat(83), bits: 8, parts: 3, expires_at: '2026-01-01T00:00:00Z' }
    const solution = solve(request)?.solution ?? []
    expect(solution).toHaveLength(3)
    for (const [part, number] of solution.entries())
      expect(first(`${request.challenge}:${part}:${number}`) >>> 24).toBe(0)
  })

  it('is not looked for where it would take minutes', () => {
    expect(solve({ challenge: 'x', bits: 21, parts: 8, expires_at: '' })).toBeNull()
    expect(solve({ challenge: 'x', bits: 1, parts: 17, expires_at: '' })).toBeNull()
  })
})

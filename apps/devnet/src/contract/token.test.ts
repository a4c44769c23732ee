import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileToken, TOKEN_ARTIFACT } from './compile.ts'

describe('the token artifact', () => {
  it('is what the compiler makes of the contract today', { timeout: 60_000 }, () => {
    expect(readFileSync(TOKEN_ARTIFACT, 'utf8')).toBe(compileToken())
  })
})

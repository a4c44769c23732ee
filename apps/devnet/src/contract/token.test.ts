import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileToken, TOKEN_ARTIFACT } from './compile.ts'

describe('the token artifact', () => {
  it('is what the compiler makes of the contract today', () => {
    expect(readFileSync(TOKEN_ARTIFACT, 'utf8')).toBe(compileToken())
  })
})

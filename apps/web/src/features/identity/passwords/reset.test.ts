import { describe, expect, it } from 'vitest'
import { linkToken, resetPath, sentFrom, typedEmail } from './reset.ts'

describe('what a reset page knows', () => {
  it('is the e-mail of its address, whatever is in it', () => {
    const path = resetPath(' ana+1@aval.app ')
    expect(path).toBe('/auth/reset-password?email=ana%2B1%40aval.app')
    const { search } = new URL(path, 'https://office.aval.app')
    expect(typedEmail({ search, state: null })).toBe('ana+1@aval.app')
    expect(resetPath('  ')).toBe('/auth/reset-password')
  })

  it('is what was typed at the sign-in, where that is an e-mail', () => {
    expect(typedEmail({ search: '', state: { identity: 'ana@aval.app' } })).toBe('ana@aval.app')
    for (const state of [{ identity: 'ana' }, { identity: 7 }, 'x', null, undefined])
      expect(typedEmail({ search: '', state })).toBe('')
    expect(typedEmail({ search: `?email=${'x'.repeat(300)}@b.co`, state: null })).toBe('')
  })

  it('is when a code was asked for', () => {
    expect(sentFrom({ search: '', state: { sentence: 'Sent.', sentAt: 5 } })).toEqual({
      sentence: 'Sent.',
      at: 5,
    })
    for (const state of [null, {}, { sentence: 'x' }, { sentence: 1, sentAt: 2 }])
      expect(sentFrom({ search: '', state })).toBeNull()
  })

  it('is the token of the e-mail’s link', () => {
    const token = 'A-b_9'.repeat(8)
    for (const behind of ['', ')', '.', '%E2%80%8B', '%20'])
      expect(linkToken(`#${token}${behind}`)).toBe(token)
    for (const hash of ['', '#', '#short', `#${token}?x=1`, `#${'x'.repeat(201)}`, token])
      expect(linkToken(hash)).toBeNull()
  })
})

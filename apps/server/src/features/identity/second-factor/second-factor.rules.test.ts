import { hashRaw } from '@node-rs/argon2'
import { Secret } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { keyFor } from '../../../core/seal.ts'
import { codeOf } from '../../../testing/server.ts'
import { hashRecoveryCode, newRecoveryCode, newRecoverySalt } from './recovery-codes.ts'
import { readTyped, secondsToWait, TRIES } from './second-factor.rules.ts'
import { newTotpSecret, totpSecretOf, totpStep, totpUri } from './totp.ts'

/** The secret of RFC 6238, appendix B. */
const RFC = totpSecretOf(Buffer.from('12345678901234567890'))
const at = (seconds: number) => new Date(seconds * 1000)

describe('a code of the app', () => {
  // The appendix has eight digits; six are their end.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %i seconds is what RFC 6238 says', (seconds, code) => {
    expect(totpStep(RFC, code, at(seconds))).toBe(BigInt(Math.floor(seconds / 30)))
  })

  it('is taken in its half minute, the one before and the one after, and knows which it is of', () => {
    const code = codeOf(RFC, at(3000))
    const steps = [-31, -30, 0, 29, 30, 59, 60].map((late) => totpStep(RFC, code, at(3000 + late)))
    expect(steps).toEqual([null, 100n, 100n, 100n, 100n, 100n, null])
  })

  it('of another secret is none', () => {
    expect(totpStep(newTotpSecret(), codeOf(RFC, at(3000)), at(3000))).toBeNull()
  })
})

it('a secret has 160 bits, and goes to the app under the product’s and the member’s name', () => {
  expect(Secret.fromBase32(newTotpSecret()).bytes).toHaveLength(20)
  expect(newTotpSecret()).not.toBe(newTotpSecret())
  const uri = new URL(totpUri(RFC, 'ana maría'))
  expect(decodeURIComponent(uri.pathname)).toMatch(/Aval:ana maría$/)
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Aval',
    secret: RFC,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

describe('a recovery code', () => {
  it('is easy to copy by hand', () => {
    const code = newRecoveryCode()
    expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
    expect(readTyped(code.toUpperCase().replace('-', ' '))).toEqual({
      kind: 'recovery',
      text: code.replace('-', ''),
    })
  })

  it('is hashed as slowly as a password, with a salt, for its member and its installation', async () => {
    const [key, code] = [new Uint8Array(32).fill(1), 'abcdefghjk']
    const [salt, other] = [newRecoverySalt(), newRecoverySalt()]
    const hash = await hashRecoveryCode(key, 1n, salt, code)
    const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
    const argon2 = await hashRaw(`1 ${code}`, {
      ...parameters,
      salt: Buffer.from(salt, 'hex'),
      secret: keyFor(key, 'recovery codes'),
    })
    expect(hash).toBe(argon2.toString('hex'))
    const others = await Promise.all([
      hashRecoveryCode(key, 2n, salt, code),
      hashRecoveryCode(key, 1n, other, code),
      hashRecoveryCode(new Uint8Array(32), 1n, salt, code),
    ])
    expect(new Set([hash, ...others]).size).toBe(4)
  })
})

describe('what is typed', () => {
  it.each([
    ['123456', 'totp', '123456'],
    [' 123 456 ', 'totp', '123456'],
    ['123-456', 'totp', '123456'],
    ['012345', 'totp', '012345'],
    ['abcde-fghjk', 'recovery', 'abcdefghjk'],
    ['ABCDE FGHJK', 'recovery', 'abcdefghjk'],
    ['23456-78923', 'recovery', '2345678923'],
  ])('%j is a %s', (typed, kind, text) => {
    expect(readTyped(typed)).toEqual({ kind, text })
  })

  const malformed = ['', ' ', '12345', '1234567', '12345a', '１２３４５６', '٠١٢٣٤٥', '+12345', '1e5000']
  it.each([...malformed, 'abcde-fghjl', 'abcdefghjk2'])('%j is no code', (typed) => {
    expect(readTyped(typed)).toBeNull()
  })
})

describe('tries', () => {
  const since = new Date('2026-05-01T12:00:00Z')
  const after = (milliseconds: number) => new Date(since.getTime() + milliseconds)

  it('are ten in a quarter of an hour; the eleventh waits for what is left of it', () => {
    expect(secondsToWait(1, since, since)).toBe(0)
    expect(secondsToWait(TRIES.limit, since, after(1000))).toBe(0)
    expect(secondsToWait(TRIES.limit + 1, since, since)).toBe(900)
    expect(secondsToWait(TRIES.limit + 1, since, after(899_500))).toBe(1)
    expect(secondsToWait(5000, since, after(60_000))).toBe(840)
  })
})

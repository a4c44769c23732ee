import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { keyFor, seal, unseal } from './seal.ts'

const key = randomBytes(32)

it('opens what it sealed, and shows nothing of it', () => {
  const sealed = seal(key, 'JBSWY3DPEHPK3PXP', 'totp 7')
  expect(unseal(key, sealed, 'totp 7')).toBe('JBSWY3DPEHPK3PXP')
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('JBSW')
  expect(seal(key, 'JBSWY3DPEHPK3PXP', 'totp 7')).not.toBe(sealed)
})

it('never seals with the same nonce twice', () => {
  const nonces = Array.from({ length: 5000 }, () => seal(key, 'secret', 'totp 7').slice(0, 16))
  expect(new Set(nonces).size).toBe(nonces.length)
})

it('opens for its owner and its key alone, and nothing that was changed', () => {
  const sealed = seal(key, 'secret', 'totp 7')
  expect(() => unseal(key, sealed, 'totp 8')).toThrow()
  expect(() => unseal(randomBytes(32), sealed, 'totp 7')).toThrow()
  const bytes = Buffer.from(sealed, 'base64')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => unseal(key, changed.toString('base64'), 'totp 7')).toThrow()
  }
  expect(() => unseal(key, '', 'totp 7')).toThrow()
})

it('derives one key a purpose, the same every time', () => {
  expect(keyFor(key, 'a')).toEqual(keyFor(key, 'a'))
  expect(keyFor(key, 'a')).not.toEqual(keyFor(key, 'b'))
  expect(keyFor(key, 'a')).not.toEqual(keyFor(randomBytes(32), 'a'))
  expect(keyFor(key, 'a', 20)).toHaveLength(20)
})

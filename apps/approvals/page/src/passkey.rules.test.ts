import { describe, expect, it } from 'vitest'
import { base64url, hexOf, keyLine, operatorOf, shortForm, whyNoKey } from './passkey.rules.ts'

describe('why there can be no passkey here', () => {
  const good = { isSecure: true, knowsPasskeys: true }
  const at = (origin: string, url = origin) => ({ ...good, origin, url })
  it.each([
    ['at its own address with https', at('https://approve.aval.example'), null],
    ['on this machine under its name', at('http://localhost:3002'), null],
    [
      'on this machine under its number',
      at('http://127.0.0.1:3002', 'http://localhost:3002'),
      'other_address',
    ],
    [
      'in the company network under a number',
      at('http://192.168.1.5:3002', 'https://approve.aval.example'),
      'other_address',
    ],
    ['where the address itself is a number', at('https://192.168.1.5'), 'address_is_a_number'],
    ['where the address itself is a number of IPv6', at('http://[::1]:3002'), 'address_is_a_number'],
    ['without https', { ...at('http://office.lan:3002'), isSecure: false }, 'no_tls'],
    [
      'in a browser that knows none',
      { ...at('https://approve.aval.example'), knowsPasskeys: false },
      'old_browser',
    ],
  ] as const)('%s', (_where, surroundings, why) => {
    expect(whyNoKey(surroundings)).toBe(why)
  })
})

it('hands a key over as one line that says whose it is', () => {
  const key = {
    member: 12,
    name: 'José Peña',
    origin: 'http://localhost:3002',
    credentialId: 'AQID',
    publicKey: 'MFkw',
    algorithm: -7,
  }
  const line = keyLine(key)
  expect(line).toMatch(/^avalkey1\.[\w-]+$/)
  expect(JSON.parse(Buffer.from(line.slice('avalkey1.'.length), 'base64url').toString('utf8'))).toEqual(key)
})

it('writes bytes as the signer reads them', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  expect(base64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
  expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString('hex'))
  expect(shortForm('0123456789abcdef0123456789abcdef')).toBe('0123 4567 89ab cdef 0123')
})

it.each([
  ['12', '12'],
  ['0', null],
  ['-1', null],
  ['12 ', null],
  ['', null],
  ['9'.repeat(19), null],
])('a key whose owner is %j is of %j', (text, operator) => {
  expect(operatorOf(new TextEncoder().encode(text))).toBe(operator)
})

it('a key that names no owner is nobody’s', () => {
  expect(operatorOf(null)).toBeNull()
})

import { describe, expect, it } from 'vitest'
import { defaultName, relyingPartyOf } from './passkeys.rules.ts'

describe('the relying party', () => {
  it('is the name at which people reach the product', () => {
    expect(relyingPartyOf('https://office.aval.example:8443')).toEqual({
      id: 'office.aval.example',
      origin: 'https://office.aval.example:8443',
    })
    expect(relyingPartyOf('http://localhost:3000')?.id).toBe('localhost')
  })

  it.each(['http://127.0.0.1:3000', 'https://192.168.1.5', 'http://[::1]:3000'])(
    'is none at %s: browsers keep no passkeys for numbers',
    (url) => {
      expect(relyingPartyOf(url)).toBeNull()
    },
  )
})

it.each([
  [{ browser: 'Firefox', system: 'Linux' }, 'Firefox · Linux'],
  [{ browser: null, system: 'Android' }, 'Android'],
  [{ browser: null, system: null }, 'Passkey'],
])('a passkey without a name made by %j is called %s', (device, name) => {
  expect(defaultName(device)).toBe(name)
})

import { describe, expect, it } from 'vitest'
import { whyNoPasskey } from './passkeyPlace.ts'

describe('why there can be no passkey here', () => {
  const at = (origin: string, own = origin) => ({ origin, own, isSecure: true, knowsPasskeys: true })
  it.each([
    ['at its own address with https', at('https://aval.example'), null],
    ['on this machine under its name', at('http://localhost:3000'), null],
    [
      'on this machine under its number',
      at('http://127.0.0.1:3000', 'http://localhost:3000'),
      'other_address',
    ],
    ['where the address itself is a number', at('https://192.168.1.5'), 'address_is_a_number'],
    ['where the address itself is a number of IPv6', at('http://[::1]:3000'), 'address_is_a_number'],
    ['without https', { ...at('http://office.lan:3000'), isSecure: false }, 'no_tls'],
    ['in a browser that knows none', { ...at('https://aval.example'), knowsPasskeys: false }, 'old_browser'],
  ] as const)('%s', (_where, surroundings, why) => {
    expect(whyNoPasskey(surroundings)).toBe(why)
  })
})

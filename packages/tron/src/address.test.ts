import fc from 'fast-check'
import { TronWeb } from 'tronweb'
import { describe, expect, it } from 'vitest'
import { addressFromHex, addressToHex, parseAddress, tryAddressFromHex } from './address.ts'

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const account = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))

describe('addresses', () => {
  it('read from hex and write to hex as tronweb does', () => {
    fc.assert(
      fc.property(account, (hex) => {
        const address = addressFromHex(`41${hex}`)
        expect(address).toBe(TronWeb.address.fromHex(`41${hex}`))
        expect(addressToHex(address)).toBe(`41${hex}`)
        expect(parseAddress(address)).toBe(address)
        expect(addressFromHex(hex)).toBe(address)
        expect(addressFromHex(hex.padStart(64, '0'))).toBe(address)
      }),
    )
  })

  it('with one wrong character are none', () => {
    for (let index = 0; index < USDT.length; index += 1) {
      const other = USDT[index] === 'x' ? 'y' : 'x'
      expect(parseAddress(USDT.slice(0, index) + other + USDT.slice(index + 1))).toBeNull()
    }
  })

  it.each([
    ['nothing', ''],
    ['a Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['spaces around it', ` ${USDT} `],
    ['hex', addressToHex(addressFromHex('a614f803b6fd780986a42c78ec9c7f77e6ded13c'))],
    ['a flood', 'T'.repeat(1_000_000)],
  ])('are not read from %s', (_name, text) => {
    expect(parseAddress(text)).toBeNull()
  })

  it.each([
    '',
    '41',
    '42a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    'zz',
    `1${'0'.repeat(63)}`,
    '41'.repeat(32),
  ])('are not read from the hex %j', (hex) => {
    expect(tryAddressFromHex(hex)).toBeNull()
    expect(() => addressFromHex(hex)).toThrow(RangeError)
  })
})

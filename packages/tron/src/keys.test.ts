import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { TronWeb } from 'tronweb'
import { describe, expect, it } from 'vitest'
import { addressFromPrivateKey } from './address.ts'
import {
  accountPrivateKey,
  accountXpub,
  depositAccountKey,
  depositAddress,
  depositPrivateKeyOf,
  depositXpub,
  newMnemonic,
} from './keys.ts'
import { DEVNET } from './networks.ts'

const xpub = accountXpub(DEVNET.mnemonic)
const master = HDKey.fromMasterSeed(mnemonicToSeedSync(DEVNET.mnemonic))

describe('deposit addresses', () => {
  it('of the development chain are derived from its pinned xpub', () => {
    expect(DEVNET.xpub).toBe(xpub)
  })

  it.each([0, 1, 2, 57, 2_147_483_647])(
    'number %i is the one every wallet derives from the mnemonic',
    (index) => {
      const oracle = TronWeb.fromMnemonic(DEVNET.mnemonic, `m/44'/195'/0'/0/${index}`)
      expect(depositAddress(xpub, index)).toBe(oracle.address)
      expect(addressFromPrivateKey(accountPrivateKey(DEVNET.mnemonic, 0, index))).toBe(oracle.address)
    },
  )

  it.each([-1, 0.5, Number.NaN, 2_147_483_648])('have no number %d', (index) => {
    expect(() => depositAddress(xpub, index)).toThrow(RangeError)
    expect(() => accountPrivateKey(DEVNET.mnemonic, 0, index)).toThrow(RangeError)
  })

  it('refuse a private key, a key at another depth and a broken one', () => {
    const account = master.derive("m/44'/195'/0'")
    expect(() => depositAddress(account.privateExtendedKey, 0)).toThrow('never a private key')
    expect(() => depositAddress(master.publicExtendedKey, 0)).toThrow('depth 0')
    expect(() => depositAddress(account.deriveChild(0).publicExtendedKey, 0)).toThrow('depth 4')
    expect(() => depositAddress(`${xpub.slice(0, -1)}x`, 0)).toThrow()
    expect(() => accountXpub('test test test')).toThrow('not valid BIP39')
  })
})

describe('the private key of the deposit account', () => {
  const key = depositAccountKey(DEVNET.mnemonic)

  it('derives what the mnemonic does, without it', () => {
    expect(depositXpub(key)).toBe(xpub)
    expect(depositPrivateKeyOf(key, 57)).toEqual(accountPrivateKey(DEVNET.mnemonic, 0, 57))
  })

  it('is no other kind of key', () => {
    expect(() => depositXpub(xpub)).toThrow('private key of an account')
    expect(() => depositPrivateKeyOf(master.privateExtendedKey, 0)).toThrow('private key of an account')
    expect(() => depositPrivateKeyOf(key, -1)).toThrow(RangeError)
  })
})

it('new words are twenty-four, valid, and never the same', () => {
  const [one, other] = [newMnemonic(), newMnemonic()]
  expect(one.split(' ')).toHaveLength(24)
  expect(accountXpub(one)).not.toBe(accountXpub(other))
})

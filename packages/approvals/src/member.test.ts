import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  challengeOf,
  type MemberKey,
  memberKeyChallenge,
  memberKeyHash,
  memberWalletChallenge,
  memberWithdrawalChallenge,
} from './index.ts'

const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const NONCE = 'ab'.repeat(32)
const KEY_HASH = 'cd'.repeat(32)
const signing = { network: 'nile', memberId: 12n, expiresAt: 1_790_000_000_000, nonce: NONCE }
const key: MemberKey = { credentialId: 'credential', algorithm: -7, publicKey: 'MFkw' }
const change = { ...signing, version: 3, keyHash: KEY_HASH }
const withdrawal = { ...signing, amount: 1_500_000_000n, wallet: WALLET }
const wallet = { ...signing, wallet: WALLET }

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the hash of a key', () => {
  it('is over its credential, algorithm and public key', () => {
    expect(memberKeyHash(key)).toBe(hashOf('aval member key 1\ncredential\n-7\nMFkw'))
    expect(memberKeyHash(key)).toBe('c36e69ee32dd0c2e2a4a90112e10fc1115e69115a83417498508542e7af8b2d0')
  })

  it.each<[string, Partial<Record<keyof MemberKey, unknown>>]>([
    ['a credential with a line break', { credentialId: 'a\nb' }],
    ['no credential', { credentialId: '' }],
    ['a public key of other characters', { publicKey: 'a=' }],
    ['a public key that is too long', { publicKey: 'a'.repeat(1_001) }],
    ['another algorithm', { algorithm: -8.5 }],
  ])('is not made of %s', (_what, differences) => {
    expect(() => memberKeyHash({ ...key, ...differences } as MemberKey)).toThrow(RangeError)
  })
})

describe('what is signed', () => {
  const who = `nile\n12\n1790000000000\n${NONCE}`

  it('for a change of the key is a hash of all of it', () => {
    expect(hex(memberKeyChallenge(change))).toBe(hashOf(`aval member key change 1\n${who}\n3\n${KEY_HASH}`))
    expect(hex(memberKeyChallenge(change))).toBe(
      'c5400bcc06935d185015e9286d56b7a928fa24093a74e79315caea632849da0f',
    )
  })

  it('to switch it off has no key', () => {
    expect(hex(memberKeyChallenge({ ...change, keyHash: '' }))).toBe(
      hashOf(`aval member key change 1\n${who}\n3\n`),
    )
  })

  it('for a withdrawal is a hash of all of it', () => {
    expect(hex(memberWithdrawalChallenge(withdrawal))).toBe(
      hashOf(`aval member withdrawal 1\n${who}\n1500000000\n${WALLET}`),
    )
    expect(hex(memberWithdrawalChallenge(withdrawal))).toBe(
      '5f977ade37cb7d2c58407ecd8bb72eebb2d0fa1db2b0e1b6fbc09960892d8396',
    )
  })

  it('for another wallet is a hash of all of it', () => {
    expect(hex(memberWalletChallenge(wallet))).toBe(hashOf(`aval member wallet 1\n${who}\n${WALLET}`))
    expect(hex(memberWalletChallenge(wallet))).toBe(
      '4c96e80bab789ff08988c2cf2133256fcf87a6d23f39cd79e8905c7a4d8d8e34',
    )
  })

  it('differs where any part of it does, and from what is signed for anything else', () => {
    const others = [
      memberWithdrawalChallenge(withdrawal),
      memberWithdrawalChallenge({ ...withdrawal, network: 'shasta' }),
      memberWithdrawalChallenge({ ...withdrawal, memberId: 13n }),
      memberWithdrawalChallenge({ ...withdrawal, expiresAt: 1 }),
      memberWithdrawalChallenge({ ...withdrawal, nonce: KEY_HASH }),
      memberWithdrawalChallenge({ ...withdrawal, amount: 1n }),
      memberWithdrawalChallenge({ ...withdrawal, wallet: 'T' }),
      memberWalletChallenge(wallet),
      memberKeyChallenge(change),
      memberKeyChallenge({ ...change, version: 4 }),
      memberKeyChallenge({ ...change, keyHash: '' }),
      challengeOf({ ...signing, purpose: 'withdrawals', root: KEY_HASH, count: 1 }),
    ]
    expect(new Set(others.map(hex)).size).toBe(others.length)
  })

  it.each<[string, Record<string, unknown>]>([
    ['a network with a line break', { network: 'nile\nx' }],
    ['a network in capitals', { network: 'NILE' }],
    ['no member', { memberId: 0n }],
    ['a member that no column holds', { memberId: 2n ** 63n }],
    ['an expiry that is no whole number', { expiresAt: 1.5 }],
    ['an expiry of before', { expiresAt: 0 }],
    ['a short nonce', { nonce: 'ab' }],
    ['a nonce in capitals', { nonce: 'AB'.repeat(32) }],
  ])('is not made of %s', (_what, differences) => {
    expect(() => memberKeyChallenge({ ...change, ...differences })).toThrow(RangeError)
    expect(() => memberWithdrawalChallenge({ ...withdrawal, ...differences })).toThrow(RangeError)
    expect(() => memberWalletChallenge({ ...wallet, ...differences })).toThrow(RangeError)
  })

  it.each(['', 'T|1', 'T\n1', 'T0', `T${'1'.repeat(64)}`])('is not made of the wallet %j', (other) => {
    expect(() => memberWithdrawalChallenge({ ...withdrawal, wallet: other })).toThrow(RangeError)
    expect(() => memberWalletChallenge({ ...wallet, wallet: other })).toThrow(RangeError)
  })

  it('is not made of an amount of nothing, or a version of before the first', () => {
    for (const amount of [0n, -1n, 2n ** 63n])
      expect(() => memberWithdrawalChallenge({ ...withdrawal, amount })).toThrow(RangeError)
    for (const version of [0, -1, 1.5])
      expect(() => memberKeyChallenge({ ...change, version })).toThrow(RangeError)
    expect(() => memberKeyChallenge({ ...change, keyHash: 'cd' })).toThrow(RangeError)
  })
})

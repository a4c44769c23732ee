import {
  memberKeyChallenge,
  memberKeyHash,
  memberWalletChallenge,
  memberWithdrawalChallenge,
} from '@aval/approvals'
import type { MemberKeyParts } from '@aval/contract'
import { expect, it } from 'vitest'
import { challengeFor } from './memberProof.ts'

const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const parts: MemberKeyParts = {
  network: 'nile',
  member_id: 12,
  version: 3,
  nonce: 'ab'.repeat(32),
  expires_at: '2026-09-21T14:13:20.000Z',
  rp_id: 'localhost',
  credential_id: 'one',
  passkeys: [{ credential_id: 'one', name: 'Phone', public_key: 'MFkw', algorithm: -7 }],
}
const signing = {
  network: 'nile',
  memberId: 12n,
  expiresAt: Date.parse('2026-09-21T14:13:20.000Z'),
  nonce: parts.nonce,
}
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

it('what the passkey signs is what the page shows, by the page’s own member', () => {
  expect(challengeFor(parts, 12, { what: 'withdrawal', amount: '1500.5', wallet: WALLET })).toBe(
    text(memberWithdrawalChallenge({ ...signing, amount: 1_500_500_000n, wallet: WALLET })),
  )
  expect(challengeFor({ ...parts, member_id: 13 }, 12, { what: 'wallet', wallet: WALLET })).toBe(
    text(memberWalletChallenge({ ...signing, wallet: WALLET })),
  )
  const keyHash = memberKeyHash({ credentialId: 'one', publicKey: 'MFkw', algorithm: -7 })
  expect(challengeFor(parts, 12, { what: 'key', credentialId: 'one' })).toBe(
    text(memberKeyChallenge({ ...signing, version: 3, keyHash })),
  )
  expect(challengeFor(parts, 12, { what: 'key', credentialId: null })).toBe(
    text(memberKeyChallenge({ ...signing, version: 3, keyHash: '' })),
  )
})

it('nothing is signed for a passkey that is not the member’s, or for no amount', () => {
  expect(() => challengeFor(parts, 12, { what: 'key', credentialId: 'two' })).toThrow(RangeError)
  expect(() => challengeFor(parts, 12, { what: 'withdrawal', amount: '', wallet: WALLET })).toThrow(
    RangeError,
  )
})

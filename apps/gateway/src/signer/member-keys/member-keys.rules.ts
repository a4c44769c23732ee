/**
 * A member's own passkey, without which nothing of the member is paid. What counts is what the journal remembers: a hash. The
 * database's row of the key, and the member's signature, are compared with it.
 */
import {
  MEMBER_PROOF_KEPT_MS,
  MEMBER_PROOF_MS,
  type MemberKey,
  memberKeyChallenge,
  memberKeyHash,
  memberWithdrawalChallenge,
} from '@aval/approvals'
import { z } from 'zod'
import { CLOCK_MS, passkeyProofSchema } from '../approvals/approval.rules.ts'
import type { AssertionRefusal } from '../approvals/webauthn.rules.ts'
import type { Of } from '../journal/entries.rules.ts'
import { no, type Refused, type Withdrawal } from '../signing.rules.ts'

/** The row of a key, as anybody could have written it. */
export interface StoredMemberKey {
  readonly memberId: bigint
  readonly version: number
  readonly kind: string
  readonly credentialId: string | null
  readonly algorithm: number | null
  readonly publicKey: string | null
  readonly keyHash: string
  readonly proof: unknown
  readonly expiresAt: Date
  readonly nonce: string
  readonly state: string
}

/** What of a row is the key itself. */
export type KeyParts = Pick<StoredMemberKey, 'credentialId' | 'algorithm' | 'publicKey'>

/** What a member signed for a withdrawal, likewise. */
export interface StoredWithdrawalProof {
  readonly proof: unknown
  readonly expiresAt: Date
  readonly nonce: string
}

export type MemberKeyRefusal =
  | AssertionRefusal
  | 'members_origin_missing'
  | 'member_key_not_newer'
  | 'member_key_expired'
  | 'member_key_too_far'
  | 'member_key_differs'
  | 'member_key_missing'
  | 'member_key_on'
  | 'member_key_off'
  | 'member_key_cooling'
  | 'kind_unknown'
  | 'proof_invalid'

/** The newest key of a member, by the journal. */
export type Remembered = Of<'member_key'>
export type MemberProof = z.output<typeof passkeyProofSchema>

/** A signature and what it has to be over, and by which key. */
export interface ToVerify {
  readonly proof: MemberProof
  readonly challenge: Uint8Array
  readonly key: MemberKey
}

const algorithms = z.union([z.literal(-7), z.literal(-8), z.literal(-257)])

/** The key in a row; null for a row without one. */
export function keyOfRow({ credentialId, algorithm, publicKey }: KeyParts): MemberKey | null {
  const known = algorithms.safeParse(algorithm)
  return credentialId === null || publicKey === null || !known.success
    ? null
    : { credentialId, publicKey, algorithm: known.data }
}

/** The row's key where it is the one that the journal remembers. */
export function keyInForce(
  row: KeyParts | null,
  remembered: Pick<Remembered, 'key'>,
): MemberKey | 'member_key_missing' | 'member_key_differs' {
  if (row === null) return 'member_key_missing'
  const key = keyOfRow(row)
  return key !== null && hashOfKey(key) === remembered.key ? key : 'member_key_differs'
}

/** '' for what cannot be hashed, which no journal remembers for a key. */
function hashOfKey(key: MemberKey): string {
  try {
    return memberKeyHash(key)
  } catch {
    return ''
  }
}

/**
 * What is left to verify of a change, or why it is refused.
 * @param before the key that counts by the journal; null where there never was one
 * @param inForce its row, where there is one
 * @param now system time, in milliseconds
 */
export function checkChange(
  row: StoredMemberKey,
  before: Remembered | null,
  inForce: StoredMemberKey | null,
  network: string,
  now: number,
): ToVerify | MemberKeyRefusal {
  const { memberId, version, nonce, keyHash } = row
  const expiresAt = row.expiresAt.getTime()
  const proof = passkeyProofSchema.safeParse(row.proof)
  if (!proof.success) return 'proof_invalid'
  if (version <= (before?.version ?? 0)) return 'member_key_not_newer'
  if (expiresAt + (row.kind === 'recovered' ? MEMBER_PROOF_KEPT_MS : 0) <= now) return 'member_key_expired'
  if (expiresAt > now + MEMBER_PROOF_MS + CLOCK_MS) return 'member_key_too_far'
  const own = keyOfRow(row)
  if (row.kind === 'off' ? keyHash !== '' : own === null || hashOfKey(own) !== keyHash)
    return 'member_key_differs'
  const key = signingKey(row.kind, own, before, inForce, now)
  if (typeof key === 'string') return key
  if (proof.data.credential_id !== key.credentialId) return 'member_key_differs'
  const challenge = challengeOrNull(() =>
    memberKeyChallenge({ network, memberId, version, keyHash, expiresAt, nonce }),
  )
  return challenge === null ? 'proof_invalid' : { proof: proof.data, challenge, key }
}

/** Who signs a change: the key that is in force, or where there is none, or it is lost, the new one itself. */
function signingKey(
  kind: string,
  own: MemberKey | null,
  before: Remembered | null,
  inForce: StoredMemberKey | null,
  now: number,
): MemberKey | MemberKeyRefusal {
  const isOn = before !== null && before.key !== ''
  switch (kind) {
    case 'on':
      return isOn ? 'member_key_on' : (own ?? 'member_key_differs')
    case 'recovered':
      return own ?? 'member_key_differs'
    case 'replaced':
    case 'off':
      if (!isOn) return 'member_key_off'
      // Otherwise a key of operators would be rid of its time without money at once.
      return before.usable > now ? 'member_key_cooling' : keyInForce(inForce, before)
    default:
      return 'kind_unknown'
  }
}

/**
 * What is left to verify of a withdrawal, or why it is refused.
 * @param key as the journal remembers it, and switched on
 * @param usedFor the withdrawal that the nonce was used for; null for none
 */
export function checkWithdrawalProof(
  { id, memberId, amount, wallet }: Pick<Withdrawal, 'id' | 'memberId' | 'amount' | 'wallet'>,
  key: Remembered,
  row: KeyParts | null,
  stored: StoredWithdrawalProof | null,
  usedFor: string | null,
  network: string,
  now: number,
): ToVerify | Refused {
  const inForce = keyInForce(row, key)
  if (inForce === 'member_key_missing')
    return no(inForce, 'the member’s key that the journal remembers is not in the database')
  if (inForce === 'member_key_differs')
    return no(inForce, 'the member’s key in the database is not the one that the journal remembers')
  if (key.usable > now) return no('member_key_cooling', 'the member’s new key moves nothing yet')
  if (stored === null)
    return no('member_proof_missing', 'only the member’s passkey moves money, and it did not sign')
  const { nonce } = stored
  const expiresAt = stored.expiresAt.getTime()
  if (expiresAt + MEMBER_PROOF_KEPT_MS < now)
    return no('member_proof_expired', 'the member signed it more than thirty days ago')
  if (expiresAt > now + MEMBER_PROOF_MS + CLOCK_MS) return invalid('proof_too_far')
  if (usedFor !== null && usedFor !== String(id))
    return no('member_proof_used', 'the member’s signature was used for another withdrawal')
  const proof = passkeyProofSchema.safeParse(stored.proof)
  if (!proof.success) return invalid('proof_invalid')
  if (proof.data.credential_id !== inForce.credentialId) return invalid('other_key')
  const challenge = challengeOrNull(() =>
    memberWithdrawalChallenge({ network, memberId, amount, wallet, expiresAt, nonce }),
  )
  return challenge === null ? invalid('proof_invalid') : { proof: proof.data, challenge, key: inForce }
}

/** The same on a machine without a journal: the key that was exported is taken to be the one in force. */
export function checkExportedProof(
  withdrawal: Pick<Withdrawal, 'id' | 'memberId' | 'amount' | 'wallet'>,
  exported: {
    readonly version: number
    readonly credential_id: string
    readonly algorithm: number
    readonly public_key: string
  },
  stored: StoredWithdrawalProof | null,
  network: string,
  now: number,
): ToVerify | Refused {
  const { version, credential_id: credentialId, algorithm, public_key: publicKey } = exported
  const parts = { credentialId, algorithm, publicKey }
  const key = keyOfRow(parts)
  if (key === null) return no('member_key_differs', 'the member’s key in the export is none')
  const inForce: Remembered = {
    kind: 'member_key',
    at: 0,
    member: String(withdrawal.memberId),
    version,
    key: hashOfKey(key),
    by: 'member',
    usable: 0,
  }
  return checkWithdrawalProof(withdrawal, inForce, parts, stored, null, network, now)
}

/** @param what what is wrong with it, for operators */
export const invalid = (what: string): Refused =>
  no('member_proof_invalid', `the member’s passkey did not sign exactly this: ${what}`)

/** Null for what no member could have signed. */
function challengeOrNull(make: () => Uint8Array): Uint8Array | null {
  try {
    return make()
  } catch {
    return null
  }
}

/** The challenge of what a member's passkey signs, computed from what the page shows, and the passkey's answer. Fetched when it is needed. */
import {
  type MemberKey,
  memberKeyChallenge,
  memberKeyHash,
  memberWalletChallenge,
  memberWithdrawalChallenge,
} from '@aval/approvals'
import type { MemberKeyParts } from '@aval/contract'
import { parseMicro } from '@aval/money'
import type { Wire } from './conforms.ts'
import { askPasskey, type PasskeyFailure } from './passkeys.ts'

export type MemberProof = Wire<'memberProof'>

export type Asked =
  | { readonly state: 'signed'; readonly proof: MemberProof; readonly parts: MemberKeyParts }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly why: PasskeyFailure }

/** Amounts as plain decimals. `key`: the passkey that counts from now on; null for none. */
export type ToSign =
  | { readonly what: 'withdrawal'; readonly amount: string; readonly wallet: string }
  | { readonly what: 'wallet'; readonly wallet: string }
  | { readonly what: 'key'; readonly credentialId: string | null }

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** @throws RangeError for what nobody can sign */
export function challengeFor(parts: MemberKeyParts, memberId: number, sign: ToSign): string {
  const { network, nonce, version } = parts
  const signing = { network, memberId: BigInt(memberId), expiresAt: Date.parse(parts.expires_at), nonce }
  switch (sign.what) {
    case 'withdrawal': {
      const amount = parseMicro(sign.amount) ?? 0n
      return base64url(memberWithdrawalChallenge({ ...signing, amount, wallet: sign.wallet }))
    }
    case 'wallet':
      return base64url(memberWalletChallenge({ ...signing, wallet: sign.wallet }))
    case 'key': {
      const keyHash = sign.credentialId === null ? '' : hashOf(parts, sign.credentialId)
      return base64url(memberKeyChallenge({ ...signing, version, keyHash }))
    }
  }
}

function hashOf({ passkeys }: MemberKeyParts, wanted: string): string {
  const found = passkeys.find(({ credential_id }) => credential_id === wanted)
  if (found === undefined) throw new RangeError('there is no such passkey')
  const { credential_id: credentialId, public_key: publicKey, algorithm } = found
  return memberKeyHash({ credentialId, publicKey, algorithm: algorithm as MemberKey['algorithm'] })
}

/** @param by a credential's id; without one, the passkey that moves the money */
export async function askMember(
  parts: MemberKeyParts,
  memberId: number,
  sign: ToSign,
  by = parts.credential_id,
): Promise<Asked> {
  if (by === null) return { state: 'failed', why: 'failed' }
  const asked = await askPasskey({
    challenge: challengeFor(parts, memberId, sign),
    rpId: parts.rp_id,
    timeout: 5 * 60_000,
    allowCredentials: [{ id: by, type: 'public-key' }],
    userVerification: 'required',
  })
  if (asked.state !== 'given') return asked
  const { nonce, expires_at } = parts
  // What the browser adds besides, the wire has no place for.
  const { id, rawId, type, response } = asked.credential
  return { state: 'signed', proof: { credential: { id, rawId, type, response }, nonce, expires_at }, parts }
}

/** Verifies what an operator gave for a list: a passkey's signature over it, or a code. */
import { type ApprovalRequest, challengeOf } from '@aval/approvals'
import { approverWith, type Policy } from '../policy.rules.ts'
import type { ApprovalRefusal, Proof } from './approval.rules.ts'
import { stepOfCode } from './totp.ts'
import type { Assertion } from './webauthn.rules.ts'
import { verifyAssertion } from './webauthn.ts'

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))

/** What a passkey answered, out of a proof as it travels. */
export const assertionOf = (proof: Extract<Proof, { kind: 'passkey' }>): Assertion => ({
  clientData: bytesOf(proof.client_data),
  authenticatorData: bytesOf(proof.authenticator_data),
  signature: bytesOf(proof.signature),
})

export const keyOf = (proof: Proof): string => (proof.kind === 'code' ? 'code' : proof.credential_id)

/**
 * The counter to remember, a code's half minute, or the name of what is wrong.
 * @param counter the highest of this key so far
 * @param now system time, in milliseconds
 */
export function verifyProof(
  proof: Proof,
  request: ApprovalRequest,
  operatorId: bigint,
  policy: Policy,
  counter: number,
  now: number,
): number | ApprovalRefusal {
  const approver = approverWith(policy, operatorId, keyOf(proof))
  if (proof.kind === 'code') {
    if (approver?.codeSecret === undefined) return 'code_not_set_up'
    return stepOfCode(approver.codeSecret, proof.code, now, counter) ?? 'wrong_code'
  }
  const passkey = approver?.passkeys.find(({ credentialId }) => credentialId === proof.credential_id)
  if (passkey === undefined) return 'unknown_key'
  const challenge = Buffer.from(challengeOf(request)).toString('base64url')
  return verifyAssertion(assertionOf(proof), passkey, {
    challenge,
    origin: policy.origin,
    rpId: policy.rpId,
    counter,
  })
}

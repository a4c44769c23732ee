/** Verifies a passkey's answer with Node's own cryptography: no library of others decides what is signed. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  type Assertion,
  type AssertionRefusal,
  type Expected,
  type Passkey,
  readAssertion,
} from './webauthn.rules.ts'

/** The counter to remember, or the name of what is wrong. */
export function verifyAssertion(
  assertion: Assertion,
  passkey: Pick<Passkey, 'publicKey' | 'algorithm'>,
  expected: Omit<Expected, 'rpIdHash'> & { readonly rpId: string },
): number | AssertionRefusal {
  const counter = readAssertion(assertion, { ...expected, rpIdHash: sha256(Buffer.from(expected.rpId)) })
  if (typeof counter !== 'number') return counter
  const signed = Buffer.concat([assertion.authenticatorData, sha256(assertion.clientData)])
  return isSigned(signed, assertion.signature, passkey) ? counter : 'wrong_signature'
}

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** A key of the kind that its algorithm asks for; null for every other. */
export function readPublicKey({
  publicKey,
  algorithm,
}: Pick<Passkey, 'publicKey' | 'algorithm'>): KeyObject | null {
  try {
    const der = Buffer.from(publicKey, 'base64url')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    // One encoding a key: what is pinned is what is shown.
    const isCanonical = key.export({ type: 'spki', format: 'der' }).equals(der)
    return isCanonical && isOfKind(key, algorithm) ? key : null
  } catch {
    return null
  }
}

function isOfKind(
  { asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject,
  algorithm: number,
): boolean {
  if (algorithm === -7) return type === 'ec' && details?.namedCurve === 'prime256v1'
  if (algorithm === -8) return type === 'ed25519'
  return algorithm === -257 && type === 'rsa' && (details?.modulusLength ?? 0) >= 2_048
}

function isSigned(
  data: Uint8Array,
  signature: Uint8Array,
  passkey: Pick<Passkey, 'publicKey' | 'algorithm'>,
): boolean {
  const key = readPublicKey(passkey)
  if (key === null) return false
  if (passkey.algorithm === -7 && !isCanonicalDer(signature)) return false
  try {
    return verify(passkey.algorithm === -8 ? null : 'sha256', data, key, signature)
  } catch {
    return false
  }
}

/** Two integers, each as short as it can be, and nothing after them: ES256 signatures are DER here and never P1363. */
function isCanonicalDer(bytes: Uint8Array): boolean {
  if (bytes.length < 8 || bytes.length > 72 || bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2)
    return false
  let at = 2
  for (let count = 0; count < 2; count += 1) {
    const length = bytes[at + 1] ?? 0
    const first = bytes[at + 2] ?? 0x80
    const second = bytes[at + 3] ?? 0x80
    if (bytes[at] !== 0x02 || length < 1 || length > 33 || first >= 0x80) return false
    if (first === 0 && (length === 1 || second < 0x80)) return false
    at += 2 + length
  }
  return at === bytes.length
}

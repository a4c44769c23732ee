/** An authenticator in software, for tests: passkeys, and what they answer to a challenge. */
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign,
} from 'node:crypto'

export type Algorithm = -7 | -257 | -8

/** What a test may have the authenticator say instead of the truth. */
export interface AssertionChanges {
  readonly type?: string
  readonly origin?: string
  readonly challenge?: Uint8Array
  readonly crossOrigin?: unknown
  readonly rpId?: string
  /** The bits of the authenticator data; user present and verified unless given. */
  readonly flags?: number
  readonly counter?: number
  /** More bytes of the authenticator data. */
  readonly extra?: Uint8Array
  /** More members of the client data. */
  readonly client?: Readonly<Record<string, unknown>>
}

/** A proof as it travels; all values base64url. */
export interface PasskeyProof {
  readonly kind: 'passkey'
  readonly credential_id: string
  readonly client_data: string
  readonly authenticator_data: string
  readonly signature: string
}

/** What of a passkey is public. */
export interface PublicPasskey {
  readonly credentialId: string
  /** SPKI in DER, base64url. */
  readonly publicKey: string
  readonly algorithm: Algorithm
}

const keyPair = (algorithm: Algorithm): KeyPairKeyObjectResult =>
  algorithm === -7
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : algorithm === -8
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('rsa', { modulusLength: 2048 })

const signatureOf = (algorithm: Algorithm, key: KeyObject, data: Uint8Array): Buffer =>
  sign(algorithm === -8 ? null : 'sha256', data, key)

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const USER_PRESENT = 1
const USER_VERIFIED = 4

/** @param origin where it was made and is used: "http://localhost:3002" */
export function createAuthenticator(origin: string, algorithm: Algorithm = -7) {
  const { publicKey, privateKey } = keyPair(algorithm)
  const passkey: PublicPasskey = {
    credentialId: base64url(randomBytes(16)),
    publicKey: base64url(publicKey.export({ type: 'spki', format: 'der' })),
    algorithm,
  }
  let counter = 0
  return {
    passkey,
    privateKey,
    /** Answers a challenge, with a counter one above the last. */
    approve(challenge: Uint8Array, changes: AssertionChanges = {}): PasskeyProof {
      counter += 1
      const client = {
        type: changes.type ?? 'webauthn.get',
        challenge: base64url(changes.challenge ?? challenge),
        origin: changes.origin ?? origin,
        crossOrigin: false,
        ...('crossOrigin' in changes && { crossOrigin: changes.crossOrigin }),
        ...changes.client,
      }
      const clientData = Buffer.from(JSON.stringify(client))
      const count = Buffer.alloc(4)
      count.writeUInt32BE(changes.counter ?? counter)
      const data = Buffer.concat([
        createHash('sha256')
          .update(changes.rpId ?? new URL(origin).hostname)
          .digest(),
        Uint8Array.of(changes.flags ?? USER_PRESENT | USER_VERIFIED),
        count,
        changes.extra ?? new Uint8Array(),
      ])
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
      return {
        kind: 'passkey',
        credential_id: passkey.credentialId,
        client_data: base64url(clientData),
        authenticator_data: base64url(data),
        signature: base64url(signatureOf(algorithm, privateKey, signed)),
      }
    },
  }
}
export type Authenticator = ReturnType<typeof createAuthenticator>

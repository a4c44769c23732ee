/** An authenticator in software, for tests: passkeys, and what they answer to a challenge. */
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign,
} from 'node:crypto'
import { type CborValue, encodeCbor } from './testing/cbor.ts'

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

/** The same for a new passkey. */
export interface RegistrationChanges extends AssertionChanges {
  /** How the authenticator vouches for the key; "none" unless given. */
  readonly format?: string
  readonly statement?: ReadonlyMap<string, CborValue>
  /** Another key than its own. */
  readonly cose?: ReadonlyMap<number, CborValue>
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
const HAS_KEY = 64

/** A public key as authenticators write it (COSE). */
function coseOf(algorithm: Algorithm, key: KeyObject): ReadonlyMap<number, CborValue> {
  const jwk = key.export({ format: 'jwk' })
  const bytes = (part: string | undefined) => Buffer.from(part ?? '', 'base64url')
  if (algorithm === -7)
    return new Map<number, CborValue>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, bytes(jwk.x)],
      [-3, bytes(jwk.y)],
    ])
  if (algorithm === -8)
    return new Map<number, CborValue>([
      [1, 1],
      [3, algorithm],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ])
  return new Map<number, CborValue>([
    [1, 3],
    [3, algorithm],
    [-1, bytes(jwk.n)],
    [-2, bytes(jwk.e)],
  ])
}

/** What the browser says of the page that asked. */
function clientDataOf(type: string, origin: string, challenge: Uint8Array, changes: AssertionChanges) {
  const client = {
    type: changes.type ?? type,
    challenge: base64url(changes.challenge ?? challenge),
    origin: changes.origin ?? origin,
    crossOrigin: false,
    ...('crossOrigin' in changes && { crossOrigin: changes.crossOrigin }),
    ...changes.client,
  }
  return Buffer.from(JSON.stringify(client))
}

/** What the authenticator says of itself. */
function dataOf(
  said: { readonly origin: string; readonly flags: number; readonly counter: number },
  changes: AssertionChanges,
  extra: Uint8Array,
): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(changes.counter ?? said.counter)
  const rpId = changes.rpId ?? new URL(said.origin).hostname
  return Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Uint8Array.of(changes.flags ?? said.flags),
    count,
    changes.extra ?? extra,
  ])
}

/** How a new key is vouched for. */
function attestationOf(authData: Buffer, changes: RegistrationChanges): Buffer {
  return encodeCbor(
    new Map<string, CborValue>([
      ['fmt', changes.format ?? 'none'],
      ['attStmt', changes.statement ?? new Map<string, CborValue>()],
      ['authData', authData],
    ]),
  )
}

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
      const clientData = clientDataOf('webauthn.get', origin, challenge, changes)
      const said = { origin, flags: USER_PRESENT | USER_VERIFIED, counter }
      const data = dataOf(said, changes, new Uint8Array())
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
      return {
        kind: 'passkey',
        credential_id: passkey.credentialId,
        client_data: base64url(clientData),
        authenticator_data: base64url(data),
        signature: base64url(signatureOf(algorithm, privateKey, signed)),
      }
    },
    /** Answers as a new passkey, in WebAuthn's JSON, vouched for by nobody. */
    register(challenge: Uint8Array, changes: RegistrationChanges = {}) {
      const id = Buffer.from(passkey.credentialId, 'base64url')
      const key = encodeCbor(changes.cose ?? coseOf(algorithm, publicKey))
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key])
      const said = { origin, flags: USER_PRESENT | USER_VERIFIED | HAS_KEY, counter }
      return {
        id: passkey.credentialId,
        rawId: passkey.credentialId,
        type: 'public-key' as const,
        response: {
          clientDataJSON: base64url(clientDataOf('webauthn.create', origin, challenge, changes)),
          attestationObject: base64url(attestationOf(dataOf(said, changes, credential), changes)),
          transports: ['internal' as const],
        },
      }
    },
  }
}
export type Authenticator = ReturnType<typeof createAuthenticator>

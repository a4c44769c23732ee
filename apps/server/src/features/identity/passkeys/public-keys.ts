/** Public keys of passkeys: as they are stored (SPKI, base64url), and as authenticators write them (COSE). */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { decodeCredentialPublicKey, isoCBOR } from '@simplewebauthn/server/helpers'
import { type Algorithm, isAlgorithm } from './passkeys.rules.ts'

/** Labels and values of RFC 9053 and 8230. */
const KTY = 1
const ALG = 3
const TYPES = { OKP: 1, EC: 2, RSA: 3 } as const
const ED25519 = 6
const P256 = 1
const SHORTEST_RSA = 2048

export interface StoredKey {
  /** SPKI in DER, base64url. */
  readonly publicKey: string
  readonly algorithm: Algorithm
}

const text = (bytes: unknown) =>
  bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64url') : undefined
const bytesOf = (part: string | undefined) => new Uint8Array(Buffer.from(part ?? '', 'base64url'))

/** The key that the algorithm needs; null for another. */
function jwkOf(key: ReadonlyMap<number, unknown>, algorithm: Algorithm): JsonWebKey | null {
  const [type, curve] = [key.get(KTY), key.get(-1)]
  const [first, second] = [text(key.get(-2)), text(key.get(-3))]
  if (algorithm === -7 && type === TYPES.EC && curve === P256 && first !== undefined && second !== undefined)
    return { kty: 'EC', crv: 'P-256', x: first, y: second }
  if (algorithm === -8 && type === TYPES.OKP && curve === ED25519 && first !== undefined)
    return { kty: 'OKP', crv: 'Ed25519', x: first }
  const modulus = text(curve)
  if (algorithm === -257 && type === TYPES.RSA && modulus !== undefined && first !== undefined)
    return { kty: 'RSA', n: modulus, e: first }
  return null
}

/** @returns null for a key of another kind than its algorithm's, or a weak one. @throws where it is no key at all */
export function storedKeyOf(cose: Uint8Array): StoredKey | null {
  const key = decodeCredentialPublicKey(new Uint8Array(cose)) as unknown as ReadonlyMap<number, unknown>
  const algorithm = key.get(ALG)
  if (!isAlgorithm(algorithm)) return null
  const jwk = jwkOf(key, algorithm)
  if (jwk === null) return null
  const made = createPublicKey({ key: jwk, format: 'jwk' })
  const bits = made.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && bits < SHORTEST_RSA) return null
  return { publicKey: made.export({ type: 'spki', format: 'der' }).toString('base64url'), algorithm }
}

/** The same key as authenticators write it. */
export function coseOf({ publicKey, algorithm }: StoredKey): Uint8Array<ArrayBuffer> {
  const der = Buffer.from(publicKey, 'base64url')
  const jwk = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const kind = algorithm === -7 ? 'EC' : algorithm === -8 ? 'OKP' : 'RSA'
  const parts: Readonly<Record<typeof kind, readonly (readonly [number, number | Uint8Array])[]>> = {
    EC: [
      [-1, P256],
      [-2, bytesOf(jwk.x)],
      [-3, bytesOf(jwk.y)],
    ],
    OKP: [
      [-1, ED25519],
      [-2, bytesOf(jwk.x)],
    ],
    RSA: [
      [-1, bytesOf(jwk.n)],
      [-2, bytesOf(jwk.e)],
    ],
  }
  const key = new Map<number, number | Uint8Array>([[KTY, TYPES[kind]], [ALG, algorithm], ...parts[kind]])
  return new Uint8Array(isoCBOR.encode(key))
}

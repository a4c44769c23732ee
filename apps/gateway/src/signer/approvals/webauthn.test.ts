import { createPublicKey } from 'node:crypto'
import { type AssertionChanges, createAuthenticator, type PasskeyProof } from '@aval/approvals/testing'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { cose, isoCBOR } from '@simplewebauthn/server/helpers'
import { describe, expect, it } from 'vitest'
import { readPublicKey, verifyAssertion } from './webauthn.ts'

const ORIGIN = 'https://approve.aval.example'
const RP_ID = 'approve.aval.example'
const CHALLENGE = Buffer.alloc(32, 7)
const KINDS = [
  ['ES256', -7],
  ['RS256', -257],
  ['EdDSA', -8],
] as const
const authenticators = Object.fromEntries(
  KINDS.map(([name, algorithm]) => [name, createAuthenticator(ORIGIN, algorithm)]),
) as Record<(typeof KINDS)[number][0], ReturnType<typeof createAuthenticator>>
const es256 = authenticators.ES256
type Authenticator = typeof es256

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

function ours(proof: PasskeyProof, { passkey }: Authenticator, counter = 0) {
  const assertion = {
    clientData: bytesOf(proof.client_data),
    authenticatorData: bytesOf(proof.authenticator_data),
    signature: bytesOf(proof.signature),
  }
  const expected = { challenge: CHALLENGE.toString('base64url'), origin: ORIGIN, rpId: RP_ID, counter }
  return verifyAssertion(assertion, passkey, expected)
}

/** The public key as COSE writes it, for the oracle. */
function coseKey({ passkey: { publicKey, algorithm } }: Authenticator): Uint8Array<ArrayBuffer> {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' })
  const { x, y, n, e } = key.export({ format: 'jwk' })
  const part = (text: string | undefined) => new Uint8Array(Buffer.from(text ?? '', 'base64url'))
  const { COSEKEYS, COSEKTY, COSECRV } = cose
  const fields: [number, number | Uint8Array][] =
    algorithm === -257
      ? [
          [COSEKEYS.kty, COSEKTY.RSA],
          [COSEKEYS.alg, algorithm],
          [COSEKEYS.n, part(n)],
          [COSEKEYS.e, part(e)],
        ]
      : [
          [COSEKEYS.kty, algorithm === -7 ? COSEKTY.EC2 : COSEKTY.OKP],
          [COSEKEYS.alg, algorithm],
          [COSEKEYS.crv, algorithm === -7 ? COSECRV.P256 : COSECRV.ED25519],
          [COSEKEYS.x, part(x)],
          ...(algorithm === -7 ? [[COSEKEYS.y, part(y)] satisfies [number, Uint8Array]] : []),
        ]
  return isoCBOR.encode(new Map(fields)) as Uint8Array<ArrayBuffer>
}

/** What `@simplewebauthn/server` says. */
async function oracle(proof: PasskeyProof, authenticator: Authenticator, counter = 0): Promise<boolean> {
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: proof.credential_id,
        rawId: proof.credential_id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: proof.client_data,
          authenticatorData: proof.authenticator_data,
          signature: proof.signature,
        },
      },
      expectedChallenge: CHALLENGE.toString('base64url'),
      expectedOrigin: ORIGIN,
      expectedRPID: RP_ID,
      credential: { id: proof.credential_id, publicKey: coseKey(authenticator), counter },
      requireUserVerification: true,
    })
    return verified
  } catch {
    return false
  }
}

describe.each(KINDS)('an answer by %s', (name) => {
  const authenticator = authenticators[name]
  /** The oracle reads what comes after the numbers of an ES256 signature, or how they are encoded, with less care than we do. */
  const refusedByOracle = async (proof: PasskeyProof, part: keyof PasskeyProof) =>
    (name === 'ES256' && part === 'signature') || !(await oracle(proof, authenticator))

  it('is accepted, and gives its counter', async () => {
    const proof = authenticator.approve(CHALLENGE, { counter: 41 })
    expect(ours(proof, authenticator)).toBe(41)
    expect(await oracle(proof, authenticator)).toBe(true)
  })

  it('with any one bit turned is refused, as by the oracle', async () => {
    const proof = authenticator.approve(CHALLENGE)
    for (const part of ['client_data', 'authenticator_data', 'signature'] as const) {
      const bytes = Buffer.from(proof[part], 'base64url')
      for (let place = 0; place < bytes.length; place += 1 + Math.floor(bytes.length / 60)) {
        const changed = Buffer.from(bytes)
        changed[place] = (changed[place] ?? 0) ^ (1 << (place % 8))
        const mutated = { ...proof, [part]: changed.toString('base64url') }
        expect(await refusedByOracle(mutated, part), `${part} ${place}`).toBe(true)
        expect(ours(mutated, authenticator), `${part} ${place}`).toBeTypeOf('string')
      }
    }
  })

  it('cut short or longer is refused, as by the oracle', async () => {
    const proof = authenticator.approve(CHALLENGE)
    for (const part of ['client_data', 'authenticator_data', 'signature'] as const) {
      const bytes = Buffer.from(proof[part], 'base64url')
      for (const changed of [
        bytes.subarray(1),
        bytes.subarray(0, -1),
        Buffer.concat([bytes, Buffer.of(0)]),
        Buffer.alloc(0),
      ]) {
        const mutated = { ...proof, [part]: changed.toString('base64url') }
        expect(await refusedByOracle(mutated, part)).toBe(true)
        expect(ours(mutated, authenticator)).toBeTypeOf('string')
      }
    }
  })

  it('of another key is refused', async () => {
    const other = createAuthenticator(ORIGIN, authenticator.passkey.algorithm)
    const proof = other.approve(CHALLENGE)
    expect(ours(proof, authenticator)).toBe('wrong_signature')
    expect(await oracle(proof, authenticator)).toBe(false)
  })
})

describe('an answer that says something else, well signed', () => {
  it.each<[string, AssertionChanges]>([
    ['wrong_type', { type: 'webauthn.create' }],
    ['wrong_challenge', { challenge: Buffer.alloc(32, 8) }],
    ['wrong_challenge', { challenge: Buffer.alloc(31, 7) }],
    ['wrong_origin', { origin: 'https://approve.aval.example.evil.example' }],
    ['wrong_origin', { origin: 'http://approve.aval.example' }],
    ['wrong_origin', { origin: `${ORIGIN}/` }],
    ['wrong_origin', { origin: ORIGIN.toUpperCase() }],
    ['wrong_relying_party', { rpId: 'aval.example' }],
    ['user_not_present', { flags: 4 }],
    ['user_not_verified', { flags: 1 }],
    ['user_not_present', { flags: 0 }],
    ['authenticator_data_invalid', { flags: 0x15 }],
    ['authenticator_data_invalid', { flags: 0x45 }],
    ['authenticator_data_invalid', { flags: 0x85 }],
    ['authenticator_data_invalid', { extra: Buffer.of(0xa0) }],
    ['client_data_invalid', { client: { origin: 7 } }],
  ])('is refused as %s: %o', async (code, changes) => {
    const proof = es256.approve(CHALLENGE, changes)
    expect(ours(proof, es256)).toBe(code)
    expect(await oracle(proof, es256)).toBe(false)
  })

  // Stricter than the oracle, which leaves these to its caller.
  it.each<[string, AssertionChanges]>([
    ['cross_origin', { crossOrigin: true }],
    ['cross_origin', { client: { topOrigin: ORIGIN } }],
    ['client_data_invalid', { crossOrigin: 'no' }],
    ['authenticator_data_invalid', { flags: 0x07 }],
    ['authenticator_data_invalid', { flags: 0x25 }],
  ])('is refused as %s: %o', (code, changes) => {
    expect(ours(es256.approve(CHALLENGE, changes), es256)).toBe(code)
  })

  it.each([
    ['is accepted where a passkey is kept by several devices', { flags: 0x1d }],
    ['is accepted with members that are not known yet', { client: { other_keys_can_be_added_here: 'yes' } }],
    ['is accepted where nothing says whether the page is a frame', { crossOrigin: undefined }],
  ])('%s', async (_what, changes) => {
    const proof = es256.approve(CHALLENGE, changes)
    expect(ours(proof, es256)).toBeTypeOf('number')
    expect(await oracle(proof, es256)).toBe(true)
  })
})

describe('the counter', () => {
  it.each([
    [0, 0, true],
    [0, 5, true],
    [5, 6, true],
    [5, 2 ** 32 - 1, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
  ])('after %i says %i: %s', async (before, counter, isAccepted) => {
    const proof = es256.approve(CHALLENGE, { counter })
    expect(ours(proof, es256, before)).toBe(isAccepted ? counter : 'counter_fell')
    expect(await oracle(proof, es256, before)).toBe(isAccepted)
  })
})

describe('a signature by ES256 in another encoding of the same numbers', () => {
  const proof = es256.approve(CHALLENGE)
  const der = Buffer.from(proof.signature, 'base64url')
  const lengthOf = der[3] ?? 0
  const r = der.subarray(4, 4 + lengthOf)
  const s = der.subarray(6 + lengthOf)
  const fixed = (part: Buffer) => Buffer.concat([Buffer.alloc(33), part]).subarray(-32)
  const integer = (part: Buffer) => Buffer.concat([Buffer.of(2, part.length), part])
  const sequence = (parts: Buffer) => Buffer.concat([Buffer.of(0x30, parts.length), parts])
  const padded = Buffer.concat([Buffer.of(0), r])

  it.each<[string, Buffer]>([
    ['of fixed length (P1363)', Buffer.concat([fixed(r), fixed(s)])],
    ['with a zero before a number', sequence(Buffer.concat([integer(padded), integer(s)]))],
    ['with a long form of its length', Buffer.concat([Buffer.of(0x30, 0x81), der.subarray(1)])],
    ['with a third number', sequence(Buffer.concat([integer(r), integer(s), Buffer.of(2, 1, 1)]))],
    ['with zeroes for numbers', sequence(Buffer.concat([integer(Buffer.of(0)), integer(Buffer.of(0))]))],
  ])('%s is refused', (_what, signature) => {
    expect(ours({ ...proof, signature: signature.toString('base64url') }, es256)).toBe('wrong_signature')
  })
})

describe('a public key', () => {
  const { publicKey } = es256.passkey
  const der = Buffer.from(publicKey, 'base64url')

  it('is of the kind that its algorithm asks for', () => {
    for (const [name, algorithm] of KINDS) {
      for (const [other, asked] of KINDS) {
        const read = readPublicKey({ publicKey: authenticators[name].passkey.publicKey, algorithm: asked })
        expect(read !== null, `${name} as ${other}`).toBe(algorithm === asked)
      }
    }
  })

  it.each([
    ['empty', Buffer.alloc(0)],
    ['cut short', der.subarray(0, -1)],
    ['longer', Buffer.concat([der, Buffer.of(0)])],
    ['no point of the curve', Buffer.concat([der.subarray(0, -1), Buffer.of((der.at(-1) ?? 0) ^ 1)])],
  ])('that is %s is none', (_what, bytes) => {
    expect(readPublicKey({ publicKey: bytes.toString('base64url'), algorithm: -7 })).toBeNull()
  })
})

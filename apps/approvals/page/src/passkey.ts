/** Passkeys, as the browser keeps them. The operator's own device asks for the finger or the number. */
import { base64url, hexOf, keyLine, operatorOf } from './passkey.rules.ts'

/** What the browser did not do, by a name of ours. */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed'
}

const NAMES: Readonly<Record<string, string>> = {
  NotAllowedError: 'passkey_not_given',
  AbortError: 'passkey_not_given',
  InvalidStateError: 'passkey_exists',
  SecurityError: 'passkey_wrong_address',
  NotSupportedError: 'passkey_not_supported',
}

async function ask(asking: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await asking
    if (credential instanceof PublicKeyCredential) return credential
  } catch (error) {
    throw new PasskeyFailed(NAMES[error instanceof DOMException ? error.name : ''] ?? 'passkey_failed')
  }
  throw new PasskeyFailed('passkey_failed')
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

/** 64 hex digits that were never there before. */
export const newNonce = (): string => hexOf(random(32))

/** Long enough to fetch a key from the next room, shorter than an approval lives. */
const PATIENCE_MS = 180_000

export interface Signed {
  /** Member number that the key names as its owner. */
  readonly operator: string
  readonly proof: {
    readonly kind: 'passkey'
    readonly credential_id: string
    readonly client_data: string
    readonly authenticator_data: string
    readonly signature: string
  }
}

/** Signs a challenge with any passkey of this page's. @throws PasskeyFailed */
export async function sign(challenge: Uint8Array): Promise<Signed> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: new Uint8Array(challenge),
    rpId: location.hostname,
    allowCredentials: [],
    userVerification: 'required',
    timeout: PATIENCE_MS,
  }
  const { rawId, response } = await ask(navigator.credentials.get({ publicKey }))
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new PasskeyFailed('passkey_failed')
  const operator = operatorOf(response.userHandle === null ? null : new Uint8Array(response.userHandle))
  if (operator === null) throw new PasskeyFailed('passkey_of_nobody')
  const text = (buffer: ArrayBuffer) => base64url(new Uint8Array(buffer))
  return {
    operator,
    proof: {
      kind: 'passkey',
      credential_id: text(rawId),
      client_data: text(response.clientDataJSON),
      authenticator_data: text(response.authenticatorData),
      signature: text(response.signature),
    },
  }
}

/** Whose passkey is at hand. What is signed for that is of no use to anybody. @throws PasskeyFailed */
export const whoseKey = async (): Promise<string> => (await sign(random(32))).operator

export interface Created {
  /** What registers the key on the signer's machine. */
  readonly line: string
  /** Hash over the public key, hex. */
  readonly hash: string
}

/** Makes a passkey for an operator. @throws PasskeyFailed */
export async function create(member: string, name: string): Promise<Created> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: random(32),
    rp: { id: location.hostname, name: 'Aval' },
    user: { id: new TextEncoder().encode(member), name, displayName: name },
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
    timeout: PATIENCE_MS,
  }
  const { rawId, response } = await ask(navigator.credentials.create({ publicKey }))
  const key = response instanceof AuthenticatorAttestationResponse ? response.getPublicKey() : null
  if (!(response instanceof AuthenticatorAttestationResponse) || key === null)
    throw new PasskeyFailed('passkey_not_supported')
  const line = keyLine({
    member: Number(member),
    name,
    origin: location.origin,
    credentialId: base64url(new Uint8Array(rawId)),
    publicKey: base64url(new Uint8Array(key)),
    algorithm: response.getPublicKeyAlgorithm(),
  })
  return { line, hash: hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', key))) }
}

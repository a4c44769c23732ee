/** What a passkey's answer must say (WebAuthn, level 3, section 7.2), before its signature is verified. */
import { z } from 'zod'

/** A passkey as it is pinned. */
export interface Passkey {
  readonly credentialId: string
  /** SPKI in DER, base64url. */
  readonly publicKey: string
  /** As COSE numbers them: ES256, RS256, EdDSA. */
  readonly algorithm: -7 | -257 | -8
}

export interface Assertion {
  readonly clientData: Uint8Array
  readonly authenticatorData: Uint8Array
  readonly signature: Uint8Array
}

export interface Expected {
  /** The 32 bytes, base64url. */
  readonly challenge: string
  readonly origin: string
  /** The hash of the relying party's id. */
  readonly rpIdHash: Uint8Array
  /** The highest counter that this key gave; 0 for none. */
  readonly counter: number
}

export type AssertionRefusal =
  | 'client_data_invalid'
  | 'wrong_type'
  | 'wrong_challenge'
  | 'wrong_origin'
  | 'cross_origin'
  | 'authenticator_data_invalid'
  | 'wrong_relying_party'
  | 'user_not_present'
  | 'user_not_verified'
  | 'counter_fell'
  | 'wrong_signature'

// Tokens of later levels may be added by a browser; they say nothing that matters here.
const clientDataSchema = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

const HASH = 32
/** Hash, flags and counter. Extensions and keys follow only where a flag says so, and we ask for none. */
const AUTHENTICATOR_DATA = 37
const PRESENT = 0x01
const VERIFIED = 0x04
const RESERVED = 0x02 | 0x20
const ATTESTED_KEY = 0x40
const EXTENSIONS = 0x80
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10

/** The counter that the answer gives, where nothing but the signature is left to verify; else the name of what is wrong. */
export function readAssertion(assertion: Assertion, expected: Expected): number | AssertionRefusal {
  return checkClientData(assertion.clientData, expected) ?? readAuthenticatorData(assertion, expected)
}

function checkClientData(bytes: Uint8Array, expected: Expected): AssertionRefusal | null {
  const client = parseClientData(bytes)
  if (client === null) return 'client_data_invalid'
  if (client.type !== 'webauthn.get') return 'wrong_type'
  if (client.challenge !== expected.challenge) return 'wrong_challenge'
  if (client.origin !== expected.origin) return 'wrong_origin'
  return client.crossOrigin === true || 'topOrigin' in client ? 'cross_origin' : null
}

function parseClientData(bytes: Uint8Array): z.infer<typeof clientDataSchema> | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return clientDataSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function readAuthenticatorData(
  { authenticatorData: data }: Assertion,
  expected: Expected,
): number | AssertionRefusal {
  const flags = data[HASH] ?? 0
  if (data.length !== AUTHENTICATOR_DATA || (flags & (RESERVED | ATTESTED_KEY | EXTENSIONS)) !== 0) {
    return 'authenticator_data_invalid'
  }
  if ((flags & BACKED_UP) !== 0 && (flags & BACKUP_ELIGIBLE) === 0) return 'authenticator_data_invalid'
  if (expected.rpIdHash.some((byte, index) => byte !== data[index])) return 'wrong_relying_party'
  if ((flags & PRESENT) === 0) return 'user_not_present'
  if ((flags & VERIFIED) === 0) return 'user_not_verified'
  const counter = new DataView(data.buffer, data.byteOffset).getUint32(HASH + 1)
  // An authenticator without a counter always says zero; one that counts never says less than before.
  const isCounted = counter > 0 || expected.counter > 0
  return isCounted && counter <= expected.counter ? 'counter_fell' : counter
}

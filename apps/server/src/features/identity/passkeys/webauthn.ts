/** What passkeys answer, verified by the library. Nothing is read from or written to the database here. */
import { createHash } from 'node:crypto'
import type { PasskeyAssertion, PasskeyRegistration } from '@aval/contract'
import { z } from 'zod'
import { ALGORITHMS, type RelyingParty, userHandleOf } from './passkeys.rules.ts'
import type { StoredKey } from './public-keys.ts'

const clientData = z.object({ challenge: z.string().min(1).max(200), crossOrigin: z.boolean().optional() })

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

/** Loaded when it is needed first: the 400 files below it are a sixth of what an API would load before it answers. */
const library = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
  ...(await import('./public-keys.ts')),
})
type Library = Awaited<ReturnType<typeof library>>

/** Under which a challenge is stored. */
export const hashOfChallenge = (challenge: string): string =>
  createHash('sha256').update(challenge).digest('hex')

/** The challenge that an answer is to; null where it says none, or was given inside another site's page. */
export function challengeIn({ clientDataJSON }: { readonly clientDataJSON: string }): string | null {
  try {
    const read = clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')))
    return read.crossOrigin === true ? null : read.challenge
  } catch {
    return null
  }
}

/**
 * We ask for no attestation. Browsers then send none, or one by the new key itself. Of others the library would check the
 * maker's certificates, for which it asks servers that the certificate names.
 */
function isUnattested({ decodeAttestationObject }: Library, attestationObject: string): boolean {
  const read = decodeAttestationObject(bytesOf(attestationObject))
  const format = read.get('fmt')
  return format === 'none' || (format === 'packed' && read.get('attStmt').get('x5c') === undefined)
}

export interface VerifiedPasskey extends StoredKey {
  readonly credentialId: string
  readonly counter: number
}

/** @returns the new passkey; null where the answer is not what was asked for */
export async function verifyRegistration(
  party: RelyingParty,
  answer: PasskeyRegistration,
  challenge: string,
): Promise<VerifiedPasskey | null> {
  const { clientDataJSON, attestationObject } = answer.response
  if (challengeIn({ clientDataJSON }) !== challenge) return null
  const loaded = await library()
  try {
    if (!isUnattested(loaded, attestationObject)) return null
    const { verified, registrationInfo } = await loaded.verifyRegistrationResponse({
      response: { ...answer, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    })
    // What the answer calls itself is not signed; what its data says is what will sign.
    if (!verified || registrationInfo.credential.id !== answer.id) return null
    const { id: credentialId, publicKey, counter } = registrationInfo.credential
    const key = loaded.storedKeyOf(publicKey)
    return key === null ? null : { credentialId, counter, ...key }
  } catch {
    // The library throws for whatever is wrong with the answer.
    return null
  }
}

/** What of a stored passkey an answer is verified against. */
export interface KnownPasskey extends StoredKey {
  readonly memberId: bigint
  readonly credentialId: string
  readonly counter: number
}

/** @returns what the counter says now; null where the answer is not this passkey's to this challenge */
export async function verifyAssertion(
  party: RelyingParty,
  passkey: KnownPasskey,
  answer: PasskeyAssertion,
  challenge: string,
): Promise<number | null> {
  const { userHandle, ...response } = answer.response
  if (challengeIn(response) !== challenge || answer.id !== passkey.credentialId) return null
  const own = Buffer.from(userHandleOf(passkey.memberId)).toString('base64url')
  if (userHandle != null && userHandle !== own) return null
  const { coseOf, verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: passkey.credentialId, publicKey: coseOf(passkey), counter: passkey.counter },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

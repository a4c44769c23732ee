/**
 * Passkeys, as the browser keeps them: the device asks for the finger, the face or the number. What is asked for, and what
 * comes back, are the server's and travel as they are. One request is open at a time: a new one ends the one before.
 */
import type { PasskeyAssertion, PasskeyCreation, PasskeyRegistration, PasskeyRequest } from '@aval/contract'
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'

/** Why the browser gave none, by a name of ours. */
export type PasskeyFailure = 'exists' | 'wrong_address' | 'not_supported' | 'failed'

export type PasskeyOutcome<Credential> =
  | { readonly state: 'given'; readonly credential: Credential }
  /** By the person, or because something else was asked for. It is no error. */
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly why: PasskeyFailure }

const BY_NAME: Readonly<Record<string, PasskeyFailure | 'cancelled'>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'exists',
  SecurityError: 'wrong_address',
  NotSupportedError: 'not_supported',
  ConstraintError: 'not_supported',
}

/** The library wraps what the browser threw, and keeps its name. */
function whatWentWrong(error: unknown): PasskeyFailure | 'cancelled' {
  const isNamed = typeof error === 'object' && error !== null && 'name' in error
  return (isNamed && BY_NAME[String(error.name)]) || 'failed'
}

async function outcomeOf<Credential>(asking: Promise<Credential>): Promise<PasskeyOutcome<Credential>> {
  try {
    return { state: 'given', credential: await asking }
  } catch (error) {
    const why = whatWentWrong(error)
    return why === 'cancelled' ? { state: why } : { state: 'failed', why }
  }
}

/**
 * Asks for a passkey's signature.
 * @param autofill offers passkeys where an e-mail is typed (`autocomplete="username webauthn"`), and waits until one is chosen
 */
export function askPasskey(
  optionsJSON: PasskeyRequest,
  { autofill = false }: { readonly autofill?: boolean } = {},
): Promise<PasskeyOutcome<PasskeyAssertion>> {
  const options = optionsJSON as Parameters<typeof startAuthentication>[0]['optionsJSON']
  return outcomeOf(startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill }))
}

/** Makes a passkey on this device, or on one that the person chooses. */
export function makePasskey(optionsJSON: PasskeyCreation): Promise<PasskeyOutcome<PasskeyRegistration>> {
  const options = optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON']
  return outcomeOf(startRegistration({ optionsJSON: options }) as Promise<PasskeyRegistration>)
}

/** Ends what is asked for now; its outcome is `cancelled`. */
export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony()

export const canOfferWhileTyping = (): Promise<boolean> => browserSupportsWebAuthnAutofill()

import type { PasskeyAssertion, PasskeyRequest } from '@aval/contract'
import type { Failure } from '../../../api/failure.ts'
import { type HttpRequest, http } from '../../../api/http.ts'
import { asOwnApp } from '../../../api/ownApp.ts'
import type { PasskeyFailure } from '../../../api/passkeys.ts'
import type { Tokens } from '../../../api/session.ts'
import { openSession } from './api.ts'

/** What came of asking for a passkey: the session is open, the person closed the window, or it failed. */
export type PasskeyEnd =
  | { readonly state: 'open' }
  | { readonly state: 'cancelled' }
  /** By the browser. */
  | { readonly state: 'failed'; readonly why: PasskeyFailure }
  /** By the server. */
  | { readonly state: 'refused'; readonly failure: Failure }

/** Fetched when a passkey is asked for: the sign-in page does without until then. */
const passkeys = () => import('../../../api/passkeys.ts')

interface Calls {
  readonly begin: HttpRequest
  readonly finish: (credential: PasskeyAssertion) => HttpRequest
}

const post = (path: string, body: object = {}): HttpRequest => ({ path, method: 'POST', body })

const SIGN_IN: Calls = {
  begin: post('auth/passkey/begin/'),
  finish: (credential) => post('auth/passkey/', { credential }),
}

/** @param onAsked gets how long the request is good, in milliseconds, and says whether it is still wanted */
async function ask(
  { begin, finish }: Calls,
  autofill: boolean,
  onAsked: (milliseconds: number) => boolean = () => true,
): Promise<PasskeyEnd> {
  try {
    const [asked, { askPasskey }] = await Promise.all([http<PasskeyRequest>(begin, null), passkeys()])
    if ('error' in asked) return { state: 'refused', failure: asked.error }
    // Meanwhile the button may have been pressed, whose request this one would end.
    if (!onAsked(asked.data.timeout)) return { state: 'cancelled' }
    const outcome = await askPasskey(asked.data, { autofill })
    if (outcome.state !== 'given') return outcome
    const request = { ...finish(outcome.credential), headers: asOwnApp() }
    const failure = openSession(await http<Tokens>(request, null))
    return failure === null ? { state: 'open' } : { state: 'refused', failure }
  } catch {
    // The file did not arrive.
    return { state: 'failed', why: 'failed' }
  }
}

/** Signs in with any passkey of this address that the person chooses. */
export const signInWithPasskey = (): Promise<PasskeyEnd> => ask(SIGN_IN, false)

/** The second step by a passkey. @param token of the first step */
export const stepWithPasskey = (token: string): Promise<PasskeyEnd> =>
  ask(
    {
      begin: post('auth/otp/passkey/begin/', { otp_token: token }),
      finish: (credential) => post('auth/otp/passkey/', { otp_token: token, credential }),
    },
    false,
  )

/** After so many refused passkeys there is the button, and the password. */
const MOST_REFUSALS = 3

const loaded = () =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))

/**
 * Offers passkeys where the e-mail is typed, in browsers that can, once the page has loaded. What is asked for expires, so
 * it is asked for again before it does; after a refusal, too. Whatever else ends it ends the offer.
 * @param onEnd gets the session, and refusals
 * @returns ends the offer
 */
export function offerWhileTyping(onEnd: (end: PasskeyEnd) => void): () => void {
  let live = true
  let waiting = false
  let renewing = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = async () => {
    if (waiting) (await passkeys()).stopAsking()
  }
  const renewBefore = (milliseconds: number) => {
    waiting = live
    if (!live) return false
    timer = setTimeout(() => {
      renewing = true
      void stop()
    }, milliseconds * 0.8)
    return true
  }
  const offer = async () => {
    await loaded()
    const { canOfferWhileTyping } = await passkeys()
    if (!live || !(await canOfferWhileTyping())) return
    let again: boolean = live
    for (let refusals = 0; again; ) {
      renewing = false
      const end = await ask(SIGN_IN, true, renewBefore)
      waiting = false
      clearTimeout(timer)
      // A refusal of the passkey that was chosen, not of the question.
      const isRefusal = end.state === 'refused' && end.failure.code === 'passkey_wrong'
      if (isRefusal) refusals += 1
      if (live && (isRefusal || end.state === 'open')) onEnd(end)
      again = live && (renewing || (isRefusal && refusals < MOST_REFUSALS))
    }
  }
  offer().catch(() => undefined)
  return () => {
    live = false
    clearTimeout(timer)
    void stop()
  }
}

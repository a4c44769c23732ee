import type { Availability, SignInAnswer, TokenPair } from '@aval/contract'
import { session } from '../../api/browserSession.ts'
import type { Failure } from '../../api/failure.ts'
import { type Answer, http } from '../../api/http.ts'

/**
 * The calls of visitors. They are plain requests and not part of the cached client, which is loaded with the first
 * page behind the sign-in.
 */
export interface Inviter {
  name: string
  ref_code: string
}

/** What the registration form sends, `captcha` aside. */
export interface NewMember {
  username: string
  email: string
  password: string
  password2: string
  first_name?: string
  last_name?: string
  phone_number?: string
}

/** Opens the session with the tokens of a successful answer; returns why there are none. */
function opened(answer: Answer<TokenPair>): Failure | null {
  if ('error' in answer) return answer.error
  if (typeof answer.data?.access !== 'string') return { status: 'PARSING_ERROR' }
  session.open(answer.data)
  return null
}

/** What a sign-in came to: the session is open, a code is still to come, or it failed. */
export type SignInOutcome =
  | { state: 'open' }
  | { state: 'code'; token: string }
  | { state: 'failed'; failure: Failure }

const outcomeOf = (failure: Failure | null): SignInOutcome =>
  failure === null ? { state: 'open' } : { state: 'failed', failure }

export async function signIn(credentials: { email: string; password: string }): Promise<SignInOutcome> {
  const request = { path: 'auth/token/', method: 'POST', body: credentials } as const
  const answer = await http<SignInAnswer>(request, null)
  if ('error' in answer) return outcomeOf(answer.error)
  if (answer.data !== null && 'otp_token' in answer.data)
    return { state: 'code', token: answer.data.otp_token }
  return outcomeOf(opened({ data: answer.data }))
}

/** The second step: a code of the authenticator app, or a recovery code. */
export async function signInWithCode(token: string, code: string): Promise<Failure | null> {
  const body = { otp_token: token, code }
  return opened(await http<TokenPair>({ path: 'auth/otp/', method: 'POST', body }, null))
}

export async function register(refCode: string, member: NewMember, captcha: string): Promise<Failure | null> {
  const path = `auth/register/${encodeURIComponent(refCode)}/`
  return opened(await http<TokenPair>({ path, method: 'POST', body: { ...member, captcha } }, null))
}

export function inviterOf(refCode: string): Promise<Answer<Inviter>> {
  return http<Inviter>({ path: `auth/inviter/${encodeURIComponent(refCode)}/` }, null)
}

/** Whether nobody has this username, or this e-mail, yet. Posted, so that no address stands in a log. */
export function availabilityOf(kind: 'username' | 'email', value: string): Promise<Answer<Availability>> {
  return http<Availability>({ path: 'auth/availability/', method: 'POST', body: { [kind]: value } }, null)
}

/** Asks for a code for a new password. The answer is the same sentence whether or not there is such an account. */
export function askForReset(email: string): Promise<Answer<string>> {
  return http<string>({ path: 'auth/reset-password/send/', method: 'POST', body: { email } }, null)
}

export interface NewPassword {
  email: string
  otp: string
  password: string
  password2: string
}

/** Every session has ended at the server when this succeeds; this browser forgets its own. */
export async function resetPassword(values: NewPassword): Promise<Answer<string>> {
  const answer = await http<string>({ path: 'auth/reset-password/', method: 'POST', body: values }, null)
  if ('data' in answer) session.end()
  return answer
}

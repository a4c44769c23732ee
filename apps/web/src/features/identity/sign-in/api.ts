import type { SignInAnswer } from '@aval/contract'
import { session } from '../../../api/browserSession.ts'
import type { Failure } from '../../../api/failure.ts'
import { type Answer, http } from '../../../api/http.ts'
import { asOwnApp } from '../../../api/ownApp.ts'
import type { Tokens } from '../../../api/session.ts'
import { solveProof } from './solveProof.ts'

/**
 * The calls of visitors, here and in the rooms beside. They are plain requests and not part of the cached client, which is loaded with the first
 * page behind the sign-in.
 */

/** Opens the session with the tokens of a successful answer; returns why there are none. */
export function openSession(answer: Answer<Tokens>): Failure | null {
  if ('error' in answer) return answer.error
  if (typeof answer.data?.access !== 'string') return { status: 'PARSING_ERROR' }
  session.open(answer.data)
  return null
}

/** The password was right, and a code is still to come. */
type FirstStep = Extract<SignInAnswer, { otp_token: string }>

/** What a sign-in came to: the session is open, a code is still to come, or it failed. */
export type SignInOutcome =
  | { state: 'open' }
  /** `passkey`: one of the account's will do instead of the code. */
  | { state: 'code'; token: string; passkey: boolean }
  | { state: 'failed'; failure: Failure }

const outcomeOf = (failure: Failure | null): SignInOutcome =>
  failure === null ? { state: 'open' } : { state: 'failed', failure }

/**
 * Signs in. While the name is being guessed at the server asks for work, which is done here and sent with the same credentials.
 * @param onWork told when that begins
 */
export async function signIn(
  credentials: { email: string; password: string },
  onWork: () => void = () => undefined,
  solve = solveProof,
): Promise<SignInOutcome> {
  const send = (body: object) =>
    http<FirstStep | Tokens>({ path: 'auth/token/', method: 'POST', headers: asOwnApp(), body }, null)
  let answer = await send(credentials)
  if ('error' in answer && answer.error.proof !== undefined) {
    onWork()
    const proof = await solve(answer.error.proof)
    if (proof !== null) answer = await send({ ...credentials, proof })
  }
  if ('error' in answer) return outcomeOf(answer.error)
  if (answer.data !== null && 'otp_token' in answer.data)
    return { state: 'code', token: answer.data.otp_token, passkey: answer.data.passkey === true }
  return outcomeOf(openSession({ data: answer.data }))
}

/** The second step: a code of the authenticator app, or a recovery code. */
export async function signInWithCode(token: string, code: string): Promise<Failure | null> {
  const body = { otp_token: token, code }
  const request = { path: 'auth/otp/', method: 'POST', headers: asOwnApp(), body } as const
  return openSession(await http<Tokens>(request, null))
}

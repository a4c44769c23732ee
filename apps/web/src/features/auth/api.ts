import type { TokenPair } from '@aval/contract'
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
  // An account with two-factor answers without tokens. Its step is not part of this release.
  if (typeof answer.data?.access !== 'string') return { status: 'PARSING_ERROR' }
  session.open(answer.data)
  return null
}

export async function signIn(credentials: { email: string; password: string }): Promise<Failure | null> {
  return opened(await http<TokenPair>({ path: 'auth/token/', method: 'POST', body: credentials }, null))
}

export async function register(refCode: string, member: NewMember, captcha: string): Promise<Failure | null> {
  const path = `auth/register/${encodeURIComponent(refCode)}/`
  return opened(await http<TokenPair>({ path, method: 'POST', body: { ...member, captcha } }, null))
}

export function inviterOf(refCode: string): Promise<Answer<Inviter>> {
  return http<Inviter>({ path: `auth/inviter/${encodeURIComponent(refCode)}/` }, null)
}

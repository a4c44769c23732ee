import { type Answer, http } from '../../../api/http.ts'

/** A visitor's call: the link of an e-mail may be opened where the member is not signed in. */
export function sayNotMe(token: string): Promise<Answer<{ message: string }>> {
  return http<{ message: string }>({ path: 'auth/not-me/', method: 'POST', body: { token } }, null)
}

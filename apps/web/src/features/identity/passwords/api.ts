import { session } from '../../../api/browserSession.ts'
import type { Wire } from '../../../api/conforms.ts'
import { type Answer, http } from '../../../api/http.ts'

/** Asks for a code for a new password. The answer is the same sentence whether or not there is such an account. */
export function askForReset(email: string): Promise<Answer<string>> {
  return http<string>({ path: 'auth/reset-password/send/', method: 'POST', body: { email } }, null)
}

export type NewPassword = Wire<'resetPasswordBody'>

export type NewPasswordByLink = Wire<'resetByLinkBody'>

/** The same by the link of the e-mail, which says who it is. */
export async function resetPasswordByLink(values: NewPasswordByLink): Promise<Answer<string>> {
  const request = { path: 'auth/reset-password/link/', method: 'POST', body: values } as const
  const answer = await http<string>(request, null)
  if ('data' in answer) session.end()
  return answer
}

/** Every session has ended at the server when this succeeds; this browser forgets its own. */
export async function resetPassword(values: NewPassword): Promise<Answer<string>> {
  const answer = await http<string>({ path: 'auth/reset-password/', method: 'POST', body: values }, null)
  if ('data' in answer) session.end()
  return answer
}

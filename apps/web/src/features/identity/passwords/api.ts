import { session } from '../../../api/browserSession.ts'
import type { Wire } from '../../../api/conforms.ts'
import { type Answer, http } from '../../../api/http.ts'

/** Asks for a code for a new password. The answer is the same sentence whether or not there is such an account. */
export function askForReset(email: string): Promise<Answer<string>> {
  return http<string>({ path: 'auth/reset-password/send/', method: 'POST', body: { email } }, null)
}

export type NewPassword = Wire<'resetPasswordBody'>

/** Every session has ended at the server when this succeeds; this browser forgets its own. */
export async function resetPassword(values: NewPassword): Promise<Answer<string>> {
  const answer = await http<string>({ path: 'auth/reset-password/', method: 'POST', body: values }, null)
  if ('data' in answer) session.end()
  return answer
}

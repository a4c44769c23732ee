/** A code that stands for several calls, which none of their own would be bearable for: answers in a conversation. */
import type { Tx } from '@aval/db'
import { setElevation } from '../sessions/sessions.sql.ts'

const MINUTE = 60_000
/** From the code on, whatever is called meanwhile: using it does not make it longer. */
const ELEVATED_FOR = 15 * MINUTE

/** The code was used up by the route. @param now system time */
export async function elevate(
  tx: Tx,
  { memberId, sessionId }: { readonly memberId: bigint; readonly sessionId: string },
  now: Date,
): Promise<void> {
  await setElevation(tx, memberId, sessionId, new Date(now.getTime() + ELEVATED_FOR))
}

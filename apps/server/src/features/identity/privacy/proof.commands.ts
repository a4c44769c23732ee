import type { AuditAction } from '@aval/contract'
import { type CommitOnRefusalTx, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { lockMember } from '../members/members.sql.ts'
import { requireCurrentPassword } from '../members/present-password.commands.ts'
import { stepUpIfEnabled } from '../second-factor/second-factor.commands.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'

/** What it takes besides a session, which may be a thief's. */
export interface Proof {
  readonly current: string
  /** A code of the authenticator app, where two-factor is on. */
  readonly otp: string | null
}

/**
 * Password and code, then the member's row for this transaction.
 * @param action for the audit trail
 * @throws Refusal `current_password_wrong`, `not_signed_in`, `otp_required`, `otp_invalid`, `too_many_requests`
 */
export async function afterProof<Result>(
  context: Context,
  actor: Actor,
  { current, otp, action }: Proof & { readonly action: AuditAction },
  now: Date,
  work: (tx: CommitOnRefusalTx, member: Awaited<ReturnType<typeof lockMember>>) => Promise<Result>,
): Promise<Result> {
  const { memberId, sessionId } = actor
  await requireCurrentPassword(context, memberId, { current, action }, now)
  return commitOnRefusal(context.db, async (tx) => {
    await requireLiveSession(tx, actor)
    const member = await lockMember(tx, memberId)
    const decision = { memberId, sessionId, otp, attempt: null, action, subject: `member:${memberId}` }
    await stepUpIfEnabled(context, tx, decision, now)
    return work(tx, member)
  })
}

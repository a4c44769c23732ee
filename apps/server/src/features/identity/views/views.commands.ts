/** An operator sees a member's own pages for a while, and changes nothing there. Each call is judged in `http/views.ts`. */
import type { MemberView } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { signView } from '../../../core/view-token.ts'
import { lockActedOn } from '../members/acted-on.queries.ts'
import { insertView } from './views.sql.ts'

/** PostgreSQL knows it, too. */
const LASTS = 15 * 60_000

/**
 * Begins a view. It ends after a quarter of an hour, and with the operator's session.
 * @param now system time
 * @throws Refusal `member_is_operator`, and those of `lockActedOn`
 */
export async function beginView(
  { db, config }: Context,
  view: {
    readonly memberId: bigint | null
    readonly operatorId: bigint
    readonly sessionId: string
    readonly reason: string
  },
  now: Date,
): Promise<MemberView> {
  const { operatorId, sessionId, reason } = view
  const endsAt = new Date(now.getTime() + LASTS)
  return inTransaction(db, async (tx) => {
    const { memberId, member } = await lockActedOn(tx, view)
    if (member.is_operator) throw new Refusal('member_is_operator')
    const viewId = await insertView(tx, { memberId, operatorId, sessionId, begunAt: now, endsAt })
    const entry = { action: 'member.view', outcome: 'done', subject: `member:${memberId}` } as const
    const details = { reason, view: viewId, until: endsAt.toISOString() }
    await recordAudit(tx, { at: now, actorId: operatorId, ...entry, details })
    const access = await signView(config.jwtKey, { memberId, viewId }, endsAt)
    return { access, username: member.username, until: endsAt.toISOString() }
  })
}

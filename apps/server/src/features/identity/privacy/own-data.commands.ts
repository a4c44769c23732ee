import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { afterProof, type Proof } from './proof.commands.ts'

/**
 * Lets the member have everything that is kept about them: both logs and an e-mail say so.
 * @param allow called after password and code were right; refuses when there were too many
 * @param now system time
 * @throws Refusal as `afterProof`, and `too_many_requests`
 */
export async function allowDownload(
  context: Context,
  actor: Actor,
  proof: Proof,
  allow: () => Promise<void>,
  now: Date,
): Promise<void> {
  const { memberId, device } = actor
  await afterProof(context, actor, { ...proof, action: 'data.download' }, now, async (tx, member) => {
    await allow()
    const entry = { action: 'data.download', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: memberId, ...entry })
    const event = { memberId, kind: 'data_downloaded', at: now, device } as const
    await announceSecurityEvent(context.config, tx, event, member, (params) => ({
      template: 'data_downloaded',
      params,
    }))
  })
}

import type { FailedTryKind } from '@aval/contract'
import { type Db, inTransaction } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { networkOf } from '../../../core/networks.rules.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { selectMember } from '../members/members.sql.ts'
import { ATTACK, attackSince, TOLD_EVERY } from './failed-tries.rules.ts'
import { countTry, markTold, selectAttacked } from './failed-tries.sql.ts'

/**
 * Counts a try that failed. A name that nobody has is counted as `NOBODY`, so that it takes as long.
 * @param now system time
 */
export async function countFailedTry(
  db: Db,
  tried: { readonly memberId: bigint; readonly kind: FailedTryKind; readonly device: Device },
  now: Date,
): Promise<void> {
  const { memberId, kind, device } = tried
  await countTry(db, { memberId, kind, network: networkOf(device.ip) }, now)
}

/**
 * Tells members by e-mail that somebody guesses at their account, once a day at most. A job's work, so that no sign-in takes longer
 * for it.
 * @param now system time @returns how many were told
 */
export async function tellAttacked({ db, config }: Context, now: Date): Promise<number> {
  const toldBefore = new Date(now.getTime() - TOLD_EVERY)
  const attacked = await selectAttacked(db, { since: attackSince(now), least: ATTACK, toldBefore })
  for (const { memberId, count, withPassword } of attacked)
    await inTransaction(db, async (tx) => {
      if (!(await markTold(tx, memberId, toldBefore, now))) return
      const { email: to, locale } = await selectMember(tx, memberId)
      const params = { count, withPassword: withPassword > 0, at: now, link: `${config.publicUrl}/security` }
      const event = `account_attacked:${now.toISOString()}`
      await queueMail(tx, { memberId, to, locale, event, template: 'account_attacked', params }, now)
    })
  return attacked.length
}

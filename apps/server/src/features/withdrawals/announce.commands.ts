/**
 * Tells members that a withdrawal is approved, and that it is on its way. The signer approves and signs, the gateway sends; neither
 * writes mail, so the worker reads it from the rows.
 */
import { inTransaction } from '@aval/db'
import { micro } from '@aval/money'
import type { Context } from '../../core/context.ts'
import { lotsIsolated } from '../../core/isolated.ts'
import { mailMembers } from '../mail/mail.commands.ts'
import { type Stage, selectUnannounced } from './announce.sql.ts'
import type { Moment } from './decide.commands.ts'

/** What is older was told, and the mail about it may be purged. */
const TOLD_MS = 24 * 3_600_000
/** The rest waits a minute, so that a day of thousands keeps no other job for long. */
const AT_ONCE = 500
/** Of one transaction. */
const TOGETHER = 100

function mailOf(row: Stage, systemNow: Date) {
  const { memberId, id, stage, amount, fee, wallet } = row
  const params = {
    ...{ amount: String(amount), fee: String(fee), arrives: String(micro(amount - fee)) },
    ...{ wallet, number: String(id), at: systemNow },
  }
  const event = `withdrawal:${id}:${stage}`
  const template = stage === 'sent' ? 'withdrawal_sent' : 'withdrawal_approved'
  return { memberId, event, template, params } as const
}

/** Each stage is told once, however often this runs, and none that is over already. */
export async function announceStages(context: Context, { now, systemNow }: Moment): Promise<void> {
  const since = new Date(now.getTime() - TOLD_MS)
  const stages = await selectUnannounced(context.db, since, AT_ONCE)
  const announce = async (rows: readonly Stage[]) => {
    const mails = rows.map((row) => mailOf(row, systemNow))
    await inTransaction(context.db, (tx) => mailMembers(tx, mails, systemNow))
    return []
  }
  await lotsIsolated(stages, TOGETHER, announce, (row) => announce([row]))
}

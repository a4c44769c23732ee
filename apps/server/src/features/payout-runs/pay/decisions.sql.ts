/** What operators decide about a run, each by a function of the database that checks it once more. */
import type { Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { query, queryValue } from '../../../core/query.sql.ts'

interface Decided {
  readonly runId: bigint
  readonly operatorId: bigint
  readonly note: string
  readonly now: Date
}

export async function overruleRun(tx: Tx, { runId, operatorId, note, now }: Decided): Promise<void> {
  await query(tx)`SELECT overrule_payout_run(${runId}, ${operatorId}, ${note}, ${now})`
}

/** Shares out what the pool has, by largest remainder, and releases the run. @returns what is paid */
export async function prorateRun(tx: Tx, { runId, operatorId, note, now }: Decided): Promise<Micro> {
  return micro(
    await queryValue<bigint>(tx)`SELECT prorate_payout_run(${runId}, ${operatorId}, ${note}, ${now})`,
  )
}

/** Discards a run and opens the one that takes its place. */
export async function cancelRun(tx: Tx, { runId, operatorId, note, now }: Decided): Promise<void> {
  await query(tx)`SELECT cancel_payout_run(${runId}, ${operatorId}, ${note}, ${now})`
}

/** What operators decide about runs: release one in spite of its checks, or discard one. */
import type { Tx } from '@aval/db'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { reopen, setState } from '../runs/runs.commands.ts'
import { isObjected } from '../runs/runs.rules.ts'
import { lockRun, type Run, someLater, updateRun } from '../runs/runs.sql.ts'

export interface Decision {
  readonly runId: bigint
  readonly operatorId: bigint
  readonly note: string
  readonly now: Date
}

export const noted = ({ operatorId, now, note }: Decision) => ({
  overruled_by: operatorId,
  overruled_at: now,
  ...(note === '' ? {} : { note }),
})

/** @throws Refusal when there is no such run, or it is not held. */
export async function lockHeld(tx: Tx, runId: bigint): Promise<Run> {
  const run = await lockRun(tx, runId)
  if (run === undefined) throw new Refusal('run_not_found')
  if (run.state !== 'held') throw new Refusal('run_not_held')
  return run
}

/**
 * Lets a held run go on in spite of what its checks said. Its pool still has to cover it.
 *
 * @throws Refusal when there is no such run, it is not held, or only money is missing.
 */
export async function overruleRun(tx: Tx, decision: Decision): Promise<void> {
  const run = await lockHeld(tx, decision.runId)
  if (!isObjected(run)) throw new Refusal('run_not_held')
  await updateRun(tx, run.id, noted(decision), false)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}

/**
 * Discards a run before its release; the same period is computed anew, under what was declared since.
 *
 * @throws Refusal when there is no such run, it was released, or a later day stands on it.
 */
export async function cancelRun(tx: Tx, decision: Decision): Promise<void> {
  const run = await lockRun(tx, decision.runId)
  if (run === undefined) throw new Refusal('run_not_found')
  if (run.state !== 'held' && run.state !== 'sealed') throw new Refusal('run_past_cancelling')
  if (run.kind === 'binary' && (await someLater(tx, 'binary', run.period)))
    throw new Refusal('run_past_cancelling')
  await setState(tx, run, 'cancelled', { ...noted(decision), finished_at: decision.now })
  await reopen(tx, run)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}

/** What operators decide about a run: propose to release it in spite of its checks or pro rata, or discard it. */
import { constraintOf, type Tx } from '@aval/db'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { guardedBalance } from '../../../ledger/ledger.queries.ts'
import { propose } from '../../decisions/decisions.commands.ts'
import { isStopped } from '../../reserves/reserves.queries.ts'
import { FUNDING, isObjected } from '../runs/runs.rules.ts'
import { type Run, selectRun, someLater } from '../runs/runs.sql.ts'
import * as store from './decisions.sql.ts'

export interface Decision {
  readonly runId: bigint
  readonly operatorId: bigint
  readonly note: string
  readonly now: Date
}

/** Of a run that another operator has decided about, who and when; else a refusal of its own. */
async function decidedOtherwise(
  tx: Tx,
  run: Run,
  code: 'run_not_held' | 'run_past_cancelling',
): Promise<Refusal> {
  if (run.overruled_by === null || run.overruled_at === null) return new Refusal(code)
  const name = await store.selectDecider(tx, run.overruled_by)
  return new Refusal('run_decided', { name, at: run.overruled_at })
}

/**
 * As it is at this moment: the API may lock no run. The database looks again when it does what is asked for.
 * @throws Refusal when there is no such run, or it is not held.
 */
async function findHeld(tx: Tx, runId: bigint): Promise<Run> {
  const run = await selectRun(tx, runId)
  if (run === undefined) throw new Refusal('run_not_found')
  if (run.state !== 'held') throw await decidedOtherwise(tx, run, 'run_not_held')
  return run
}

const proposing = (kind: 'run_release' | 'run_prorate', { runId, operatorId, note, now }: Decision) => ({
  kind,
  subject: `run:${runId}`,
  given: { run: String(runId), note },
  operatorId,
  now,
})

/**
 * Proposes to let a held run go on in spite of what its checks said; answers the decision's number. Its pool still has to cover it.
 *
 * @throws Refusal when there is no such run, it is not held, or only money is missing.
 */
export async function proposeRelease(tx: Tx, decision: Decision): Promise<bigint> {
  const run = await findHeld(tx, decision.runId)
  if (!isObjected(run)) throw new Refusal('run_not_held')
  return propose(tx, proposing('run_release', decision))
}

/**
 * Proposes to release a held run pro rata with what its pool has when that is approved, by largest remainder: each item is paid its
 * share, and all of the pool is paid. Answers the decision's number.
 *
 * @throws Refusal when there is no such run, it is not held, its pool covers it, is empty, or its checks object to more
 * than the money; and while payments are stopped.
 */
export async function proposeProrate(tx: Tx, decision: Decision): Promise<bigint> {
  if (await isStopped(tx)) throw new Refusal('payouts_stopped')
  const run = await findHeld(tx, decision.runId)
  if (isObjected(run)) throw new Refusal('run_not_held')
  const available = await guardedBalance(tx, FUNDING[run.kind].pool)
  if (available >= run.payable) throw new Refusal('run_not_short')
  if (available === 0n) throw new Refusal('pool_empty')
  return propose(tx, proposing('run_prorate', decision))
}

/**
 * Discards a run before its release; the same period is computed again, under what was declared since.
 *
 * @throws Refusal when there is no such run, it was released, or a later day stands on it.
 */
export async function cancelRun(tx: Tx, decision: Decision): Promise<void> {
  const run = await selectRun(tx, decision.runId)
  if (run === undefined) throw new Refusal('run_not_found')
  if (run.state !== 'held' && run.state !== 'sealed')
    throw await decidedOtherwise(tx, run, 'run_past_cancelling')
  if (run.kind === 'binary' && (await someLater(tx, 'binary', run.period)))
    throw new Refusal('run_past_cancelling')
  try {
    await store.cancelRun(tx, decision)
  } catch (error) {
    throw constraintOf(error) === 'payout_run_is_cancelled' ? new Refusal('run_past_cancelling') : error
  }
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}

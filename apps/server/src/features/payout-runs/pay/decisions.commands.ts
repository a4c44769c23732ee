/** What operators decide about a run: release it in spite of its checks, release it pro rata, or discard it. */
import type { Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { guardedBalance } from '../../../ledger/ledger.queries.ts'
import { isStopped } from '../../reserves/reserves.queries.ts'
import { FUNDING, isObjected } from '../runs/runs.rules.ts'
import { lockRun, type Run, someLater } from '../runs/runs.sql.ts'
import * as store from './decisions.sql.ts'

export interface Decision {
  readonly runId: bigint
  readonly operatorId: bigint
  readonly note: string
  readonly now: Date
}

/** @throws Refusal when there is no such run, or it is not held. */
async function lockHeld(tx: Tx, runId: bigint): Promise<Run> {
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
  await store.overruleRun(tx, decision)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}

/**
 * Releases a held run pro rata with what its pool has, by largest remainder: each item is paid its share, and all of the pool is paid.
 *
 * @throws Refusal when there is no such run, it is not held, its pool covers it, is empty, or its checks object to more
 * than the money; and while payments are stopped.
 */
export async function prorateRun(tx: Tx, decision: Decision): Promise<Micro> {
  if (await isStopped(tx)) throw new Refusal('payouts_stopped')
  const run = await lockHeld(tx, decision.runId)
  if (isObjected(run)) throw new Refusal('run_not_held')
  const available = await guardedBalance(tx, FUNDING[run.kind].pool)
  if (available >= run.payable) throw new Refusal('run_not_short')
  if (available === 0n) throw new Refusal('pool_empty')
  const paid = await store.prorateRun(tx, decision)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
  return paid
}

/**
 * Discards a run before its release; the same period is computed again, under what was declared since.
 *
 * @throws Refusal when there is no such run, it was released, or a later day stands on it.
 */
export async function cancelRun(tx: Tx, decision: Decision): Promise<void> {
  const run = await lockRun(tx, decision.runId)
  if (run === undefined) throw new Refusal('run_not_found')
  if (run.state !== 'held' && run.state !== 'sealed') throw new Refusal('run_past_cancelling')
  if (run.kind === 'binary' && (await someLater(tx, 'binary', run.period)))
    throw new Refusal('run_past_cancelling')
  await store.cancelRun(tx, decision)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}

/** What operators decide about a run: release it in spite of its checks, release it pro rata, or discard it. */
import type { Tx } from '@aval/db'
import { type Micro, micro, shareOut } from '@aval/money'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { isStopped } from '../../reserves/reserves.queries.ts'
import { reopen, setState } from '../runs/runs.commands.ts'
import { isObjected } from '../runs/runs.rules.ts'
import { lockRun, type Run, someLater, updateRun } from '../runs/runs.sql.ts'
import { holdPool, release } from './pay.commands.ts'
import { insertPageShares, insertShares, selectAmounts, selectPageAmounts } from './pay.sql.ts'

export interface Decision {
  readonly runId: bigint
  readonly operatorId: bigint
  readonly note: string
  readonly now: Date
}

const noted = ({ operatorId, now, note }: Decision) => ({
  overruled_by: operatorId,
  overruled_at: now,
  ...(note === '' ? {} : { note }),
})

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
  await updateRun(tx, run.id, noted(decision), false)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}

async function sharePages(tx: Tx, run: Run, available: Micro): Promise<void> {
  const pages = await selectPageAmounts(tx, run.id)
  const all = new BigInt64Array(pages.reduce((count, { amounts }) => count + amounts.length, 0))
  let at = 0
  for (const { amounts } of pages) {
    all.set(amounts, at)
    at += amounts.length
  }
  shareOut(all, available, run.item_sum)
  let from = 0
  const shares = pages.map(({ block, amounts }) => {
    const part = all.subarray(from, from + amounts.length)
    from += amounts.length
    return { block, amounts: part }
  })
  await insertPageShares(tx, run.id, shares)
}

async function shareItems(tx: Tx, run: Run, available: Micro): Promise<void> {
  const items = await selectAmounts(tx, run.id)
  const amounts = BigInt64Array.from(items, ({ amount }) => amount)
  shareOut(amounts, available, run.item_sum)
  await insertShares(
    tx,
    run.id,
    items.map(({ memberId, leg }, index) => ({ memberId, leg, amount: amounts[index] ?? 0n })),
  )
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
  const available = await holdPool(tx, run)
  if (available >= run.payable) throw new Refusal('run_not_short')
  if (available === 0n) throw new Refusal('pool_empty')
  if (run.kind === 'passive') await sharePages(tx, run, available)
  else await shareItems(tx, run, available)
  const change = { ...noted(decision), prorated: true, payable: available, missing: 0n }
  await updateRun(tx, run.id, change, false)
  // Released while the pool is locked: nothing is taken between the shares and the money for them.
  await release(tx, { ...run, ...change }, decision.now)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
  return micro(available)
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
  await setState(tx, run, 'cancelled', { ...noted(decision), finished_at: decision.now })
  await reopen(tx, run)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}

/** A pro rata release: the pool is paid out to the last micro-USDT over the sealed items, by largest remainder. */
import type { Tx } from '@aval/db'
import { type Micro, micro, shareOut } from '@aval/money'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { isStopped } from '../../reserves/reserves.queries.ts'
import { isObjected } from '../runs/runs.rules.ts'
import { type Run, updateRun } from '../runs/runs.sql.ts'
import { type Decision, lockHeld, noted } from './decisions.commands.ts'
import { holdPool, release } from './post.commands.ts'
import { insertPageShares, insertShares, selectAmounts, selectPageAmounts } from './post.sql.ts'

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
 * Releases a held run with what its pool has: each item is paid its share, and all of the pool is paid.
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

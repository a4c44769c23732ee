/** From sealed items to postings: the checks, the release, the batches. */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { allIsolated } from '../../../core/isolated.ts'
import { HOUSE, openRunJournal, post, postItems, postPages } from '../../../ledger/ledger.commands.ts'
import { guardedBalance } from '../../../ledger/ledger.queries.ts'
import { isStopped } from '../../reserves/reserves.queries.ts'
import { withPermit } from '../runs/concurrency.ts'
import { setState } from '../runs/runs.commands.ts'
import { FUNDING, isObjected, MOST_CONCURRENT, type RunState } from '../runs/runs.rules.ts'
import { lockPool, type Run } from '../runs/runs.sql.ts'
import { claimBatch, finishBatch, insertBatchs } from './post.sql.ts'

/** What the pool of a run has; no other transaction takes from it until this one ends. */
export async function holdPool(tx: Tx, run: Run): Promise<Micro> {
  const { pool } = FUNDING[run.kind]
  await lockPool(tx, pool)
  return guardedBalance(tx, pool)
}

/**
 * The checks. Takes the whole sum out of the pool, or holds the run whole and says what is missing. While the reserves do
 * not match the books, the run waits as it is.
 */
export async function release(tx: Tx, run: Run, now: Date): Promise<RunState | 'waiting'> {
  if (await isStopped(tx)) return 'waiting'
  const payable = micro(run.payable)
  const available = await holdPool(tx, run)
  const missing = available < payable ? payable - available : 0n
  if (missing > 0n || isObjected(run)) {
    if (run.state !== 'held' || run.missing !== missing) await setState(tx, run, 'held', { missing })
    return 'held'
  }
  await post(tx, {
    key: `release:${run.id}`,
    kind: 'release',
    memberId: HOUSE,
    at: run.at,
    movements: [{ kind: FUNDING[run.kind].release, amount: payable }],
  })
  const journalId = await openRunJournal(tx, { key: `run:${run.id}`, at: run.at, hash: run.items_hash ?? '' })
  await setState(tx, run, 'released', { missing: 0n, journal_id: journalId })
  await insertBatchs(tx, run)
  // A run that pays nobody is done with its release.
  if (run.item_count === 0) await setState(tx, { ...run, state: 'released' }, 'done', { finished_at: now })
  return run.item_count === 0 ? 'done' : 'released'
}

/** Posts one batch of a released run that no other worker has claimed. False when there is none, or payments are stopped. */
async function postBatch(tx: Tx, run: Run, now: Date): Promise<boolean> {
  if (run.journal_id === null) throw new Error(`run ${run.id} was released without a journal`)
  if (await isStopped(tx)) return false
  const batch = await claimBatch(tx, run.id)
  if (batch === undefined) return false
  const journal = { runId: run.id, journalId: run.journal_id, at: run.at, source: FUNDING[run.kind].due }
  const posted = await (run.kind === 'passive' ? postPages : postItems)(tx, journal, batch)
  if (posted !== batch.item_count)
    throw new Error(`run ${run.id} has ${posted} items where ${batch.item_count} were sealed`)
  await finishBatch(tx, run.id, batch, now)
  return true
}

/**
 * Posts what is left of a released run; batches that another worker has claimed are left to it. Stopped in between,
 * the rest is posted when payments go on.
 */
export async function postRun(db: Database, run: Run, now: Date): Promise<void> {
  const lane = async () => {
    let more = true
    while (more) more = await withPermit(() => inTransaction(db, (tx) => postBatch(tx, run, now)))
  }
  // A caller's transaction has one connection, and its own locks do not exclude it.
  const lanes = db.isTransaction ? 1 : MOST_CONCURRENT
  await allIsolated(Array.from({ length: lanes }), lane)
}

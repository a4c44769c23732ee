/** From sealed items to postings: the checks, the release, the chunks. */
import type { Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { HOUSE, openRunJournal, post, postItems, postPages } from '../../ledger/ledger.commands.ts'
import { selectAvailable } from './inputs.sql.ts'
import { FUNDING, mayBecome, type RunState } from './payouts.rules.ts'
import { lockPool, type Run, type RunChange, updateRun } from './runs.sql.ts'

/** Postings a transaction: long enough to be fast, short enough that a deposit never waits long for its member's row. */
const BLOCKS_A_CHUNK = 16
const ITEMS_A_CHUNK = 16_000

export async function setState(tx: Tx, run: Run, to: RunState, change: RunChange = {}): Promise<void> {
  if (!mayBecome(run.state, to)) throw new Error(`run ${run.id} cannot go from ${run.state} to ${to}`)
  await updateRun(tx, run.id, { ...change, state: to }, run.state !== to)
}

/** Objections that nobody has overruled hold a run whatever its pool has. */
export const isObjected = (run: Run): boolean =>
  Array.isArray(run.objections) && run.objections.length > 0 && run.overruled_by === null

/** What the pool of a run has, for whoever then decides over it: nobody else takes from it until this transaction ends. */
export async function holdPool(tx: Tx, run: Run): Promise<Micro> {
  const { pool } = FUNDING[run.kind]
  await lockPool(tx, pool)
  return selectAvailable(tx, pool)
}

/**
 * The checks. Takes the whole sum out of the pool, or holds the run whole and says what is missing.
 */
export async function release(tx: Tx, run: Run): Promise<RunState> {
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
  return 'released'
}

/** Posts the next items of a released run, and tells where it stands then. */
export async function postChunk(tx: Tx, run: Run, now: Date): Promise<RunState> {
  if (run.journal_id === null) throw new Error(`run ${run.id} was released without a journal`)
  const source = FUNDING[run.kind].due
  const journal = { runId: run.id, journalId: run.journal_id, at: run.at, source }
  const posted =
    run.kind === 'passive'
      ? { ...(await postPages(tx, journal, run.posted_through, BLOCKS_A_CHUNK)), leg: run.posted_leg }
      : await postItems(tx, journal, { memberId: run.posted_through, leg: run.posted_leg }, ITEMS_A_CHUNK)
  const count = run.posted_count + posted.count
  const progress = {
    posted_count: count,
    posted_through: posted.through ?? run.posted_through,
    posted_leg: posted.leg ?? run.posted_leg,
  }
  if (count < run.item_count) {
    if (posted.count === 0) throw new Error(`run ${run.id} lost items: ${count} of ${run.item_count}`)
    await setState(tx, run, 'posting', progress)
    return 'posting'
  }
  await setState(tx, run, 'done', { ...progress, finished_at: now })
  return 'done'
}

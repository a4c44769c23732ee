import { type Database, inTransaction } from '@aval/db'
import type { JobContext } from '../../core/context.ts'
import { allIsolated, eachIsolated, inPages } from '../../core/isolated.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { computeRun, type Step } from './calculate/calculate.commands.ts'
import { makeDigests } from './items/items.queries.ts'
import { postRun, release } from './pay/pay.commands.ts'
import { previewAsked } from './previews/previews.commands.ts'
import { replayAsked } from './replay/replays.commands.ts'
import { recoverOwed } from './reversals/reversals.commands.ts'
import { midnightsDue, openBatches, openMidnight } from './runs/runs.commands.ts'
import { FUNDING, RUN_KINDS, type RunKind } from './runs/runs.rules.ts'
import * as store from './runs/runs.sql.ts'

/** A run takes a few steps, a few more where another worker helps; a longer loop is a fault. */
const MOST_STEPS = 50_000

export type Rest = 'done' | 'held' | 'cancelled' | 'waiting'

/** One step forward, and what it led to. A killed step leaves no trace; the next run of the job repeats it. */
async function step(db: Database, run: store.Run, now: Date): Promise<Step> {
  switch (run.state) {
    case 'computing':
      return computeRun(db, run)
    case 'sealed':
    case 'held':
      return inTransaction(db, async (tx) => {
        const locked = await store.lockRun(tx, run.id)
        const waits = locked?.state === 'sealed' || locked?.state === 'held'
        return waits ? release(tx, locked, now) : (locked?.state ?? 'cancelled')
      })
    case 'released':
    case 'posting': {
      await postRun(db, run, now)
      // Batches that are left are claimed by another worker, or wait until payments go on.
      return (await store.selectRun(db, run.id))?.state === 'done' ? 'done' : 'waiting'
    }
    case 'done':
    case 'cancelled':
      return run.state
    default:
      throw new Error(`run ${run.id} is in no known state: ${run.state satisfies never}`)
  }
}

/**
 * Takes a run as far as it can go: to its end, or until its pool, an operator, another run or another worker must come
 * first.
 */
export async function advanceRun(db: Database, runId: bigint, now: Date): Promise<Rest> {
  for (let count = 0; count < MOST_STEPS; count += 1) {
    const run = await store.selectRun(db, runId)
    if (run === undefined) throw new Error(`there is no run ${runId}`)
    const state = await step(db, run, now)
    if (state === 'done' || state === 'held' || state === 'cancelled' || state === 'waiting') return state
  }
  throw new Error(`run ${runId} does not come to an end`)
}

/** Pays the commissions of every investment that no run covers yet, and goes on with what waits for them to be paid. */
export async function payCommissions(db: Database, now: Date): Promise<void> {
  await eachIsolated(await openBatches(db), (id) => advanceRun(db, id, now))
  await recoverOwed(db, now)
}

const itself = (id: bigint) => id

const POOLS = ['pool:profit', 'pool:commission'] as const

/** Releases the held runs that their pool covers by now; updates what the others miss. */
async function resumeHeld(db: Database, pool: (typeof POOLS)[number], now: Date): Promise<void> {
  const kinds: RunKind[] = RUN_KINDS.filter((kind) => FUNDING[kind].pool === pool)
  const available = () => guardedBalance(db, pool)
  await store.updateMissing(db, kinds, await available())
  const coverable = inPages(
    async (after, limit) => store.selectCoverable(db, kinds, await available(), after, limit),
    itself,
  )
  await eachIsolated(coverable, (id) => advanceRun(db, id, now))
  await store.updateMissing(db, kinds, await available())
}

/**
 * Goes on with every run that is not done: after a crash, or when a pool was funded. Those under way come first, so that
 * however many wait for money, what was begun is finished.
 */
export async function resumeRuns(db: Database, now: Date): Promise<void> {
  const underWay = () =>
    eachIsolated(
      inPages((after, limit) => store.selectUnderWay(db, after, limit), itself),
      (id) => advanceRun(db, id, now),
    )
  const held = POOLS.map((pool) => () => resumeHeld(db, pool, now))
  await eachIsolated([underWay, ...held, () => recoverOwed(db, now)], (part) => part())
}

/** Pays each midnight that is due and has no runs, oldest first. */
async function payNewDays(db: Database, now: Date): Promise<void> {
  await eachIsolated(await midnightsDue(db, now), async (midnight) => {
    const runs = await openMidnight(db, midnight)
    // Neither needs the other: one computes while the other reads or writes.
    const pay = () => allIsolated(runs, (id) => advanceRun(db, id, now))
    await eachIsolated([pay, () => recoverOwed(db, now)], (part) => part())
  })
}

/** Everything that is due at `now`: what was left unfinished first, then each day without its runs. */
export async function runDue(db: Database, now: Date): Promise<void> {
  await eachIsolated([resumeRuns, payNewDays], (part) => part(db, now))
}

/** These jobs carry nothing: each does what the tables ask for. */
export const payoutRunsJobs = ({ db, clock }: JobContext) => ({
  'payout_runs.direct': async () => payCommissions(db, await clock.now()),
  'payout_runs.daily': async () => runDue(db, await clock.now()),
  'payout_runs.resume': async () => resumeRuns(db, await clock.now()),
  'payout_runs.digest': () => makeDigests(db),
  'payout_runs.replay': async () => replayAsked(db, await clock.now()),
  'plans.preview': async () => previewAsked(db, await clock.now()),
})

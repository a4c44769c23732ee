/** Takes a run from its closed inputs to its seal. */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import { withPermit } from '../runs/concurrency.ts'
import { setState } from '../runs/runs.commands.ts'
import { BLOCK, type RunState, UNFINISHED } from '../runs/runs.rules.ts'
import { lockRun, type Run, someEarlier } from '../runs/runs.sql.ts'
import { writeBlocks, writeItems } from '../seal/seal.commands.ts'
import {
  atPlanRate,
  computeBinary,
  computeBlocks,
  computeDirect,
  passiveSections,
  rateText,
  termsOf,
} from './calculate.queries.ts'
import { selectNetworkSize } from './calculate.sql.ts'

/** Blocks a transaction of computing: some thirty thousand members, a tenth of a second. */
const BLOCKS_A_STEP = 32

/** A run waits when it computes from what another run has to finish first. */
export type Step = RunState | 'waiting'

/** The rate and the network that the first step found hold to the end: a day is never paid by two. */
async function beginPassive(tx: Tx, runId: bigint): Promise<Run | undefined> {
  const run = await lockRun(tx, runId)
  if (run?.state !== 'computing' || run.rate !== null) return run
  const terms = await termsOf(tx, run)
  const change = {
    rate: rateText(terms.rate),
    declared_id: terms.declaredId,
    member_count: (await selectNetworkSize(tx)) - 1,
  }
  await setState(tx, run, 'computing', change)
  return { ...run, ...change }
}

/**
 * Computes a passive run block by block. While some blocks are written the next are read, on another connection: the inputs
 * are closed, so it does not matter when they are read.
 */
async function computePassive(db: Database, found: Run): Promise<Step> {
  const runId = found.id
  const run = found.rate === null ? await inTransaction(db, (tx) => beginPassive(tx, runId)) : found
  if (run?.state !== 'computing') return run?.state ?? 'cancelled'
  const terms = await termsOf(db, run, run.declared_id)
  // What was earned before a day is known when the days before it are paid.
  if (terms.capMultiple !== null && (await someEarlier(db, 'passive', run.period, UNFINISHED)))
    return 'waiting'
  const last = Math.ceil((run.member_count + 1) / BLOCK)
  const read = (from: number) => {
    const count = Math.min(BLOCKS_A_STEP, last - from)
    const blocks = withPermit(() => computeBlocks(db, run, terms, from, count))
    // Its failure is handled where it is awaited, which may be after the next write.
    blocks.catch(() => undefined)
    return blocks
  }
  let next = read(Number(run.computed_through))
  for (let from = Number(run.computed_through); ; from += BLOCKS_A_STEP) {
    const blocks = await next
    const through = Math.min(from + BLOCKS_A_STEP, last)
    const isLast = through === last
    if (!isLast) next = read(through)
    const state = await writeBlocks(db, runId, {
      blocks,
      from,
      through,
      isLast,
      declaredId: terms.declaredId,
      rate: terms.rate,
      sections: ({ principals }) => passiveSections(terms, principals),
      comparable: (sum) => atPlanRate(terms, sum),
    })
    if (state !== 'computing') return state ?? 'computing'
  }
}

/** Computes a run that is `computing` and seals it, or as much of it as can be done now. */
export async function computeRun(db: Database, run: Run): Promise<Step> {
  if (run.kind === 'passive') return computePassive(db, run)
  if (run.kind === 'direct') return writeItems(db, run.id, await computeDirect(db, run))
  // A day carries in what the day before carries out.
  if (await someEarlier(db, 'binary', run.period, ['computing'])) return 'waiting'
  const { plan } = await planOfVersion(db, run.plan_version)
  return writeItems(db, run.id, await computeBinary(db, run, plan.timeZone))
}

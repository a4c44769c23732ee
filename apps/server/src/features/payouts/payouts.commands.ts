import { type Database, inTransaction, type Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { eachApart, inPages } from '../../core/apart.ts'
import {
  HOUSE,
  insertPostingsOfRun,
  openRunJournal,
  post,
  selectGuarded,
} from '../../ledger/ledger.commands.ts'
import { computeRun } from './computing.commands.ts'
import { openPassiveRuns } from './daily.commands.ts'
import { FUNDING, mayBecome, RUN_KINDS, type RunKind, type RunState } from './payouts.rules.ts'
import {
  lockPool,
  lockRun,
  openRun,
  type Run,
  selectCoverable,
  selectInvestment,
  selectUnderWay,
  selectWithoutRun,
  updateMissing,
  updateRun,
} from './payouts.sql.ts'

/** Postings a transaction: long enough to be fast, short enough that a deposit never waits long for the pool's row. */
const CHUNK = 5_000
/** A run of a hundred million items is beyond anything; a loop that goes on longer than that is a fault. */
const MOST_STEPS = 20_000

async function setState(
  tx: Tx,
  run: Run,
  to: RunState,
  change: Parameters<typeof updateRun>[2] = {},
): Promise<void> {
  if (!mayBecome(run.state, to)) throw new Error(`run ${run.id} cannot go from ${run.state} to ${to}`)
  await updateRun(tx, run.id, { ...change, state: to })
}

/** Takes the whole sum out of the pool, or holds the run whole and says what is missing. */
async function release(tx: Tx, run: Run): Promise<RunState> {
  const funding = FUNDING[run.kind]
  const sum = micro(run.item_sum)
  await lockPool(tx, funding.pool)
  const available = await selectGuarded(tx, funding.pool)
  if (available < sum) {
    const missing = sum - available
    if (run.state !== 'held' || run.missing !== missing) await setState(tx, run, 'held', { missing })
    return 'held'
  }
  await post(tx, {
    key: `release:${run.id}`,
    kind: 'release',
    memberId: HOUSE,
    at: run.at,
    movements: [{ kind: funding.release, amount: sum }],
  })
  const journalId = await openRunJournal(tx, { key: `run:${run.id}`, at: run.at, hash: run.items_hash ?? '' })
  await setState(tx, run, 'released', { missing: 0n, journal_id: journalId })
  return 'released'
}

async function postChunk(tx: Tx, run: Run, now: Date): Promise<RunState> {
  if (run.journal_id === null) throw new Error(`run ${run.id} was released without a journal`)
  const source = FUNDING[run.kind].due
  const posted = await insertPostingsOfRun(
    tx,
    { id: run.id, journalId: run.journal_id, at: run.at, source },
    run.posted_through,
    CHUNK,
  )
  const count = run.posted_count + posted.count
  const progress = { posted_count: count, posted_through: posted.through ?? run.posted_through }
  if (count < run.item_count) {
    if (posted.count === 0) throw new Error(`run ${run.id} lost items: ${count} of ${run.item_count}`)
    await setState(tx, run, 'released', progress)
    return 'released'
  }
  await setState(tx, run, 'done', { ...progress, finished_at: now })
  return 'done'
}

/** One transaction forward. A killed step leaves no trace; whoever comes next repeats it. */
async function step(tx: Tx, runId: bigint, now: Date): Promise<RunState> {
  const run = await lockRun(tx, runId)
  switch (run.state) {
    case 'computing':
      await setState(tx, run, 'sealed', await computeRun(tx, run))
      return 'sealed'
    case 'sealed':
    case 'held':
      return release(tx, run)
    case 'released':
      return postChunk(tx, run, now)
    case 'done':
      return 'done'
    default:
      throw new Error(`run ${run.id} is in no known state: ${run.state satisfies never}`)
  }
}

/** Takes a run as far as it can go: to its end, or until its pool is short. */
export async function advanceRun(db: Database, runId: bigint, now: Date): Promise<'done' | 'held'> {
  for (let count = 0; count < MOST_STEPS; count += 1) {
    const state = await inTransaction(db, (tx) => step(tx, runId, now))
    if (state === 'done' || state === 'held') return state
  }
  throw new Error(`run ${runId} does not come to an end`)
}

/** Pays the commissions of one investment, once. */
export async function payDirect(
  db: Database,
  memberId: bigint,
  investmentId: bigint,
  now: Date,
): Promise<void> {
  const investment = await selectInvestment(db, memberId, investmentId)
  const runId = await openRun(db, {
    kind: 'direct',
    period: `${memberId}:${investmentId}`,
    cutoffAt: investment.credited_at,
    planVersion: investment.plan_version,
    at: investment.credited_at,
  })
  await advanceRun(db, runId, now)
}

const itself = (id: bigint) => id

/** Releases the held runs of a kind that their pool covers by now; of the others, tells anew what is missing. */
async function resumeHeld(db: Database, kind: RunKind, now: Date): Promise<void> {
  const available = () => selectGuarded(db, FUNDING[kind].pool)
  await updateMissing(db, kind, await available())
  const coverable = inPages(
    async (after, limit) => selectCoverable(db, kind, await available(), after, limit),
    itself,
  )
  await eachApart(coverable, (id) => advanceRun(db, id, now))
  await updateMissing(db, kind, await available())
}

/**
 * Goes on with every run that is not done: after a crash, or when a pool was funded. Those under way come first, so that
 * however many wait for money, what was begun is finished.
 */
export async function resumeRuns(db: Database, now: Date): Promise<void> {
  const underWay = () =>
    eachApart(
      inPages((after, limit) => selectUnderWay(db, after, limit), itself),
      (id) => advanceRun(db, id, now),
    )
  const held = RUN_KINDS.map((kind) => () => resumeHeld(db, kind, now))
  await eachApart([underWay, ...held], (part) => part())
}

/** Pays the commissions of investments that have no run yet: their job is to come, or was lost. */
export async function payLeftBehind(db: Database, now: Date): Promise<void> {
  const investments = inPages(
    (after, limit) => selectWithoutRun(db, after, limit),
    ({ id }) => id,
  )
  await eachApart(investments, ({ memberId, id }) => payDirect(db, memberId, id, now))
}

/** Company capital into a pool. */
export async function fundPool(
  tx: Tx,
  pool: 'profit' | 'commission',
  amount: Micro,
  key: string,
  now: Date,
): Promise<void> {
  await post(tx, {
    key: `fund:${pool}:${key}`,
    kind: 'fund',
    memberId: HOUSE,
    at: now,
    movements: [{ kind: pool === 'profit' ? 'fund_profit' : 'fund_commission', amount }],
  })
}

/** Pays each day that is due and has no run, oldest first. */
async function payNewDays(db: Database, now: Date): Promise<void> {
  await eachApart(await openPassiveRuns(db, now), (id) => advanceRun(db, id, now))
}

/** Everything that is due at `now`: what was left unfinished first, then each day without its run. */
export async function runDue(db: Database, now: Date): Promise<void> {
  await eachApart([resumeRuns, payNewDays], (part) => part(db, now))
}

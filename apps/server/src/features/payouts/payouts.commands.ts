import { type Database, inTransaction, type Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { micro } from '@aval/money'
import { objections } from '@aval/plan'
import { eachApart, inPages } from '../../core/apart.ts'
import { HOUSE, post, selectGuarded } from '../../ledger/ledger.commands.ts'
import { planOfVersion } from '../plans/plan-versions.commands.ts'
import {
  atPlanRate,
  type Computed,
  computeBinary,
  computeBlocks,
  computeDirect,
  type InputHashes,
  inputHash,
  passiveSections,
  rateText,
  termsOf,
} from './computing.commands.ts'
import { insertCarry, insertItems, insertMissed, insertPages, type Sealed, selectSeal } from './items.sql.ts'
import { selectNetworkSize } from './network.sql.ts'
import { midnightsDue, openBatches, openMidnight } from './opening.commands.ts'
import { BLOCK, FUNDING, RUN_KINDS, type RunKind, type RunState } from './payouts.rules.ts'
import { postChunk, release, setState } from './posting.commands.ts'
import { recoverOwed } from './recovery.commands.ts'
import {
  lockRun,
  type Run,
  type RunChange,
  selectComparable,
  selectCoverable,
  selectUnderWay,
  someEarlier,
  updateMissing,
} from './runs.sql.ts'

export { cancelRun, declareRate, overruleRun } from './decisions.commands.ts'
export { prorateRun } from './prorating.commands.ts'

/** Blocks a transaction of computing: some thirty thousand members, a tenth of a second. */
const BLOCKS_A_STEP = 32
/** A run of a hundred million items is beyond anything; a loop that goes on longer than that is a fault. */
const MOST_STEPS = 50_000

/** A run waits when what it computes from is another run's to finish first. */
type Step = RunState | 'waiting'

/** Counts, adds up and hashes what was computed, and writes down what speaks against paying it. */
async function seal(
  tx: Tx,
  run: Run,
  sections: (sealed: Sealed) => InputHashes,
  comparable: (sum: bigint) => bigint | null,
  change: RunChange,
): Promise<RunState> {
  const { plan } = await planOfVersion(tx, run.plan_version)
  const sealed = await selectSeal(tx, run.id)
  const compared = comparable(sealed.sum)
  const before = compared === null ? null : await selectComparable(tx, run.kind, run.period)
  const terms = run.kind === 'passive' ? await termsOf(tx, run, change.declared_id ?? null) : null
  const found = objections(plan, {
    sum: micro(sealed.sum),
    largest: micro(sealed.largest),
    rate: terms === null ? null : terms.rate,
    comparison: before === null || !compared ? null : { now: micro(compared), before: micro(before) },
  })
  const inputs = sections(sealed)
  await setState(tx, run, 'sealed', {
    ...change,
    inputs: JSON.stringify(inputs),
    input_hash: inputHash(run, inputs),
    items_hash: sealed.hash,
    item_count: sealed.count,
    item_sum: sealed.sum,
    item_largest: sealed.largest,
    comparable: compared ?? 0n,
    payable: sealed.sum,
    not_paid: sealed.notPaid,
    objections: JSON.stringify(found, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  })
  return 'sealed'
}

/** The next members of a passive run; seals it after the last. Every step reads its own inputs, so any hand can go on. */
async function computePassive(tx: Tx, run: Run): Promise<Step> {
  const terms = await termsOf(tx, run)
  // What was earned before a day is known when the days before it are paid.
  if (terms.capMultiple !== null && (await someEarlier(tx, 'passive', run.period, UNFINISHED)))
    return 'waiting'
  const first = Number(run.computed_through)
  const blocks = Math.ceil((first === 0 ? await selectNetworkSize(tx) : run.member_count + 1) / BLOCK)
  const count = Math.min(BLOCKS_A_STEP, blocks - first)
  const pages = count > 0 ? await computeBlocks(tx, run, terms, first, count) : []
  await insertPages(
    tx,
    run.id,
    pages.map((page) => ({ ...page, count: page.members.length })),
  )
  await insertMissed(
    tx,
    run.id,
    pages.flatMap(({ missed }) => missed),
  )
  const through = first + Math.max(count, 0)
  const change = {
    computed_through: BigInt(through),
    computed_count: run.computed_count + pages.reduce((sum, { members }) => sum + members.length, 0),
    member_count: first === 0 ? (await selectNetworkSize(tx)) - 1 : run.member_count,
    rate: rateText(terms.rate),
    declared_id: terms.declaredId,
  }
  if (through < blocks) {
    await setState(tx, run, 'computing', change)
    return 'computing'
  }
  return seal(
    tx,
    run,
    ({ principals }) => passiveSections(terms, principals),
    (sum) => atPlanRate(terms, sum),
    change,
  )
}

async function store(tx: Tx, run: Run, computed: Computed): Promise<void> {
  await insertItems(tx, run.id, computed.items)
  await insertMissed(tx, run.id, computed.missed)
}

async function computeOthers(tx: Tx, run: Run): Promise<Step> {
  if (run.kind === 'direct') {
    const computed = await computeDirect(tx, run)
    await store(tx, run, computed)
    return seal(
      tx,
      run,
      () => computed.sections,
      () => null,
      { computed_count: computed.items.length },
    )
  }
  // A day carries in what the day before carries out.
  if (await someEarlier(tx, 'binary', run.period, ['computing'])) return 'waiting'
  const { plan } = await planOfVersion(tx, run.plan_version)
  const computed = await computeBinary(tx, run, plan.timeZone)
  await store(tx, run, computed)
  await insertCarry(tx, run, computed.blocks, computed.carry)
  return seal(
    tx,
    run,
    () => computed.sections,
    (sum) => sum,
    { computed_count: computed.items.length },
  )
}

const UNFINISHED = ['computing', 'sealed', 'held', 'released', 'posting'] as const

/** One transaction forward. A killed step leaves no trace; whoever comes next repeats it. */
async function step(tx: Tx, runId: bigint, now: Date): Promise<Step> {
  const run = await lockRun(tx, runId)
  if (run === undefined) throw new Error(`there is no run ${runId}`)
  switch (run.state) {
    case 'computing':
      return run.kind === 'passive' ? computePassive(tx, run) : computeOthers(tx, run)
    case 'sealed':
    case 'held':
      return release(tx, run)
    case 'released':
    case 'posting':
      return postChunk(tx, run, now)
    case 'done':
    case 'cancelled':
      return run.state
    default:
      throw new Error(`run ${run.id} is in no known state: ${run.state satisfies never}`)
  }
}

export type Rest = 'done' | 'held' | 'cancelled' | 'waiting'

/** Takes a run as far as it can go: to its end, or until its pool, an operator or another run must come first. */
export async function advanceRun(db: Database, runId: bigint, now: Date): Promise<Rest> {
  for (let count = 0; count < MOST_STEPS; count += 1) {
    const state = await inTransaction(db, (tx) => step(tx, runId, now))
    if (state === 'done' || state === 'held' || state === 'cancelled' || state === 'waiting') return state
  }
  throw new Error(`run ${runId} does not come to an end`)
}

/** Pays the commissions of every investment that no run covers yet, and goes on with what waits for them to be paid. */
export async function payCommissions(db: Database, now: Date): Promise<void> {
  await eachApart(await openBatches(db), (id) => advanceRun(db, id, now))
  await recoverOwed(db, now)
}

const itself = (id: bigint) => id

const POOLS = ['pool:profit', 'pool:commission'] as const

/** Releases the held runs that their pool covers by now; of the others, tells anew what is missing. */
async function resumeHeld(db: Database, pool: (typeof POOLS)[number], now: Date): Promise<void> {
  const kinds: RunKind[] = RUN_KINDS.filter((kind) => FUNDING[kind].pool === pool)
  const available = () => selectGuarded(db, pool)
  await updateMissing(db, kinds, await available())
  const coverable = inPages(
    async (after, limit) => selectCoverable(db, kinds, await available(), after, limit),
    itself,
  )
  await eachApart(coverable, (id) => advanceRun(db, id, now))
  await updateMissing(db, kinds, await available())
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
  const held = POOLS.map((pool) => () => resumeHeld(db, pool, now))
  await eachApart([underWay, ...held, () => recoverOwed(db, now)], (part) => part())
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

/** Pays each midnight that is due and has no runs, oldest first. */
async function payNewDays(db: Database, now: Date): Promise<void> {
  const { midnights, timeZone } = await midnightsDue(db, now)
  await eachApart(midnights, async (midnight) => {
    await eachApart(await openMidnight(db, midnight, timeZone), (id) => advanceRun(db, id, now))
    await recoverOwed(db, now)
  })
}

/** Everything that is due at `now`: what was left unfinished first, then each day without its runs. */
export async function runDue(db: Database, now: Date): Promise<void> {
  await eachApart([resumeRuns, payNewDays], (part) => part(db, now))
}

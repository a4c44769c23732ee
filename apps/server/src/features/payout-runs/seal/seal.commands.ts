/** From closed inputs to a sealed run: what is computed is written, counted, hashed, and held against the plan's guards. */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { objections } from '@aval/plan'
import { planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import {
  atPlanRate,
  type Computed,
  computeBinary,
  computeBlocks,
  computeDirect,
  type InputHashes,
  inputHash,
  jsonOf,
  passiveSections,
  rateText,
  type Terms,
  termsOf,
} from '../calculate/calculate.queries.ts'
import { selectNetworkSize } from '../calculate/network.sql.ts'
import { setState } from '../post/post.commands.ts'
import { withPermit } from '../runs/concurrency.ts'
import { BLOCK, type RunState, UNFINISHED } from '../runs/runs.rules.ts'
import { lockRun, type Run, type RunChange, selectComparable, someEarlier } from '../runs/runs.sql.ts'
import { insertCarry, insertItems, insertMissed, insertPages, type Sealed, selectSeal } from './items.sql.ts'

/** Blocks a transaction of computing: some thirty thousand members, a tenth of a second. */
const BLOCKS_A_STEP = 32

/** A run waits when what it computes from is another run's to finish first. */
export type Step = RunState | 'waiting'

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
    objections: jsonOf(found),
  })
  return 'sealed'
}

type Blocks = Awaited<ReturnType<typeof computeBlocks>>

/** Writes the next blocks of a passive run and seals it after the last; null where another hand was there first. */
async function storeBlocks(
  tx: Tx,
  runId: bigint,
  terms: Terms,
  from: number,
  blocks: Blocks,
  last: number,
): Promise<Step | null> {
  const run = await lockRun(tx, runId)
  if (run?.state !== 'computing') return run?.state ?? 'cancelled'
  if (run.computed_through !== BigInt(from)) return null
  await insertPages(
    tx,
    run.id,
    blocks.map((block) => ({ ...block, count: block.members.length })),
  )
  await insertMissed(
    tx,
    run.id,
    blocks.flatMap(({ missed }) => missed),
  )
  const through = Math.min(from + BLOCKS_A_STEP, last)
  const change = {
    computed_through: BigInt(through),
    computed_count: run.computed_count + blocks.reduce((sum, { members }) => sum + members.length, 0),
  }
  if (through < last) {
    await setState(tx, run, 'computing', change)
    return 'computing'
  }
  return seal(
    tx,
    run,
    ({ principals }) => passiveSections(terms, principals),
    (sum) => atPlanRate(terms, sum),
    { ...change, declared_id: terms.declaredId },
  )
}

/** What the first step found holds to the end: a day is never paid by two rates, nor over two networks. */
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
 * Computes a passive run block by block. While some blocks are written the next are read, on another connection: what is
 * read is closed, so it does not matter when.
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
    // Whoever awaits it hears of its failure; until then it is nobody's unhandled one.
    blocks.catch(() => undefined)
    return blocks
  }
  let next = read(Number(run.computed_through))
  for (let from = Number(run.computed_through); ; from += BLOCKS_A_STEP) {
    const blocks = await next
    if (from + BLOCKS_A_STEP < last) next = read(from + BLOCKS_A_STEP)
    const state = await withPermit(() =>
      inTransaction(db, (tx) => storeBlocks(tx, runId, terms, from, blocks, last)),
    )
    if (state !== 'computing') return state ?? 'computing'
  }
}

async function store(
  db: Database,
  runId: bigint,
  computed: Computed,
  comparable: (sum: bigint) => bigint | null,
  also: (tx: Tx, run: Run) => Promise<void>,
): Promise<Step> {
  const write = async (tx: Tx): Promise<Step> => {
    const run = await lockRun(tx, runId)
    if (run?.state !== 'computing') return run?.state ?? 'cancelled'
    await insertItems(tx, run.id, computed.items)
    await insertMissed(tx, run.id, computed.missed)
    await also(tx, run)
    return seal(tx, run, () => computed.sections, comparable, { computed_count: computed.items.length })
  }
  return withPermit(() => inTransaction(db, write))
}

const nothing = () => Promise.resolve()

/** Computes a run that is `computing` and seals it, or as much of it as can be done now. */
export async function computeRun(db: Database, run: Run): Promise<Step> {
  const { id } = run
  if (run.kind === 'passive') return computePassive(db, run)
  if (run.kind === 'direct') return store(db, id, await computeDirect(db, run), () => null, nothing)
  // A day carries in what the day before carries out.
  if (await someEarlier(db, 'binary', run.period, ['computing'])) return 'waiting'
  const { plan } = await planOfVersion(db, run.plan_version)
  const computed = await computeBinary(db, run, plan.timeZone)
  return store(
    db,
    id,
    computed,
    (sum) => sum,
    (tx) => insertCarry(tx, run, computed.blocks, computed.carry),
  )
}

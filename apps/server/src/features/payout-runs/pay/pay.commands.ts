/**
 * From computed items to postings: they are written and sealed (counted, added up, hashed), checked against the plan's
 * guards, released from the pool, and posted batch by batch.
 */
import { createHash } from 'node:crypto'
import { type Database, inTransaction, type Tx } from '@aval/db'
import { micro, type Ratio } from '@aval/money'
import { type Comparison, objections } from '@aval/plan'
import { allIsolated } from '../../../core/isolated.ts'
import { holdPool } from '../../../ledger/ledger.commands.ts'
import { planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import { isStopped } from '../../reserves/reserves.queries.ts'
import { withPermit } from '../runs/concurrency.ts'
import { setState } from '../runs/runs.commands.ts'
import {
  type Carried,
  FUNDING,
  type Item,
  isObjected,
  type Missed,
  MOST_CONCURRENT,
  type PassiveBlock,
  type RunState,
} from '../runs/runs.rules.ts'
import { lockRun, type Run, type RunChange, selectComparable, selectDirectRate } from '../runs/runs.sql.ts'
import * as store from './pay.sql.ts'

/** Hashes of what went in, by section: where two computations differ, the section says in what. */
export type InputHashes = Readonly<Record<string, string>>

export const hashOf = (...parts: (string | NodeJS.ArrayBufferView)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

export const lines = (rows: readonly (readonly (string | bigint | number | boolean)[])[]): string =>
  rows.map((row) => `${row.join('|')}\n`).join('')

/** With amounts as text, exact at any size. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

/** One hash over all sections, in the order of their names, and over what run it is. */
export function inputHash(
  run: { readonly kind: string; readonly period: string },
  sections: InputHashes,
): string {
  const named = Object.entries(sections).sort(([left], [right]) => (left < right ? -1 : 1))
  return hashOf(`${run.kind}|${run.period}\n`, lines(named))
}

/** What a seal is made from, beside the rows. */
interface Sealing {
  readonly sections: (sealed: store.Sealed) => InputHashes
  /** What a day is compared by with the one before; null where nothing compares, and of direct runs. */
  readonly comparable: (sum: bigint) => bigint | null
  /** Of a passive run. */
  readonly rate: Ratio | null
}

/** A day, beside the one before it of the same kind. */
async function compareDay(tx: Tx, run: Run, now: bigint | null): Promise<Comparison | null> {
  const before = now === null ? null : await selectComparable(tx, run.kind, run.period)
  return now === null || before === null ? null : { now: micro(now), before: micro(before) }
}

/** Batches have no usual size: what they pay is compared as a part of what was invested. */
async function compareRate(tx: Tx, run: Run, now: bigint): Promise<Comparison | null> {
  const { invested, paid_before: paid, invested_before: base } = await selectDirectRate(tx, run)
  if (base === 0n) return null
  return { now: micro(now), before: micro((paid * invested) / base), invested: micro(invested) }
}

async function seal(tx: Tx, run: Run, sealing: Sealing, change: RunChange): Promise<RunState> {
  const { plan } = await planOfVersion(tx, run.plan_version)
  const sealed = await store.selectSeal(tx, run.id)
  const compared = sealing.comparable(sealed.sum)
  const found = objections(plan, {
    sum: micro(sealed.sum),
    largest: micro(sealed.largest),
    rate: sealing.rate,
    comparison:
      run.kind === 'direct' ? await compareRate(tx, run, sealed.sum) : await compareDay(tx, run, compared),
  })
  const inputs = sealing.sections(sealed)
  await setState(tx, run, 'sealed', {
    ...change,
    inputs: JSON.stringify(inputs),
    input_hash: inputHash(run, inputs),
    items_hash: sealed.hash,
    item_count: sealed.count,
    item_sum: sealed.sum,
    item_largest: sealed.largest,
    comparable: compared,
    payable: sealed.sum,
    not_paid: sealed.notPaid,
    objections: jsonOf(found),
  })
  return 'sealed'
}

interface ComputedBlocks extends Sealing {
  readonly blocks: readonly (PassiveBlock & { readonly block: number })[]
  readonly from: number
  readonly through: number
  readonly isLast: boolean
  readonly declaredId: bigint | null
}

/** Writes the next blocks of a passive run and seals it after the last; null where another worker was first. */
export function writeBlocks(db: Database, runId: bigint, computed: ComputedBlocks): Promise<RunState | null> {
  const { blocks, from, through, isLast, declaredId } = computed
  const write = async (tx: Tx) => {
    const run = await lockRun(tx, runId)
    if (run?.state !== 'computing') return run?.state ?? 'cancelled'
    if (run.computed_through !== BigInt(from)) return null
    await store.insertPages(tx, run.id, blocks)
    await store.insertMissed(
      tx,
      run.id,
      blocks.flatMap((block) => block.missed),
    )
    const change = {
      computed_through: BigInt(through),
      computed_count: run.computed_count + blocks.reduce((sum, { members }) => sum + members.length, 0),
    }
    if (isLast) return seal(tx, run, computed, { ...change, declared_id: declaredId })
    await setState(tx, run, 'computing', change)
    return 'computing'
  }
  return withPermit(() => inTransaction(db, write))
}

interface ComputedItems {
  readonly items: readonly Item[]
  readonly missed: readonly Missed[]
  readonly sections: InputHashes
  /** Of a match: what each leg carries forward, and the blocks that the day changed. */
  readonly carry?: Carried
  readonly blocks?: readonly number[]
}

/** Writes all items of a run of commissions, and seals it. */
export function writeItems(db: Database, runId: bigint, computed: ComputedItems): Promise<RunState> {
  const { items, missed, sections, carry, blocks = [] } = computed
  const write = async (tx: Tx) => {
    const run = await lockRun(tx, runId)
    if (run?.state !== 'computing') return run?.state ?? 'cancelled'
    await store.insertItems(tx, run.id, items)
    await store.insertMissed(tx, run.id, missed)
    if (carry !== undefined) await store.insertCarry(tx, run, blocks, carry)
    const comparable = (sum: bigint) => (run.kind === 'binary' ? sum : null)
    const sealing = { sections: () => sections, comparable, rate: null }
    return seal(tx, run, sealing, { computed_count: items.length })
  }
  return withPermit(() => inTransaction(db, write))
}

/**
 * The checks. Takes the whole sum out of the pool, or holds the run whole and says what is missing. While the reserves do
 * not match the books, the run waits as it is.
 */
export async function release(tx: Tx, run: Run, now: Date): Promise<RunState | 'waiting'> {
  if (await isStopped(tx)) return 'waiting'
  const payable = micro(run.payable)
  // No other transaction takes from the pool until this one ends.
  const available = await holdPool(tx, FUNDING[run.kind].pool)
  const missing = available < payable ? payable - available : 0n
  if (missing > 0n || isObjected(run)) {
    if (run.state !== 'held' || run.missing !== missing) await setState(tx, run, 'held', { missing })
    return 'held'
  }
  return store.releaseRun(tx, run.id, now)
}

/**
 * Posts what is left of a released run; batches that another worker has claimed are left to it. Stopped in between,
 * the rest is posted when payments go on.
 */
export async function postRun(db: Database, run: Run, now: Date): Promise<void> {
  const lane = async () => {
    let more = true
    while (more) more = await withPermit(() => inTransaction(db, (tx) => store.postBatch(tx, run.id, now)))
  }
  // A caller's transaction has one connection, and its own locks do not exclude it.
  const lanes = db.isTransaction ? 1 : MOST_CONCURRENT
  await allIsolated(Array.from({ length: lanes }), lane)
}

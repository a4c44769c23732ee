/**
 * From computed items to postings: they are written and sealed, computed again by the auditor, checked against the plan's guards, released
 * from the pool, and posted batch by batch.
 */
import { createHash } from 'node:crypto'
import { type Database, inTransaction, type Tx } from '@aval/db'
import { allIsolated } from '../../../core/isolated.ts'
import { isStopped } from '../../reserves/reserves.queries.ts'
import { withPermit } from '../runs/concurrency.ts'
import { setState } from '../runs/runs.commands.ts'
import {
  type Carried,
  type Item,
  type Missed,
  MOST_CONCURRENT,
  type PassiveBlock,
  type RunState,
} from '../runs/runs.rules.ts'
import { lockRun, type Run, type RunChange } from '../runs/runs.sql.ts'
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

/** Hashes of what went into a run, from what its pages say of principal. */
type SectionsOf = (sealed: store.Sealed) => InputHashes

/** The database counts, adds up and hashes what stands there, and refuses what no plan can pay. */
async function seal(tx: Tx, run: Run, sections: SectionsOf, change: RunChange): Promise<RunState> {
  const inputs = sections(await store.selectSeal(tx, run.id))
  await setState(tx, run, 'sealed', {
    ...change,
    inputs: JSON.stringify(inputs),
    input_hash: inputHash(run, inputs),
  })
  return 'sealed'
}

interface ComputedBlocks {
  readonly blocks: readonly (PassiveBlock & { readonly block: number })[]
  readonly from: number
  readonly through: number
  readonly isLast: boolean
  readonly sections: SectionsOf
}

/** Writes the next blocks of a passive run and seals it after the last; null where another worker was first. */
export function writeBlocks(db: Database, runId: bigint, computed: ComputedBlocks): Promise<RunState | null> {
  const { blocks, from, through, isLast, sections } = computed
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
    if (isLast) return seal(tx, run, sections, change)
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
    return seal(tx, run, () => sections, { computed_count: items.length })
  }
  return withPermit(() => inTransaction(db, write))
}

/**
 * Takes a run that the auditor computed to the same as far as its checks let it: its whole sum out of the pool, or held whole. It waits as it
 * is until the auditor has said so, and while the reserves do not match the books.
 */
export async function release(tx: Tx, run: Run, now: Date): Promise<RunState | 'waiting'> {
  return (await isStopped(tx)) ? 'waiting' : store.releaseRun(tx, run.id, now)
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

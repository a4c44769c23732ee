/** Writing what was computed and sealing it: counted, added up, hashed, and checked against the plan's guards. */

import { createHash } from 'node:crypto'
import { type Database, inTransaction, type Tx } from '@aval/db'
import { micro, type Ratio } from '@aval/money'
import { objections } from '@aval/plan'
import { planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import { withPermit } from '../runs/concurrency.ts'
import { setState } from '../runs/runs.commands.ts'
import type { RunState } from '../runs/runs.rules.ts'
import { lockRun, type Run, type RunChange, selectComparable } from '../runs/runs.sql.ts'
import type { Carried, Item, Missed, PassiveBlock } from './seal.rules.ts'
import { insertCarry, insertItems, insertMissed, insertPages, type Sealed, selectSeal } from './seal.sql.ts'

/** What a seal is made from, beside the rows. */
interface Sealing {
  readonly sections: (sealed: Sealed) => InputHashes
  /** What the sum is compared by with the run before; null where kinds are not compared. */
  readonly comparable: (sum: bigint) => bigint | null
  /** Of a passive run. */
  readonly rate: Ratio | null
}

async function seal(tx: Tx, run: Run, sealing: Sealing, change: RunChange): Promise<RunState> {
  const { plan } = await planOfVersion(tx, run.plan_version)
  const sealed = await selectSeal(tx, run.id)
  const compared = sealing.comparable(sealed.sum)
  const before = compared === null ? null : await selectComparable(tx, run.kind, run.period)
  const found = objections(plan, {
    sum: micro(sealed.sum),
    largest: micro(sealed.largest),
    rate: sealing.rate,
    comparison: before === null || !compared ? null : { now: micro(compared), before: micro(before) },
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
    comparable: compared ?? 0n,
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
    const pages = blocks.map((block) => ({ ...block, count: block.members.length }))
    await insertPages(tx, run.id, pages)
    const missed = blocks.flatMap((block) => block.missed)
    await insertMissed(tx, run.id, missed)
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
    await insertItems(tx, run.id, items)
    await insertMissed(tx, run.id, missed)
    if (carry !== undefined) await insertCarry(tx, run, blocks, carry)
    const comparable = (sum: bigint) => (run.kind === 'binary' ? sum : null)
    const sealing = { sections: () => sections, comparable, rate: null }
    return seal(tx, run, sealing, { computed_count: items.length })
  }
  return withPermit(() => inTransaction(db, write))
}

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

/**
 * Replaying a run: the same functions compute it again from closed history, and the result is compared with what was
 * sealed. Nothing is written. Later history makes no difference; every difference is named.
 */
import { type Database, type Db, isOutage } from '@aval/db'
import { formatMicro, type Micro, micro } from '@aval/money'
import { z } from 'zod'
import { planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import type { RunKind, RunState } from '../runs/runs.rules.ts'
import { type Run, selectRun } from '../runs/runs.sql.ts'
import { inputHash } from '../seal/seal.commands.ts'
import { type Recomputed, replayCommissions, replayDay } from './recompute.queries.ts'
import type { Difference } from './replay.rules.ts'
import { type Stored, selectRunIds, selectStored, takeTime } from './replay.sql.ts'

export interface Replay {
  readonly runId: bigint
  readonly kind: RunKind
  readonly period: string
  readonly state: RunState
  /** As recomputed; nothing of a run that is still computing. */
  readonly count: number
  readonly sum: Micro
  readonly verdict: 'matches' | 'differs' | 'unsealed'
  /** A run from before inputs were hashed: its items alone could be compared. */
  readonly itemsOnly: boolean
  /** The sections of the inputs that differ, or why nothing can be computed. */
  readonly inputs: readonly string[]
  /** The first of what differs of what came out, and how many more there are. */
  readonly differences: readonly Difference[]
  readonly more: number
}

const sectionsSchema = z.record(z.string(), z.string())

/** The sections of the inputs whose hashes differ. */
function differingInputs(run: Run, { sections }: Recomputed): string[] {
  const sealed = sectionsSchema.parse(run.inputs)
  const names = new Set([...Object.keys(sealed), ...Object.keys(sections)])
  const differing = [...names].filter((name) => sealed[name] !== sections[name]).sort()
  return inputHash(run, sealed) === run.input_hash ? differing : ['input_hash', ...differing]
}

/** The figures in the run's own row. */
function compareFigures(run: Run, stored: Stored, recomputed: Recomputed): void {
  const { found, figures } = recomputed
  const compare = (field: string, sealed: string | null, is: string | null) =>
    found.compare({ memberId: null, of: 'run', field }, sealed, is)
  const amount = (value: bigint) => formatMicro(micro(value))
  found.settle()
  compare('item_count', String(run.item_count), String(figures.count))
  compare('item_sum', amount(run.item_sum), amount(figures.sum))
  compare('item_largest', amount(run.item_largest), amount(figures.largest))
  compare('not_paid', amount(stored.not_paid), amount(figures.notPaid))
  compare('rate', run.rate, recomputed.rate)
  if (run.input_hash !== null) compare('comparable', amount(run.comparable), amount(recomputed.comparable))
  compare('items_hash', run.items_hash, recomputed.seal)
}

/** @throws Error in words where the plan of a run cannot be read any more. */
async function planThere(db: Db, version: number): Promise<void> {
  try {
    await planOfVersion(db, version)
  } catch (cause) {
    if (isOutage(cause)) throw cause
    throw new Error(`plan version ${version} is gone, or is no plan any more`, { cause })
  }
}

async function recompute(db: Db, run: Run): Promise<Omit<Replay, 'runId' | 'kind' | 'period' | 'state'>> {
  await planThere(db, run.plan_version)
  const stored = await selectStored(db, run.id)
  const recomputed =
    run.kind === 'passive' ? await replayDay(db, run, stored) : await replayCommissions(db, run, stored)
  const itemsOnly = run.input_hash === null
  compareFigures(run, stored, recomputed)
  const inputs = itemsOnly ? [] : differingInputs(run, recomputed)
  const { count, first } = recomputed.found
  return {
    count: recomputed.figures.count,
    sum: micro(recomputed.figures.sum),
    verdict: inputs.length + count === 0 ? 'matches' : 'differs',
    itemsOnly,
    inputs,
    differences: first,
    more: count - first.length,
  }
}

const NOTHING = { count: 0, sum: micro(0n), itemsOnly: false, inputs: [], differences: [], more: 0 } as const

/** A replay in the caller's transaction, which sees one moment of everything; undefined where there is no such run. */
export async function replayWithin(tx: Db, runId: bigint): Promise<Replay | undefined> {
  await takeTime(tx)
  const run = await selectRun(tx, runId)
  if (run === undefined) return undefined
  const { kind, period, state } = run
  const told = { runId, kind, period, state }
  if (state === 'computing') return { ...told, ...NOTHING, verdict: 'unsealed' }
  try {
    return { ...told, ...(await recompute(tx, run)) }
  } catch (error) {
    if (isOutage(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { ...told, ...NOTHING, verdict: 'differs', inputs: [`it cannot be computed any more: ${reason}`] }
  }
}

/** Computes a sealed run again, changing nothing, and compares it with what was sealed. */
export function replayRun(db: Database, runId: bigint): Promise<Replay | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => replayWithin(tx, runId))
}

/** The numbers of all runs, in order. */
export const runIds = selectRunIds

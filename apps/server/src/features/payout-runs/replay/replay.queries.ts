/**
 * Replaying a run: the same functions compute it again from closed history, and the result is compared with what was
 * sealed. Nothing is written. Later history makes no difference; every difference is named.
 */
import { createHash } from 'node:crypto'
import { type Database, type Db, isOutage } from '@aval/db'
import { formatAmount, type Micro, micro } from '@aval/money'
import { z } from 'zod'
import { selectNetworkSize } from '../../../core/network.sql.ts'
import { inSnapshot } from '../../../core/query.sql.ts'
import { planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import {
  atPlanRate,
  type Computed,
  type ComputedMatch,
  computeBinary,
  computeBlocks,
  computeDirect,
  passiveSections,
  rateText,
  termsOf,
} from '../calculate/calculate.commands.ts'
import { type InputHashes, inputHash } from '../pay/pay.commands.ts'
import { BLOCK, type Carried, type RunKind, type RunState } from '../runs/runs.rules.ts'
import { type Run, selectRun } from '../runs/runs.sql.ts'
import {
  CARRY,
  type CarryItem,
  comparison,
  type Difference,
  Differences,
  type Figures,
  figuresOf,
  ITEMS,
  MISSED,
  PASSIVE,
  type PassiveItem,
} from './replay.rules.ts'
import * as store from './replay.sql.ts'
import { sealing } from './sealing.rules.ts'

/** A run computed again, and where its rows differ from those that were sealed. */
interface Recomputed {
  readonly figures: Figures
  readonly comparable: bigint | null
  readonly rate: string | null
  readonly seal: string
  readonly sections: InputHashes
  readonly found: Differences
}

/** Blocks in memory at a time: some thirty thousand members. */
const GROUP = 32

type Page = Awaited<ReturnType<typeof computeBlocks>>[number] & { readonly hash: string }

const itemsOf = ({ members, bases, amounts, earned }: Page): PassiveItem[] =>
  members.map((memberId, at) => ({
    memberId,
    basis: bases[at] ?? 0n,
    amount: amounts[at] ?? 0n,
    earned: earned?.[at] ?? null,
  }))

async function comparePages(db: Db, runId: bigint, from: number, pages: readonly Page[], found: Differences) {
  const sealed = new Map(
    (await store.selectPageHeads(db, runId, from, from + GROUP)).map((row) => [row.block, row]),
  )
  const computed = new Map(pages.map((page) => [page.block, page]))
  for (const block of [...new Set([...sealed.keys(), ...computed.keys()])].sort((a, b) => a - b)) {
    const [head, page] = [sealed.get(block), computed.get(block)]
    if (head === undefined || page === undefined || head.real !== page.hash) {
      const compared = comparison(PASSIVE, page === undefined ? [] : itemsOf(page), found)
      compared.take(head === undefined ? [] : await store.selectPageItems(db, runId, block))
      compared.end()
      continue
    }
    const compare = (field: string, was: string, is: string) =>
      found.compare({ memberId: null, of: `page ${block}`, field }, was, is)
    compare('item_count', String(head.item_count), String(page.members.length))
    compare('item_sum', formatAmount(head.item_sum), formatAmount(page.sum))
    compare('hash', head.hash, page.hash)
  }
}

async function compareAll<Row extends { readonly memberId: bigint }>(
  shape: Parameters<typeof comparison<Row>>[0],
  sealed: AsyncIterable<readonly Row[]>,
  recomputed: readonly Row[],
  found: Differences,
): Promise<void> {
  const compared = comparison(shape, recomputed, found)
  for await (const rows of sealed) compared.take(rows)
  compared.end()
}

/** How many of how many groups of blocks are computed. */
export type OnProgress = (done: number, total: number) => Promise<void>

/** A day of passive profit, a group of blocks at a time: ten million members fit. */
async function replayDay(
  db: Db,
  run: Run,
  stored: store.Stored,
  onProgress?: OnProgress,
): Promise<Recomputed> {
  const terms = await termsOf(db, run, run.declared_id)
  const found = new Differences()
  const writing = sealing(() => createHash('sha256'))
  const figures = { count: 0, sum: 0n, largest: 0n, notPaid: 0n }
  const blocks = Math.max(Math.ceil((await selectNetworkSize(db)) / BLOCK), stored.blocks)
  for (let from = 0; from < blocks; from += GROUP) {
    const pages = (await computeBlocks(db, run, terms, from, GROUP)).map((page) => ({
      ...page,
      hash: writing.page(page),
    }))
    const missed = pages.flatMap((page) => page.missed)
    for (const page of pages) {
      figures.count += page.members.length
      figures.sum += page.sum
      if (page.largest > figures.largest) figures.largest = page.largest
    }
    for (const row of missed) {
      writing.missed(row)
      figures.notPaid += row.amount
    }
    await comparePages(db, run.id, from, pages, found)
    const span = { from: from * BLOCK, to: (from + GROUP) * BLOCK }
    await compareAll(MISSED, store.eachMissed(db, run.id, span), missed, found)
    await onProgress?.(from / GROUP + 1, Math.ceil(blocks / GROUP))
  }
  return {
    figures,
    comparable: atPlanRate(terms, figures.sum),
    rate: rateText(terms.rate),
    seal: writing.seal(),
    sections: passiveSections(terms, writing.principals()),
    found,
  }
}

const isCarried = ({ left, right, events }: CarryItem) => left !== 0n || right !== 0n || events !== 0

function carryItems({ left, right, events }: Carried, block: number): CarryItem[] {
  return Array.from({ length: BLOCK }, (_, index) => {
    const id = block * BLOCK + index
    return { memberId: BigInt(id), left: left[id] ?? 0n, right: right[id] ?? 0n, events: events[id] ?? 0 }
  })
}

async function compareCarry(db: Db, runId: bigint, { carry, blocks }: ComputedMatch, found: Differences) {
  const sealed = await store.selectCarryBlocks(db, runId)
  for (const block of [...new Set([...sealed, ...blocks])].sort((a, b) => a - b)) {
    const [was, is] = [sealed.includes(block), blocks.includes(block)]
    // Of a block that only one side has, only what is not zero.
    const rows = is ? carryItems(carry, block).filter((row) => was || isCarried(row)) : []
    const compared = comparison(CARRY, rows, found)
    if (was)
      compared.take((await store.selectCarryItems(db, runId, block)).filter((row) => is || isCarried(row)))
    compared.end()
  }
}

function sealOf(computed: Computed, match: ComputedMatch | null): string {
  const writing = sealing(() => createHash('sha256'))
  for (const item of computed.items) writing.item(item)
  for (const row of computed.missed) writing.missed(row)
  if (match !== null) for (const block of match.blocks) writing.carry(match.carry, block)
  return writing.seal()
}

/** The commissions of a batch of investments, or the match of a day. */
async function replayCommissions(db: Db, run: Run, stored: store.Stored): Promise<Recomputed> {
  const { plan } = await planOfVersion(db, run.plan_version)
  const match = run.kind === 'binary' ? await computeBinary(db, run, plan.timeZone) : null
  const computed = match ?? (await computeDirect(db, run))
  const found = new Differences()
  const seal = sealOf(computed, match)
  if (seal !== stored.seal) {
    await compareAll(ITEMS, store.eachItems(db, run.id), computed.items, found)
    await compareAll(MISSED, store.eachMissed(db, run.id), computed.missed, found)
    if (match !== null) await compareCarry(db, run.id, match, found)
  }
  const figures = figuresOf(computed.items, computed.missed)
  return {
    figures,
    comparable: match === null ? null : figures.sum,
    rate: null,
    seal,
    sections: computed.sections,
    found,
  }
}

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
function compareFigures(run: Run, recomputed: Recomputed): void {
  const { found, figures } = recomputed
  const compare = (field: string, sealed: string | null, is: string | null) =>
    found.compare({ memberId: null, of: 'run', field }, sealed, is)
  found.settle()
  compare('item_count', String(run.item_count), String(figures.count))
  compare('item_sum', formatAmount(run.item_sum), formatAmount(figures.sum))
  compare('item_largest', formatAmount(run.item_largest), formatAmount(figures.largest))
  compare('not_paid', formatAmount(run.not_paid), formatAmount(figures.notPaid))
  compare('rate', run.rate, recomputed.rate)
  const compared = (value: bigint | null) => (value === null ? null : formatAmount(value))
  if (run.input_hash !== null)
    compare('comparable', compared(run.comparable), compared(recomputed.comparable))
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

async function recompute(
  db: Db,
  run: Run,
  onProgress?: OnProgress,
): Promise<Omit<Replay, 'runId' | 'kind' | 'period' | 'state'>> {
  await planThere(db, run.plan_version)
  const stored = await store.selectStored(db, run.id)
  const recomputed =
    run.kind === 'passive'
      ? await replayDay(db, run, stored, onProgress)
      : await replayCommissions(db, run, stored)
  const itemsOnly = run.input_hash === null
  compareFigures(run, recomputed)
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
export async function replayWithin(
  tx: Db,
  runId: bigint,
  onProgress?: OnProgress,
): Promise<Replay | undefined> {
  const run = await selectRun(tx, runId)
  if (run === undefined) return undefined
  const { kind, period, state } = run
  const head = { runId, kind, period, state }
  if (state === 'computing') return { ...head, ...NOTHING, verdict: 'unsealed' }
  try {
    return { ...head, ...(await recompute(tx, run, onProgress)) }
  } catch (error) {
    if (isOutage(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { ...head, ...NOTHING, verdict: 'differs', inputs: [`it cannot be computed any more: ${reason}`] }
  }
}

/**
 * Computes a sealed run again, changing nothing, and compares it with what was sealed.
 *
 * @param onProgress hears of it outside of the moment that is read
 */
export function replayRun(db: Database, runId: bigint, onProgress?: OnProgress): Promise<Replay | undefined> {
  return inSnapshot(db, (tx) => replayWithin(tx, runId, onProgress))
}

/** The numbers of all runs, in order. */
export const runIds = store.selectRunIds

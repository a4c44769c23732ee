/** The rows of a run, computed again and compared with those that were sealed. */
import { createHash } from 'node:crypto'
import type { Db } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
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
} from '../calculate/calculate.queries.ts'
import { selectNetworkSize } from '../calculate/calculate.sql.ts'
import { BLOCK } from '../runs/runs.rules.ts'
import type { Run } from '../runs/runs.sql.ts'
import type { InputHashes } from '../seal/seal.commands.ts'
import { type Carried, sealing } from '../seal/seal.rules.ts'
import {
  CARRY,
  type CarryItem,
  comparison,
  Differences,
  type Figures,
  figuresOf,
  ITEMS,
  MISSED,
  PASSIVE,
  type PassiveItem,
} from './replay.rules.ts'
import {
  eachItems,
  eachMissed,
  type Stored,
  selectCarryBlocks,
  selectCarryItems,
  selectPageHeads,
  selectPageItems,
} from './replay.sql.ts'

/** A run computed again, and where its rows differ from those that were sealed. */
export interface Recomputed {
  readonly figures: Figures
  readonly comparable: bigint
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

async function comparePages(
  db: Db,
  runId: bigint,
  from: number,
  pages: readonly Page[],
  found: Differences,
): Promise<void> {
  const sealed = new Map(
    (await selectPageHeads(db, runId, from, from + GROUP)).map((row) => [row.block, row]),
  )
  const computed = new Map(pages.map((page) => [page.block, page]))
  for (const block of [...new Set([...sealed.keys(), ...computed.keys()])].sort((a, b) => a - b)) {
    const [head, page] = [sealed.get(block), computed.get(block)]
    if (head === undefined || page === undefined || head.real !== page.hash) {
      const compared = comparison(PASSIVE, page === undefined ? [] : itemsOf(page), found)
      compared.take(head === undefined ? [] : await selectPageItems(db, runId, block))
      compared.end()
      continue
    }
    const compare = (field: string, was: string, is: string) =>
      found.compare({ memberId: null, of: `page ${block}`, field }, was, is)
    compare('item_count', String(head.item_count), String(page.members.length))
    compare('item_sum', formatMicro(micro(head.item_sum)), formatMicro(micro(page.sum)))
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

/** A day of passive profit, a group of blocks at a time: ten million members fit. */
export async function replayDay(db: Db, run: Run, stored: Stored): Promise<Recomputed> {
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
    await compareAll(MISSED, eachMissed(db, run.id, span), missed, found)
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

async function compareCarry(
  db: Db,
  runId: bigint,
  { carry, blocks }: ComputedMatch,
  found: Differences,
): Promise<void> {
  const sealed = await selectCarryBlocks(db, runId)
  for (const block of [...new Set([...sealed, ...blocks])].sort((a, b) => a - b)) {
    const [was, is] = [sealed.includes(block), blocks.includes(block)]
    // Of a block that only one side has, only what is not zero.
    const rows = is ? carryItems(carry, block).filter((row) => was || isCarried(row)) : []
    const compared = comparison(CARRY, rows, found)
    if (was) compared.take((await selectCarryItems(db, runId, block)).filter((row) => is || isCarried(row)))
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
export async function replayCommissions(db: Db, run: Run, stored: Stored): Promise<Recomputed> {
  const { plan } = await planOfVersion(db, run.plan_version)
  const match = run.kind === 'binary' ? await computeBinary(db, run, plan.timeZone) : null
  const computed = match ?? (await computeDirect(db, run))
  const found = new Differences()
  const seal = sealOf(computed, match)
  if (seal !== stored.seal) {
    await compareAll(ITEMS, eachItems(db, run.id), computed.items, found)
    await compareAll(MISSED, eachMissed(db, run.id), computed.missed, found)
    if (match !== null) await compareCarry(db, run.id, match, found)
  }
  const figures = figuresOf(computed.items, computed.missed)
  return {
    figures,
    comparable: match === null ? 0n : figures.sum,
    rate: null,
    seal,
    sections: computed.sections,
    found,
  }
}

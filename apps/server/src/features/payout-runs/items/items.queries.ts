/** The items of a sealed run for operators, a page at a time, and the run in figures. */
import type { RunItemView } from '@aval/contract'
import type { Db } from '@aval/db'
import { z } from 'zod'
import { Refusal } from '../../../core/refusal.ts'
import { guardedBalance } from '../../../ledger/ledger.queries.ts'
import { FUNDING } from '../runs/runs.rules.ts'
import * as store from './items.sql.ts'

export type SealedRun = store.ReadRun
export type FoundItem = store.StoredItem

const counted = z.tuple([z.int(), z.string().transform(BigInt)])
const named = z.tuple([z.string(), z.int(), z.string().transform(BigInt)])
const members = z.array(z.int().transform(BigInt))

/** What `digestOf` writes. */
const figuresSchema = z.object({
  rules: z.array(
    z.tuple([
      z.enum(['passive', 'direct', 'master', 'binary']),
      z.int().nullable(),
      z.int(),
      z.string().transform(BigInt),
      z.string().transform(BigInt),
    ]),
  ),
  /** Of passive profit: the class by principal, how many members, their principal. */
  classes: z.array(z.tuple([z.int(), z.int(), z.string().transform(BigInt)])),
  missed: z.array(named),
  largest: z.array(z.tuple([z.int().transform(BigInt), z.int()])),
  changes: members,
  fresh: members,
  gone: members,
  fresh_sum: counted,
  gone_sum: counted,
  gone_reasons: z.array(named),
  raised: z.int(),
  lowered: z.int(),
})
export type Figures = z.output<typeof figuresSchema>

export interface Digest {
  readonly figures: Figures
  /** The run it is compared with. */
  readonly before: store.ReadRun | undefined
}

/** A run in figures; null where a job has yet to make them, because it takes too long for a page. */
export async function digestFor(db: Db, run: store.ReadRun): Promise<Digest | null> {
  const made = await store.selectDigest(db, run.id)
  if (made !== undefined)
    return {
      figures: figuresSchema.parse(made.figures),
      before: await store.selectReadRun(db, made.before_id),
    }
  const before = await store.selectBefore(db, run)
  if (Math.max(run.item_count, before?.item_count ?? 0) > store.MOST_AT_ONCE) return null
  return makeDigest(db, run)
}

async function makeDigest(db: Db, run: store.ReadRun): Promise<Digest> {
  const before = await store.selectBefore(db, run)
  return { figures: figuresSchema.parse(JSON.parse(await store.digestOf(db, run, before))), before }
}

/** @throws Refusal when there is no such run, or it is not sealed yet. */
export async function sealedRun(db: Db, id: bigint | null): Promise<store.ReadRun> {
  const run = await store.selectReadRun(db, id)
  if (run === undefined) throw new Refusal('run_not_found')
  return run
}

const PAGE = 50
/** Members that a search looks at. */
const MOST_NAMED = 50

interface Wanted {
  readonly view: RunItemView
  readonly member: string
  readonly after: string | null
}

export interface ItemsPage {
  readonly ready: boolean
  readonly rows: readonly store.StoredItem[]
  readonly next: string | null
}

const NOT_READY: ItemsPage = { ready: false, rows: [], next: null }

/** Before every item. */
const FIRST: store.ItemKey = { member_id: 0n, leg: -1 }

function keyOf(after: string | null): store.ItemKey {
  const [member = '0', leg = '-1'] = (after ?? '0').split('-')
  return { member_id: BigInt(member), leg: after?.includes('-') ? Number(leg) : -1 }
}

/** Rows of one more than a page, and where the next begins. */
function paged<Row extends store.ItemKey>(
  rows: readonly Row[],
): { rows: readonly Row[]; next: string | null } {
  const page = rows.slice(0, PAGE)
  const last = rows.length > PAGE ? page.at(-1) : undefined
  return { rows: page, next: last === undefined ? null : `${last.member_id}-${last.leg}` }
}

/** The keys of one of the digest's lists. */
function keysIn({ figures }: Digest, view: RunItemView): readonly store.ItemKey[] {
  return view === 'largest'
    ? figures.largest.map(([member_id, leg]) => ({ member_id, leg }))
    : figures[view as 'changes' | 'fresh' | 'gone'].map((member_id) => ({ member_id, leg: 0 }))
}

const selectListed = (
  db: Db,
  run: store.ReadRun,
  { before }: Digest,
  view: RunItemView,
  keys: readonly store.ItemKey[],
) => (view === 'gone' ? store.selectGone : store.selectItems)(db, run, before?.id ?? null, keys)

/** Those of the digest's lists, by their place. */
async function listed(
  db: Db,
  run: store.ReadRun,
  view: RunItemView,
  after: string | null,
): Promise<ItemsPage> {
  const digest = await digestFor(db, run)
  if (digest === null) return NOT_READY
  const all = keysIn(digest, view)
  const from = Number(after ?? 0)
  const keys = all.slice(from, from + PAGE)
  const rows = keys.length === 0 ? [] : await selectListed(db, run, digest, view, keys)
  return { ready: true, rows, next: from + PAGE < all.length ? String(from + PAGE) : null }
}

/** A page of a run's items. @throws Refusal when there is no such run, or it is not sealed yet. */
export async function itemsOf(
  db: Db,
  runId: bigint | null,
  { view, member, after }: Wanted,
): Promise<ItemsPage> {
  const run = await sealedRun(db, runId)
  const isSearch = member.trim() !== ''
  if (!isSearch && view !== 'items' && view !== 'missed') return listed(db, run, view, after)
  const members = isSearch ? await store.selectNamed(db, member, MOST_NAMED) : null
  const from = keyOf(after)
  if (view === 'missed')
    return { ready: true, ...paged(await store.selectMissed(db, run, members, from, PAGE + 1)) }
  const keys =
    members === null
      ? await store.selectKeys(db, run, from, PAGE + 1)
      : await store.selectKeysOf(db, run, members, from, PAGE + 1)
  const { rows, next } = paged(keys)
  const before = await store.selectBefore(db, run)
  return {
    ready: true,
    rows: rows.length === 0 ? [] : await store.selectItems(db, run, before?.id ?? null, rows),
    next,
  }
}

/** A run's items as one list, for who reads all of it. */
export interface WholeItems {
  readonly run: store.ReadRun
  readonly prorata: Awaited<ReturnType<typeof prorataNow>>
  readonly count: number
  /** @param after the last of the piece before; null for the first */
  readonly read: (after: store.ItemKey | null, limit: number) => Promise<readonly store.StoredItem[]>
}

/** How many there are, and how a piece is read. */
type Pieces = Pick<WholeItems, 'count' | 'read'>

async function wholeList(db: Db, run: store.ReadRun, view: RunItemView): Promise<Pieces> {
  // Who saves a file waits for the seconds that a digest takes; a page does not.
  const digest = (await digestFor(db, run)) ?? (await makeDigest(db, run))
  const keys = keysIn(digest, view)
  // A thousand at most: one piece has them all.
  const read: WholeItems['read'] = async (after) =>
    after === null && keys.length > 0 ? selectListed(db, run, digest, view, keys) : []
  return { count: keys.length, read }
}

async function wholeOfMembers(
  db: Db,
  run: store.ReadRun,
  view: RunItemView,
  members: readonly bigint[] | null,
): Promise<Pieces> {
  if (view === 'missed')
    return {
      count: await store.countMissed(db, run, members),
      read: (after, limit) => store.selectMissed(db, run, members, after ?? FIRST, limit),
    }
  const before = await store.selectBefore(db, run)
  const read: WholeItems['read'] = async (after, limit) => {
    const from = after ?? FIRST
    const keys =
      members === null
        ? await store.selectKeys(db, run, from, limit)
        : await store.selectKeysOf(db, run, members, from, limit)
    return keys.length === 0 ? [] : store.selectItems(db, run, before?.id ?? null, keys)
  }
  return { count: members?.length ?? run.item_count, read }
}

/** @throws Refusal when there is no such run, or it is not sealed yet. */
export async function wholeItems(
  db: Db,
  runId: bigint | null,
  { view, member }: Omit<Wanted, 'after'>,
): Promise<WholeItems> {
  const run = await sealedRun(db, runId)
  const isSearch = member.trim() !== ''
  const pieces =
    !isSearch && view !== 'items' && view !== 'missed'
      ? await wholeList(db, run, view)
      : await wholeOfMembers(db, run, view, isSearch ? await store.selectNamed(db, member, MOST_NAMED) : null)
  return { run, prorata: await prorataNow(db, runId), ...pieces }
}

/** What a pro rata release would pay now of each item: the part of its pool, of a run that waits for it. Null where it waits for none. */
export async function prorataNow(
  db: Db,
  runId: bigint | null,
): Promise<{ available: bigint; sum: bigint } | null> {
  const run = await sealedRun(db, runId)
  if (run.state !== 'held' || run.item_sum === 0n) return null
  const available = await guardedBalance(db, FUNDING[run.kind].pool)
  return available < run.item_sum ? { available, sum: run.item_sum } : null
}

/** Digests made at a time; the next go on a moment later. */
const MOST_DIGESTS = 20

/** Makes what is missing. */
export async function makeDigests(db: Db): Promise<void> {
  for (const run of await store.selectUndigested(db, MOST_DIGESTS)) {
    const before = await store.selectBefore(db, run)
    await store.insertDigest(db, run.id, before?.id ?? null, await store.digestOf(db, run, before))
  }
}

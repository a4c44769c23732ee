/** Computing a run from its closed inputs, up to its seal. The same inputs give the same items at any time. */
import { createHash } from 'node:crypto'
import { type Database, type Db, inTransaction, type Tx } from '@aval/db'
import { countBelow } from '@aval/genealogy'
import type { Ratio } from '@aval/money'
import { type DayTerms, dailyRate, isDay, type Plan, termsOfDay, type Upline } from '@aval/plan'
import { readPlacements, readPrincipals, readSponsors, selectNetworkSize } from '../../../core/network.sql.ts'
import { planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import { hashOf, type InputHashes, jsonOf, lines, writeBlocks, writeItems } from '../pay/pay.commands.ts'
import { withPermit } from '../runs/concurrency.ts'
import { dayBegins, setState } from '../runs/runs.commands.ts'
import {
  BLOCK,
  type Carried,
  type Item,
  type Missed,
  type PassiveBlock,
  type RunState,
  UNFINISHED,
} from '../runs/runs.rules.ts'
import { lockRun, type Run, selectEarlierCutoff, someEarlier, someUncertain } from '../runs/runs.sql.ts'
import * as store from './calculate.sql.ts'
import { climber, commissions, type Invested, matchDay, type Network, passiveBlock } from './engine.rules.ts'

/**
 * A plan by what it says of payouts, whatever the order in which its document was written. Terms of withdrawals and how often the
 * balance may be invested decide no payout, and runs from before these rules keep their hash.
 */
function planHash(plan: Plan): string {
  const investment = { ...plan.investment, balanceADay: undefined }
  const deciding = { ...plan, investment, withdrawals: undefined }
  return hashOf(jsonOf(deciding))
}

export interface Terms extends DayTerms {
  readonly plan: Plan
  readonly declaredId: bigint | null
}

/** What a passive run pays by. `declaredId` fixes the declaration; undefined takes the last one. */
export async function termsOf(db: Db, run: Run, declaredId?: bigint | null): Promise<Terms> {
  const { plan } = await planOfVersion(db, run.plan_version)
  if (!isDay(run.period)) throw new Error(`run ${run.id} has no day for a period`)
  const declared = declaredId === undefined ? await store.selectDeclared(db, run.period) : undefined
  const id = declaredId === undefined ? (declared?.id ?? null) : declaredId
  const percentage = declared?.percentage ?? (id === null ? null : await store.selectDeclaredById(db, id))
  return { ...termsOfDay(plan, run.period, percentage), plan, declaredId: id }
}

export const rateText = (rate: Ratio): string => `${rate.numerator}/${rate.denominator}`

/** What the sum would be at the plan's own rate; null where the day pays nothing and so compares with nothing. */
export function atPlanRate(terms: Terms, sum: bigint): bigint | null {
  const { rate } = terms
  if (rate.numerator === 0n) return null
  const target = dailyRate(terms.plan)
  return (sum * target.numerator * rate.denominator) / (target.denominator * rate.numerator)
}

/** One block of a passive run. Empty where the day pays nothing. */
export async function computeBlocks(
  db: Db,
  run: Run,
  terms: Terms,
  from: number,
  count: number,
): Promise<(PassiveBlock & { readonly block: number })[]> {
  if (terms.rate.numerator === 0n) return []
  const { members, principals } = await store.selectPrincipals(
    db,
    { before: run.cutoff_at },
    from * BLOCK,
    (from + count) * BLOCK - 1,
  )
  const capped = terms.capMultiple !== null
  const earned = capped
    ? await store.selectPassiveEarned(db, { period: run.period, cutoff: run.cutoff_at }, members)
    : null
  const blocks: (PassiveBlock & { block: number })[] = []
  let start = 0
  while (start < members.length) {
    const block = Number((members[start] ?? 0n) / BigInt(BLOCK))
    let end = start
    while (end < members.length && (members[end] ?? 0n) < BigInt((block + 1) * BLOCK)) end += 1
    const slice = <Value>(values: readonly Value[]) => values.slice(start, end)
    const computed = passiveBlock(
      terms,
      slice(members),
      slice(principals),
      earned === null ? null : slice(earned),
    )
    if (computed.members.length > 0) blocks.push({ ...computed, block })
    start = end
  }
  return blocks
}

/** The sections that a passive run's seal adds the principals to. */
export function passiveSections(terms: Terms, principals: string): InputHashes {
  return { plan: planHash(terms.plan), rate: hashOf(rateText(terms.rate)), principals }
}

export interface Computed {
  readonly items: Item[]
  readonly missed: Missed[]
  readonly sections: InputHashes
}

/** From how many investments on the whole network is read at once instead of one chain an investment. */
const MANY = 200

async function uplinesOneByOne(db: Db, plan: Plan, batch: readonly Invested[], asOf: bigint) {
  const { levels, compression } = plan.direct
  const investors = [...new Set(batch.map(({ memberId }) => memberId))]
  const chains = new Map<bigint, Awaited<ReturnType<typeof store.selectUplines>>>()
  for (const memberId of investors)
    chains.set(memberId, await store.selectUplines(db, memberId, compression ? null : levels.length, asOf))
  return (memberId: bigint) => chains.get(memberId) ?? []
}

/** Chains are followed over the whole network in memory; who on them is active is then asked for those alone. */
async function uplinesAtOnce(db: Db, plan: Plan, batch: readonly Invested[], asOf: bigint) {
  const size = await selectNetworkSize(db)
  const network = await readSponsors(db, size, asOf)
  const extra = await store.selectExtraPercents(db, asOf)
  // Compression needs to know on the way who is active: the principal of all members.
  const principals = plan.direct.compression ? await readPrincipals(db, size, { asOf }) : null
  const climb = climber(plan, network, (id) => principals === null || (principals[id] ?? 0n) > 0n, extra)
  const chains = new Map(batch.map(({ memberId }) => [memberId, climb(memberId)]))
  if (principals !== null) return (memberId: bigint) => chains.get(memberId) ?? []
  const payees = new Set([...chains.values()].flatMap((chain) => chain.map(({ memberId }) => memberId)))
  const active = await store.selectActive(db, [...payees], asOf)
  return (memberId: bigint) =>
    (chains.get(memberId) ?? []).map((step) => ({ ...step, active: active.has(step.memberId) }))
}

/** What a plan pays on some investments, by who is active and a master as of a number of history; and the chains it looked at. */
export async function commissionsOf(
  db: Db,
  plan: Plan,
  batch: readonly Invested[],
  asOf: bigint,
  many = MANY,
) {
  const uplinesOf =
    batch.length < many
      ? await uplinesOneByOne(db, plan, batch, asOf)
      : await uplinesAtOnce(db, plan, batch, asOf)
  return { ...commissions(plan, batch, uplinesOf), uplinesOf }
}

/** The commissions of a batch of investments. `many` is for tests: both ways to read the network come to the same. */
export async function computeDirect(db: Db, run: Run, many = MANY): Promise<Computed> {
  const { plan } = await planOfVersion(db, run.plan_version)
  const { first_investment: first, last_investment: last, as_of: asOf } = run
  if (first === null || last === null || asOf === null) throw new Error(`run ${run.id} covers no investments`)
  const batch = await store.selectBatch(db, first, last)
  const { items, missed, uplinesOf } = await commissionsOf(db, plan, batch, asOf, many)
  const chains = createHash('sha256')
  for (const { id, memberId } of batch) {
    for (const step of paying(plan, uplinesOf(memberId)))
      chains.update(
        `${id}|${step.memberId}|${step.level}|${step.active}|${step.extraPercent}|${step.masterLink}\n`,
      )
  }
  const sections = {
    plan: planHash(plan),
    investments: hashOf(lines(batch.map((made) => [made.id, made.memberId, made.amount]))),
    uplines: chains.digest('hex'),
  }
  return { items, missed, sections }
}

/** The steps of a chain that decide anything, so that a chain read whole and one read in jumps hash alike. */
function paying(plan: Plan, chain: readonly Upline[]): readonly Upline[] {
  const flat = plan.direct.levels.length
  if (!plan.direct.compression) return chain.filter((step) => step.level <= flat || step.masterLink)
  let active = 0
  const filled = chain.findIndex((step) => (step.active ? ++active : active) === flat)
  const lastMaster = chain.findLastIndex((step) => step.masterLink)
  return filled === -1 ? chain : chain.slice(0, Math.max(filled, lastMaster) + 1)
}

export interface ComputedMatch extends Computed {
  readonly carry: Carried
  /** Blocks of the carry that the day changed, in order. */
  readonly blocks: readonly number[]
}

function changedBlocks(changed: Uint8Array): number[] {
  const blocks: number[] = []
  for (let start = 0; start < changed.length; start += BLOCK)
    if (changed.subarray(start, start + BLOCK).includes(1)) blocks.push(start / BLOCK)
  return blocks
}

/**
 * The span whose movements a match counts: from where the day before ended, also where a new plan moved midnight, so that
 * nothing counts twice and nothing never.
 */
export async function matchSpan(db: Db, run: Run, timeZone: string): Promise<{ from: Date; until: Date }> {
  const before = await selectEarlierCutoff(db, 'binary', run.period)
  return { from: before ?? dayBegins(run, timeZone), until: run.cutoff_at }
}

/** Everything that a day's match is computed from but the plan. */
export async function readMatch(db: Db, run: Run, timeZone: string): Promise<Omit<DayInputs, 'plan'>> {
  const size = await selectNetworkSize(db)
  const { from, until } = await matchSpan(db, run, timeZone)
  // Closed history does not change between one query and the next, so each may have a connection of its own.
  const [movements, sponsors, places, principals, carry] = await Promise.all([
    store.selectMovements(db, from, until),
    withPermit(() => readSponsors(db, size, null)),
    withPermit(() => readPlacements(db, size)),
    withPermit(() => readPrincipals(db, size, { before: run.cutoff_at })),
    withPermit(() => store.readCarry(db, size, run.period)),
  ])
  return { network: { ...sponsors, ...places }, principals, movements, carry }
}

/** The match of a day, and what it carries out. */
export async function computeBinary(db: Db, run: Run, timeZone: string): Promise<ComputedMatch> {
  const { plan } = await planOfVersion(db, run.plan_version)
  const inputs = await readMatch(db, run, timeZone)
  // It takes a core for some tenths of a second at a million members.
  return withPermit(() => computeMatch({ plan, ...inputs }))
}

type DayInputs = Omit<Parameters<typeof matchDay>[0], 'left' | 'right'> & { readonly carry: Carried }

function computeMatch({ plan, network, principals, movements, carry }: DayInputs): ComputedMatch {
  const sections = {
    plan: planHash(plan),
    movements: hashOf(lines(movements.map(({ memberId, amount }) => [memberId, amount]))),
    principals: hashOf(trimmed(principals)),
    carry: hashOf(trimmed(carry.left), trimmed(carry.right)),
    places: hashOf(...placesOf(network, principals, carry, movements)),
  }
  const { left, right, events } = carry
  const size = principals.length
  const matched = matchDay({
    plan,
    network,
    principals,
    movements,
    left: left.subarray(0, size),
    right: right.subarray(0, size),
  })
  const own = new Int32Array(size)
  for (const { memberId, amount } of movements)
    if (amount > 0n) own[Number(memberId)] = (own[Number(memberId)] ?? 0) + 1
  for (const [id, count] of countBelow(network.parent, own).entries())
    if (count !== 0) events[id] = (events[id] ?? 0) + count
  return {
    items: matched.items,
    missed: matched.missed,
    sections,
    carry,
    blocks: changedBlocks(matched.changed),
  }
}

/**
 * The network as far as it matters to a match: members who joined later have no principal, no points and no downline, so that a
 * network that has grown since hashes as it did.
 */
function placesOf(
  { sponsor, parent, leg }: Network,
  principals: BigInt64Array,
  carry: Carried,
  movements: readonly { readonly memberId: bigint }[],
): NodeJS.ArrayBufferView[] {
  const moved = movements.reduce((top, { memberId }) => Math.max(top, Number(memberId) + 1), 0)
  const end = Math.max(
    moved,
    trimmed(principals).length,
    trimmed(carry.left).length,
    trimmed(carry.right).length,
  )
  return [sponsor.subarray(0, end), parent.subarray(0, end), leg.subarray(0, end)]
}

function trimmed(values: BigInt64Array): BigInt64Array {
  let end = values.length
  while (end > 0 && values[end - 1] === 0n) end -= 1
  return values.subarray(0, end)
}

/** Blocks a transaction of computing: some thirty thousand members, a tenth of a second. */
const BLOCKS_A_STEP = 32

/** A run waits when it computes from what another run has to finish first. */
export type Step = RunState | 'waiting'

/** The rate and the network that the first step found hold to the end: a day is never paid by two. */
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
 * Computes a passive run block by block. While some blocks are written the next are read, on another connection: the inputs
 * are closed, so it does not matter when they are read.
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
    // Its failure is handled where it is awaited, which may be after the next write.
    blocks.catch(() => undefined)
    return blocks
  }
  let next = read(Number(run.computed_through))
  for (let from = Number(run.computed_through); ; from += BLOCKS_A_STEP) {
    const blocks = await next
    const through = Math.min(from + BLOCKS_A_STEP, last)
    const isLast = through === last
    if (!isLast) next = read(through)
    const state = await writeBlocks(db, runId, {
      blocks,
      from,
      through,
      isLast,
      sections: ({ principals }) => passiveSections(terms, principals),
    })
    if (state !== 'computing') return state ?? 'computing'
  }
}

/** Computes a run that is `computing` and seals it, or as much of it as can be done now. */
export async function computeRun(db: Database, run: Run): Promise<Step> {
  if (run.kind === 'passive') return computePassive(db, run)
  if (run.kind === 'direct') return writeItems(db, run.id, await computeDirect(db, run))
  // A day carries in what the day before carries out, and that has to be certain.
  if (await someUncertain(db, 'binary', run.period)) return 'waiting'
  const { plan } = await planOfVersion(db, run.plan_version)
  return writeItems(db, run.id, await computeBinary(db, run, plan.timeZone))
}

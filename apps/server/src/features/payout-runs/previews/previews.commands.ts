/**
 * What a plan would have paid instead of the one in force, computed by the engine that pays: passive profit of the last closed day, the
 * commissions of thirty days of investments, the match of the last closed day. Nothing of it is written to a run or to the ledger.
 */
import { createHash } from 'node:crypto'
import type { PlanPreviewResult } from '@aval/contract'
import { type Database, type Db, isOutage, type Tx } from '@aval/db'
import { formatAmount } from '@aval/money'
import { dayAt, isDay, type Plan, parsePlan, termsOfDay } from '@aval/plan'
import { enqueue } from '../../../core/jobs.sql.ts'
import { selectNetworkSize } from '../../../core/network.sql.ts'
import { inSnapshot } from '../../../core/query.sql.ts'
import { guardedBalance } from '../../../ledger/ledger.queries.ts'
import { checkedPlan } from '../../plan-versions/plan-versions.commands.ts'
import { planAt, planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import { commissionsOf, readMatch } from '../calculate/calculate.commands.ts'
import { selectBatch, selectPassiveEarned, selectPrincipals } from '../calculate/calculate.sql.ts'
import { matchDay, passiveBlock } from '../calculate/engine.rules.ts'
import { withPermit } from '../runs/concurrency.ts'
import type { Run } from '../runs/runs.sql.ts'
import { Comparison } from './previews.rules.ts'
import * as store from './previews.sql.ts'

/**
 * Asks for a preview of a plan; its number. Of a document whose preview is under way, of that one.
 *
 * @throws Refusal with everything that is wrong with the document
 */
export async function askForPreview(
  tx: Tx,
  asked: { document: unknown; operatorId: bigint; now: Date },
): Promise<bigint> {
  checkedPlan(asked.document)
  const document = JSON.stringify(asked.document)
  const sha256 = createHash('sha256').update(document).digest('hex')
  const id = await store.openPreview(tx, { ...asked, document, sha256 })
  await enqueue(tx, 'plans.preview', {}, 'plans.preview')
  return id
}

interface Plans {
  readonly present: Plan
  readonly proposed: Plan
}

/** One rule under both plans. */
interface Rule {
  readonly rule: 'passive' | 'direct' | 'binary'
  readonly from: string
  readonly to: string
  readonly compared: Comparison
}

type Step = (of: number) => Promise<void>

/** Members in memory at a time. */
const MEMBERS = 32_768

/** A day's passive profit of all members. Linear in the rate, but each amount is truncated and a cap may cut it: so member by member. */
async function passiveOf(db: Db, run: Run | undefined, plans: Plans, step: Step): Promise<Rule> {
  const compared = new Comparison()
  const day = run?.period ?? ''
  if (run === undefined || !isDay(day)) return { rule: 'passive', from: '', to: '', compared }
  const [present, proposed] = [termsOfDay(plans.present, day, null), termsOfDay(plans.proposed, day, null)]
  const isCapped = present.capMultiple !== null || proposed.capMultiple !== null
  const size = await selectNetworkSize(db)
  for (let from = 0; from < size; from += MEMBERS) {
    await withPermit(async () => {
      const { members, principals } = await selectPrincipals(
        db,
        { before: run.cutoff_at },
        from,
        from + MEMBERS - 1,
      )
      const earned = isCapped
        ? await selectPassiveEarned(db, { period: run.period, cutoff: run.cutoff_at }, members)
        : null
      const rows = (terms: typeof present) => {
        const block = passiveBlock(terms, members, principals, earned)
        return block.members.map((memberId, at) => ({ memberId, amount: block.amounts[at] ?? 0n }))
      }
      compared.addAll(rows(present), rows(proposed))
    })
    await step(Math.ceil(size / MEMBERS))
  }
  return { rule: 'passive', from: day, to: day, compared }
}

const DAY_MS = 86_400_000
const DAYS = 30
/** Investments in memory at a time, as in a run. */
const INVESTMENTS = 50_000n
/** As who is active and a master now: above every number of history. */
const NOW = 9_223_372_036_854_775_807n

/** What commissions thirty days of investments would pay if they were made now, in one go. */
async function directOf(db: Db, plans: Plans, now: Date, step: Step): Promise<Rule> {
  const compared = new Comparison()
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  const found = await store.selectInvestedSince(db, since)
  const days = { from: dayAt(since, plans.present.timeZone), to: dayAt(now, plans.present.timeZone) }
  if (found === undefined) return { rule: 'direct', ...days, compared }
  const paid = { present: new Map<bigint, bigint>(), proposed: new Map<bigint, bigint>() }
  const batches = Number((found.last - found.first) / INVESTMENTS) + 1
  for (let from = found.first; from <= found.last; from += INVESTMENTS) {
    const until = from + INVESTMENTS - 1n
    const batch = await selectBatch(db, from, until < found.last ? until : found.last)
    for (const side of ['present', 'proposed'] as const) {
      const { items } = await withPermit(() => commissionsOf(db, plans[side], batch, NOW))
      for (const { memberId, amount } of items)
        paid[side].set(memberId, (paid[side].get(memberId) ?? 0n) + amount)
    }
    await step(batches)
  }
  const rows = (sums: ReadonlyMap<bigint, bigint>) =>
    [...sums].map(([memberId, amount]) => ({ memberId, amount }))
  compared.addAll(rows(paid.present), rows(paid.proposed))
  return { rule: 'direct', ...days, compared }
}

/** The match of a day, on what it carried in, whichever plan had been in force before. */
async function binaryOf(db: Db, run: Run | undefined, plans: Plans): Promise<Rule> {
  const compared = new Comparison()
  if (run === undefined) return { rule: 'binary', from: '', to: '', compared }
  const { plan } = await planOfVersion(db, run.plan_version)
  const { carry, ...inputs } = await readMatch(db, run, plan.timeZone)
  const size = inputs.principals.length
  await withPermit(() => {
    // A match turns what is carried in into what is carried out: each plan has a copy.
    const match = (side: Plan) =>
      matchDay({ ...inputs, plan: side, left: carry.left.slice(0, size), right: carry.right.slice(0, size) })
        .items
    compared.addAll(match(plans.present), match(plans.proposed))
  })
  return { rule: 'binary', from: run.period, to: run.period, compared }
}

async function presentRule(
  db: Db,
  { rule, from, to, compared }: Rule,
): Promise<PlanPreviewResult['rules'][number]> {
  const { present, proposed, gain, lose, biggest } = compared
  const names = await store.selectNames(
    db,
    biggest.map(({ memberId }) => memberId),
  )
  const side = ({ sum, members }: typeof present) => ({ sum: formatAmount(sum), members })
  return {
    ...{ rule, from, to, gain, lose },
    present: side(present),
    proposed: side(proposed),
    biggest: biggest.map(({ memberId, ...amounts }) => ({
      member_id: Number(memberId),
      username: names.get(memberId) ?? '',
      present: formatAmount(amounts.present),
      proposed: formatAmount(amounts.proposed),
    })),
  }
}

/** A day's passive profit as it is paid on average: not at weekends, where a plan says so. */
const onAverage = (plan: Plan, sum: bigint): bigint => (plan.passive.weekdaysOnly ? (sum * 5n) / 7n : sum)

/** For how many whole days a pool pays what a day takes of it; null where it takes nothing. */
const coverOf = (pool: bigint, aDay: bigint): number | null => (aDay === 0n ? null : Number(pool / aDay))

async function coverOfPools(
  db: Db,
  plans: Plans,
  rules: readonly Rule[],
): Promise<PlanPreviewResult['cover']> {
  const paid = (rule: Rule['rule'], side: keyof Plans) =>
    rules.find((each) => each.rule === rule)?.compared[side].sum ?? 0n
  const aDay = {
    profit: (side: keyof Plans) => onAverage(plans[side], paid('passive', side)),
    commission: (side: keyof Plans) => paid('direct', side) / BigInt(DAYS) + paid('binary', side),
  }
  const cover: PlanPreviewResult['cover'] = []
  for (const pool of ['profit', 'commission'] as const) {
    const amount = await guardedBalance(db, `pool:${pool}`)
    cover.push({
      pool,
      amount: formatAmount(amount),
      present: coverOf(amount, aDay[pool]('present')),
      proposed: coverOf(amount, aDay[pool]('proposed')),
    })
  }
  return cover
}

type OnProgress = (done: number, total: number) => Promise<void>

/** Both plans on the ledger as it stands, in the caller's transaction. */
async function previewWithin(
  tx: Db,
  document: unknown,
  now: Date,
  onProgress: OnProgress,
): Promise<PlanPreviewResult> {
  const { version, plan: present } = await planAt(tx, now)
  const plans: Plans = { present, proposed: parsePlan(document) }
  let done = 0
  // Two more: what other rules take.
  const step: Step = (of) => {
    done += 1
    return onProgress(done, Math.max(done + 1, of + 2))
  }
  const rules = [
    await passiveOf(tx, await store.selectLastDay(tx, 'passive'), plans, step),
    await directOf(tx, plans, now, step),
    await binaryOf(tx, await store.selectLastDay(tx, 'binary'), plans),
  ]
  const presented: PlanPreviewResult['rules'] = []
  for (const rule of rules) presented.push(await presentRule(tx, rule))
  return { version, rules: presented, cover: await coverOfPools(tx, plans, rules) }
}

const MOST_PREVIEWS = 20

/** Computes what is asked for and not finished, also what a killed worker left. */
export async function previewAsked(db: Database, now: Date): Promise<void> {
  for (const { id, document } of await store.selectOpenPreviews(db, MOST_PREVIEWS)) {
    await store.updatePreview(db, id, 0, 1)
    const onProgress: OnProgress = (done, total) => store.updatePreview(db, id, done, total)
    try {
      const result = await inSnapshot(db, (tx) => previewWithin(tx, JSON.parse(document), now, onProgress))
      const { version } = result
      await store.finishPreview(db, id, { state: 'done', version, result: JSON.stringify(result), now })
    } catch (error) {
      if (isOutage(error)) throw error
      await store.finishPreview(db, id, { state: 'failed', version: null, result: null, now })
      throw error
    }
  }
}

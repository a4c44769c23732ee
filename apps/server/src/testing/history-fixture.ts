/**
 * A money fixture in which everything has happened: every kind of run, days under other plans and a declared rate, runs held,
 * prorated and cancelled, master links, an inactive sponsor, points carried over days, and a reversal that left a debt.
 */
import { formatMicro } from '@aval/money'
import { type Day, DEFAULT_PLAN, type PlanDocument } from '@aval/plan'
import { activateMaster } from '../features/genealogy/genealogy.commands.ts'
import { cancelRun, proposeProrate, proposeRelease } from '../features/payout-runs/pay/decisions.commands.ts'
import { declareRate } from '../features/payout-runs/rates/rates.commands.ts'
import { storePlan } from './deciding.ts'
import { createMoneyFixture, type MoneyFixture } from './money-fixture.ts'

/** A sponsor chain of six below the root, `ana` at its top and `gil` at its end, and `bob` on the root's other side. */
export interface People {
  readonly root: bigint
  readonly ana: bigint
  readonly bob: bigint
  readonly cora: bigint
  readonly dan: bigint
  readonly eva: bigint
  readonly fay: bigint
  readonly gil: bigint
}

export type HistoryFixture = Awaited<ReturnType<typeof openHouse>>

async function people(history: MoneyFixture): Promise<People> {
  const root = history.server.rootId
  // One after the other: each goes where those before left room.
  const ana = await history.member(root)
  const bob = await history.member(root)
  const cora = await history.member(ana)
  const dan = await history.member(ana)
  const eva = await history.member(cora)
  const fay = await history.member(eva)
  return { root, ana, bob, cora, dan, eva, fay, gil: await history.member(fay) }
}

async function openHouse(adminUrl: string) {
  // 10:00 in Bogotá, a Friday.
  const history = await createMoneyFixture(adminUrl, '2026-05-01T15:00:00Z')
  return Object.assign(history, { people: await people(history) })
}

const planFrom = (history: HistoryFixture, version: number, at: string, change: Partial<PlanDocument>) =>
  storePlan(history.owner, version, new Date(at), { ...DEFAULT_PLAN, ...change })

type Kind = 'passive' | 'direct' | 'binary'
type Decision = Parameters<typeof cancelRun>[1]
type Decide = (history: HistoryFixture, decision: Decision) => Promise<void>

const overrule: Decide = (history, decision) => history.decided(proposeRelease, decision)
const prorate: Decide = (history, decision) => history.decided(proposeProrate, decision)
const cancel: Decide = (history, decision) => history.within((tx) => cancelRun(tx, decision))

/** What an operator says of the first run of a kind that is held; then everything goes on that can. */
async function decideHeld(history: HistoryFixture, kind: Kind, decide: Decide): Promise<void> {
  const { id } = await history.db
    .selectFrom('payout_run')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', 'held')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const decision = { runId: id, operatorId: history.people.root, note: 'looked at it', now: history.now }
  await decide(history, decision)
  await history.resume()
}

export const overruleHeld = (history: HistoryFixture, kind: Kind) => decideHeld(history, kind, overrule)

/** Friday: commissions that wait for money, of which one is prorated and one cancelled, and a master link. */
async function friday(history: HistoryFixture): Promise<void> {
  const { root, ana, bob, cora, fay, gil } = history.people
  await history.fund('profit', '80')
  await history.invest(root, '2000')
  await history.invest(ana, '1000')
  await history.fund('commission', '30.000001')
  await decideHeld(history, 'direct', prorate)
  await history.invest(bob, '800.000007')
  await decideHeld(history, 'direct', cancel)
  await history.fund('commission', '5000')
  await history.resume()
  await history.invest(cora, '500')
  await history.owner.updateTable('member').set({ is_fundator: true }).where('id', '=', ana).execute()
  await history.within((tx) => activateMaster(tx, ana, cora, history.now))
  await history.invest(fay, '600')
  await history.invest(gil, '700')
}

/** Saturday to Monday: points that are carried, a declared rate, a day under a plan that minds every change. */
async function weekend(history: HistoryFixture): Promise<void> {
  const { root, bob, dan } = history.people
  await history.payDay()
  await history.invest(bob, '5000')
  const rate = { day: '2026-05-03' as Day, percentage: '0.1', reason: 'A slow week.' }
  const declared = { ...rate, operatorId: root, now: history.now }
  await history.within((tx) => declareRate(tx, declared))
  await planFrom(history, 2, '2026-05-04T05:00:00Z', {
    guards: { changePercent: '0', changeFrom: '0', memberMost: '100000', runMost: '100000000' },
  })
  await planFrom(history, 3, '2026-05-05T05:00:00Z', {
    passive: { percentPerPeriod: '12.5', periodDays: 30, weekdaysOnly: true, capMultiple: '0.01' },
    direct: { levels: ['6', '3', '1.5', '0.5'], masterPercent: '1', compression: true },
    binary: { percent: '10', dailyCap: '60' },
  })
  await history.payDay()
  await history.invest(dan, '900')
  await history.payDay()
  await decideHeld(history, 'passive', overrule)
}

/** What was earned is invested again before what it came from is taken back: somebody owes. */
async function reversal(history: HistoryFixture): Promise<void> {
  const { ana, dan, gil } = history.people
  await history.reinvest(ana, formatMicro(await history.balanceOf(ana)))
  await history.payAllDirect()
  await decideHeld(history, 'direct', overrule)
  await history.reverseLatest(gil)
  await history.invest(dan, '1500')
  await decideHeld(history, 'direct', overrule)
}

/**
 * Tuesday to Sunday: profit that is prorated, profit and a match that are cancelled and computed again, caps reached, and an
 * investment taken back after all that.
 */
async function rest(history: HistoryFixture): Promise<void> {
  const { bob, gil } = history.people
  await history.payDay()
  await decideHeld(history, 'passive', prorate)
  await decideHeld(history, 'binary', cancel)
  await decideHeld(history, 'binary', overrule)
  await history.invest(bob, '1000.000003')
  await history.payDay()
  await decideHeld(history, 'passive', cancel)
  await history.fund('profit', '5000')
  await history.resume()
  await history.payDay()
  await history.invest(gil, '650')
  await history.payDay()
  await history.payDay()
  await history.reverseLatest(bob)
  await history.payDay()
}

export async function createHistoryFixture(adminUrl: string): Promise<HistoryFixture> {
  const history = await openHouse(adminUrl)
  await friday(history)
  await weekend(history)
  await reversal(history)
  await rest(history)
  return history
}

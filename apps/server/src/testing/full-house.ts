/**
 * A money house in which everything has happened: every kind of run, days under other plans and a declared rate, runs held,
 * prorated and cancelled, master links, an inactive sponsor, points carried over days, and a reversal that left a debt.
 */
import { inTransaction, type Tx } from '@aval/db'
import { type Day, DEFAULT_PLAN, type PlanDocument } from '@aval/plan'
import { activateMaster } from '../features/genealogy/masters.commands.ts'
import { investBalance } from '../features/investments/investments.commands.ts'
import { payCommissions, resumeRuns, runDue } from '../features/payout-runs/advance.commands.ts'
import { cancelRun, overruleRun } from '../features/payout-runs/post/decisions.commands.ts'
import { prorateRun } from '../features/payout-runs/post/prorating.commands.ts'
import { declareRate } from '../features/payout-runs/rates/rates.commands.ts'
import { reverseInvestment } from '../features/payout-runs/reversals/reversals.commands.ts'
import { storePlan } from '../features/plan-versions/plan-versions.commands.ts'
import { balancesOf } from '../ledger/ledger.queries.ts'
import { createMoneyHouse, type MoneyHouse } from './money-house.ts'

const DAY_MS = 86_400_000

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

export interface FullHouse extends MoneyHouse {
  readonly people: People
  /** The next morning: the midnight between is paid as far as the pools go. */
  nextDay(): Promise<void>
  within<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Reverses the latest investment of a member. */
  reverseLatest(memberId: bigint): Promise<void>
}

async function people(house: MoneyHouse): Promise<People> {
  const root = house.server.rootId
  // One after the other: each goes where those before left room.
  const ana = await house.member(root)
  const bob = await house.member(root)
  const cora = await house.member(ana)
  const dan = await house.member(ana)
  const eva = await house.member(cora)
  const fay = await house.member(eva)
  return { root, ana, bob, cora, dan, eva, fay, gil: await house.member(fay) }
}

async function openHouse(adminUrl: string): Promise<FullHouse> {
  // 10:00 in Bogotá, a Friday.
  const house = await createMoneyHouse(adminUrl, '2026-05-01T15:00:00Z')
  const { db } = house.server.context
  const within: FullHouse['within'] = (work) => inTransaction(db, work)
  return Object.assign(house, {
    people: await people(house),
    within,
    async nextDay() {
      house.now = new Date(house.now.getTime() + DAY_MS)
      await runDue(db, house.now)
    },
    async reverseLatest(memberId: bigint) {
      const { id } = await db
        .selectFrom('investment')
        .select('id')
        .where('member_id', '=', memberId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      const request = { investmentId: id, operatorId: house.server.rootId, reason: 'paid by mistake' }
      await within((tx) => reverseInvestment(tx, { ...request, now: house.now }))
    },
  })
}

const planFrom = (house: FullHouse, version: number, at: string, change: Partial<PlanDocument>) =>
  storePlan(house.server.context.db, version, new Date(at), { ...DEFAULT_PLAN, ...change })

type Kind = 'passive' | 'direct' | 'binary'
type Decide = (tx: Tx, decision: Parameters<typeof cancelRun>[1]) => Promise<unknown>

/** What an operator says of the first run of a kind that is held; then everything goes on that can. */
async function decideHeld(house: FullHouse, kind: Kind, decide: Decide): Promise<void> {
  const { db } = house.server.context
  const { id } = await db
    .selectFrom('payout_run')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', 'held')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const decision = { runId: id, operatorId: house.people.root, note: 'looked at it', now: house.now }
  await house.within((tx) => decide(tx, decision))
  await resumeRuns(db, house.now)
}

/** Friday: commissions that wait for money, of which one is prorated and one cancelled, and a master link. */
async function friday(house: FullHouse): Promise<void> {
  const { db } = house.server.context
  const { root, ana, bob, cora, fay, gil } = house.people
  await house.fund('profit', '80')
  await house.invest(root, '2000')
  await house.invest(ana, '1000')
  await house.fund('commission', '30.000001')
  await decideHeld(house, 'direct', prorateRun)
  await house.invest(bob, '800.000007')
  await decideHeld(house, 'direct', cancelRun)
  await house.fund('commission', '5000')
  await resumeRuns(db, house.now)
  await house.invest(cora, '500')
  await db.updateTable('member').set({ is_fundator: true }).where('id', '=', ana).execute()
  await house.within((tx) => activateMaster(tx, ana, cora, house.now))
  await house.invest(fay, '600')
  await house.invest(gil, '700')
}

/** Saturday to Monday: points that are carried, a declared rate, a day under a plan that minds every change. */
async function weekend(house: FullHouse): Promise<void> {
  const { root, bob, dan } = house.people
  await house.nextDay()
  await house.invest(bob, '5000')
  const declared = { day: '2026-05-03' as Day, percentage: '0.1', operatorId: root, now: house.now }
  await house.within((tx) => declareRate(tx, declared))
  await planFrom(house, 2, '2026-05-04T05:00:00Z', {
    guards: { changePercent: '0', changeFrom: '0', memberMost: '100000', runMost: '100000000' },
  })
  await planFrom(house, 3, '2026-05-05T05:00:00Z', {
    passive: { percentPerPeriod: '12.5', periodDays: 30, weekdaysOnly: true, capMultiple: '0.01' },
    direct: { levels: ['6', '3', '1.5', '0.5'], masterPercent: '1', compression: true },
    binary: { percent: '10', dailyCap: '60' },
  })
  await house.nextDay()
  await house.invest(dan, '900')
  await house.nextDay()
  await decideHeld(house, 'passive', overruleRun)
}

/** What was earned is invested again before what it came from is taken back: somebody owes. */
async function reversal(house: FullHouse): Promise<void> {
  const { db } = house.server.context
  const { ana, dan, gil } = house.people
  const { balance } = await balancesOf(db, ana)
  await house.within((tx) => investBalance(tx, ana, balance, house.now, 'all of it'))
  await payCommissions(db, house.now)
  await house.reverseLatest(gil)
  await house.invest(dan, '1500')
}

/**
 * Tuesday to Sunday: profit that is prorated, profit and a match that are cancelled and computed again, caps reached, and an
 * investment taken back after all that.
 */
async function rest(house: FullHouse): Promise<void> {
  const { bob, gil } = house.people
  await house.nextDay()
  await decideHeld(house, 'passive', prorateRun)
  await decideHeld(house, 'binary', cancelRun)
  await decideHeld(house, 'binary', overruleRun)
  await house.invest(bob, '1000.000003')
  await house.nextDay()
  await decideHeld(house, 'passive', cancelRun)
  await house.fund('profit', '5000')
  await resumeRuns(house.server.context.db, house.now)
  await house.nextDay()
  await house.invest(gil, '650')
  await house.nextDay()
  await house.nextDay()
  await house.reverseLatest(bob)
  await house.nextDay()
}

export async function createFullHouse(adminUrl: string): Promise<FullHouse> {
  const house = await openHouse(adminUrl)
  await friday(house)
  await weekend(house)
  await reversal(house)
  await rest(house)
  return house
}

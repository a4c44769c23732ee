/** A history played through the real commands on a real database, and what it came to there, in the form of the model. */
import { type Connection, connect, type Db, inTransaction } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { addDays, type Day, dayStart, isDay } from '@aval/plan'
import { sql } from 'kysely'
import {
  activateMaster,
  setExtraPercent,
  setPlacementSide,
} from '../../apps/server/src/features/genealogy/genealogy.commands.ts'
import { registerMember } from '../../apps/server/src/features/identity/registration/registration.commands.ts'
import { investBalance } from '../../apps/server/src/features/investments/investments.commands.ts'
import {
  cancelInvoice,
  completeInvoice,
  createInvoice,
} from '../../apps/server/src/features/investments/invoices.commands.ts'
import { declareRate } from '../../apps/server/src/features/payout-runs/rates/rates.commands.ts'
import { payCommissions, runDue } from '../../apps/server/src/testing/audited.ts'
import { storePlan } from '../../apps/server/src/testing/deciding.ts'
import { createMoneyFixture, type MoneyFixture } from '../../apps/server/src/testing/money-fixture.ts'
import { someone } from '../../apps/server/src/testing/server.ts'
import { differences, fromFirstInvestment } from './compare.ts'
import { figureDifferences } from './figures.ts'
import type {
  Account,
  History,
  Item,
  Member,
  MemberTotals,
  Missed,
  PlanRules,
  Reversal,
  RunResult,
  Step,
  Taken,
} from './history.ts'
import { runModel } from './model.ts'
import { documentOf } from './plan-document.ts'
import { recomputeDirect, replayAll } from './recompute.ts'
import { idOf, STRIDE, seatOf } from './seats.ts'

const ZONE = 'America/Bogota'
const MORNING_MS = 6 * 3_600_000
const MINUTE_MS = 60_000
/** Of each pool: more than any history pays. */
const FUNDS = '400000000'

/** Steps that look at balances, or put a run of their own among those of the days. */
const NEED_PAID_DAYS: ReadonlySet<Step['kind']> = new Set([
  'reinvest',
  'complete',
  'cancel',
  'reverse',
  'commissions',
])

/**
 * Where the model and the server on a database differ, what comes to something else when it is computed again, what two pages
 * show differently, and what the ledger's check finds.
 * @param adminUrl of a role that may create databases
 */
export async function playOnDatabase(adminUrl: string, history: History): Promise<string[]> {
  if (!isDay(history.firstDay)) throw new Error(`${history.firstDay} is no day`)
  const morning = new Date(dayStart(history.firstDay, ZONE).getTime() + MORNING_MS)
  const house = await createMoneyFixture(adminUrl, morning.toISOString(), [])
  const owner = connect(house.server.database.ownerUrl, 1)
  try {
    const player = new Player(house, owner, history.firstDay)
    await player.prepare(history.rules, history.members)
    const differing: string[] = []
    for (const [index, step] of history.steps.entries()) {
      await player.take(step)
      differing.push(...(await player.comparePages(index)))
    }
    await player.payDays()
    const expected = fromFirstInvestment(history, runModel(history))
    return [
      ...differing,
      ...differences(expected, await readAccount(owner.db, history)),
      ...(await recomputeDirect(house.server.context.db)),
      ...(await replayAll(house.server.context.db)),
      ...(await figureDifferences(house.server.context.db, house.now)),
      ...(await house.faults()).map((fault) => `the ledger: ${fault}`),
    ]
  } finally {
    await owner.close()
    await house.close()
  }
}

class Player {
  readonly #house: MoneyFixture
  readonly #owner: Connection
  readonly #sponsors = new Map<number, number>()
  #members = 0
  #today: Day
  /** The fixture begins under a plan of its own. */
  #planVersion = 1
  #reinvested = 0
  #midnightPassed = false

  constructor(house: MoneyFixture, owner: Connection, firstDay: Day) {
    this.#house = house
    this.#owner = owner
    this.#today = firstDay
  }

  get #db() {
    return this.#house.server.context.db
  }

  async prepare(rules: PlanRules, members: readonly Member[]): Promise<void> {
    await this.#storePlan(rules, new Date(0))
    // Histories may play in days to come.
    await sql`INSERT INTO demo_clock (offset_ms) VALUES (4000000000000)`.execute(this.#owner.db)
    await this.#house.fund('profit', FUNDS)
    await this.#house.fund('commission', FUNDS)
    // the fixture's first member is the root of the history; the rest get ids that lie as far apart as in memory
    await sql`ALTER SEQUENCE member_id_seq INCREMENT BY ${sql.raw(String(STRIDE))}`.execute(this.#owner.db)
    for (const member of members) await this.#seat(member)
    this.#members = members.length
    await sql`UPDATE member SET is_fundator = true`.execute(this.#owner.db)
  }

  async #seat({ id, sponsorId, side }: Member): Promise<void> {
    if (sponsorId !== null) {
      const seat = BigInt(seatOf(id))
      this.#sponsors.set(id, sponsorId)
      const sponsor = BigInt(seatOf(sponsorId))
      await setPlacementSide(this.#db, sponsor, side === 'L' ? 'left' : 'right')
      const given = await registerMember(this.#db, { ...someone(), sponsorId: sponsor }, this.#house.now)
      if (given !== seat) throw new Error(`member ${id} got the id ${given} instead of ${seat}`)
    }
  }

  /**
   * Days are paid as late as can be: what is invested, declared or promoted after a midnight must not change what that
   * midnight pays, and midnights that follow one another are caught up in one go.
   */
  async take(step: Step): Promise<void> {
    if (NEED_PAID_DAYS.has(step.kind)) await this.payDays()
    this.#house.now = new Date(this.#house.now.getTime() + MINUTE_MS)
    switch (step.kind) {
      case 'invest':
        return this.#invest(BigInt(seatOf(step.memberId)), step.amount)
      case 'reinvest':
        return this.#reinvest(BigInt(seatOf(step.memberId)), step.amount)
      case 'complete':
        return this.#end(BigInt(seatOf(step.memberId)), step.amount, step.received, completeInvoice)
      case 'cancel':
        return this.#end(BigInt(seatOf(step.memberId)), step.received + 1n, step.received, cancelInvoice)
      case 'reverse':
        return this.#reverse(step.investment)
      case 'master':
        return this.#makeMaster(step.memberId)
      case 'extra':
        return this.#setExtra(step.memberId, step.percent)
      case 'plan':
        return this.#storePlan(step.rules, dayStart(addDays(this.#today, 1), ZONE))
      case 'declare':
        return this.#declare(step.percent)
      case 'commissions':
        return payCommissions(this.#db, this.#house.now)
      case 'day':
        this.#today = addDays(this.#today, 1)
        this.#midnightPassed = true
        this.#house.now = new Date(dayStart(this.#today, ZONE).getTime() + MORNING_MS)
    }
  }

  async payDays(): Promise<void> {
    if (!this.#midnightPassed) return
    this.#midnightPassed = false
    await runDue(this.#db, this.#house.now)
  }

  /** What two pages show differently after this step; of one member, each in turn. */
  async comparePages(index: number): Promise<string[]> {
    const memberId = BigInt(seatOf(1 + (index % this.#members)))
    const found = await figureDifferences(this.#db, this.#house.now, memberId)
    return found.map((line) => `after step ${index}: ${line}`)
  }

  #storePlan(rules: PlanRules, startsAt: Date): Promise<void> {
    this.#planVersion += 1
    return storePlan(this.#owner.db, this.#planVersion, startsAt, documentOf(rules))
  }

  #ask(memberId: bigint, amount: bigint) {
    const { now } = this.#house
    return inTransaction(this.#db, (tx) => createInvoice(tx, memberId, micro(amount), now))
  }

  /** An invoice, and its exact payment on the chain, in up to three parts. */
  async #invest(memberId: bigint, amount: bigint): Promise<void> {
    const { invoice } = await this.#ask(memberId, amount)
    const due = invoice.amount + invoice.fee
    const parts = due < 3n ? 1n : 1n + (amount % 3n)
    for (let part = 1n; part <= parts; part += 1n)
      await this.#house.receive(
        memberId,
        formatMicro(micro(part < parts ? due / parts : due - (due / parts) * (parts - 1n))),
      )
  }

  /** A part of an invoice, and its end. */
  async #end(
    memberId: bigint,
    amount: bigint,
    received: bigint,
    end: (...call: Parameters<typeof completeInvoice>) => Promise<unknown>,
  ): Promise<void> {
    const { invoice } = await this.#ask(memberId, amount)
    await this.#house.receive(memberId, formatMicro(micro(received)))
    await inTransaction(this.#db, (tx) => end(tx, memberId, invoice.txn_id, this.#house.now))
  }

  async #reinvest(memberId: bigint, amount: bigint): Promise<void> {
    this.#reinvested += 1
    const key = `reinvestment ${this.#reinvested}`
    await inTransaction(this.#db, (tx) => investBalance(tx, memberId, micro(amount), this.#house.now, key))
  }

  async #reverse(index: number): Promise<void> {
    const investmentId = (await readInvestments(this.#db))[index]
    if (investmentId === undefined) throw new Error(`there is no investment #${index}`)
    // As operators signed it; of the root's own, nobody here could.
    await sql`SELECT reverse_investment(${investmentId}, 'the independent model', ${this.#house.server.rootId}, ${this.#house.now})`.execute(
      this.#owner.db,
    )
  }

  async #declare(percentage: string): Promise<void> {
    const operatorId = this.#house.server.rootId
    const day = addDays(this.#today, 1)
    await inTransaction(this.#db, (tx) =>
      declareRate(tx, { day, percentage, reason: 'A slow day.', operatorId, now: this.#house.now }),
    )
  }

  async #makeMaster(memberId: number): Promise<void> {
    const sponsorId = this.#sponsors.get(memberId)
    if (sponsorId === undefined) throw new Error(`member ${memberId} has no sponsor`)
    const [sponsor, referral] = [BigInt(seatOf(sponsorId)), BigInt(seatOf(memberId))]
    await inTransaction(this.#db, (tx) => activateMaster(tx, sponsor, referral, this.#house.now))
  }

  async #setExtra(memberId: number, percent: string): Promise<void> {
    const extra = { sponsorId: BigInt(seatOf(memberId)), percent, by: 'the independent model' }
    await inTransaction(this.#owner.db, (tx) => setExtraPercent(tx, extra, this.#house.now))
  }
}

type IndexOf = (id: bigint) => number

const memberOf = (id: bigint): number => idOf(Number(id))

/** Ids of investments, in the order in which they were made: a history counts them from 0. */
async function readInvestments(db: Db): Promise<bigint[]> {
  const rows = await db.selectFrom('investment').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

async function readAccount(db: Db, history: History): Promise<Account> {
  const investments = await readInvestments(db)
  const indexOf = (id: bigint): number => {
    const index = investments.indexOf(id)
    if (index === -1) throw new Error(`investment ${id} was never made`)
    return index
  }
  return {
    runs: await readRuns(db, indexOf),
    reversals: await readReversals(db, indexOf),
    totals: await readTotals(db, history),
  }
}

interface StoredRun extends Pick<RunResult, 'kind' | 'period'> {
  readonly id: bigint
  readonly state: string
  readonly first: bigint | null
  readonly last: bigint | null
}

async function readRuns(db: Db, indexOf: IndexOf): Promise<RunResult[]> {
  const runs = await sql<StoredRun>`
    SELECT id, kind, period, state, first_investment AS first, last_investment AS last FROM payout_run ORDER BY id`.execute(
    db,
  )
  const results: RunResult[] = []
  for (const { id, kind, period, state, first, last } of runs.rows) {
    if (state !== 'done') throw new Error(`the ${kind} run ${period} is ${state}`)
    results.push({
      kind,
      period: first === null || last === null ? period : `${indexOf(first)}-${indexOf(last)}`,
      items: await readItems(db, id, indexOf),
      missed: await readMissed(db, id, indexOf),
    })
  }
  return results
}

/** With the ids of the database. */
type Stored<Line> = Omit<Line, 'memberId' | 'investment'> & {
  readonly memberId: bigint
  readonly investment: bigint | null
}
const numbersOf = ({ memberId, investment }: Stored<unknown>, indexOf: IndexOf) => ({
  memberId: memberOf(memberId),
  investment: investment === null ? null : indexOf(investment),
})

/** Those of passive runs are kept by pages, all others as rows. */
async function readItems(db: Db, runId: bigint, indexOf: IndexOf): Promise<Item[]> {
  const { rows } = await sql<Stored<Item>>`
    SELECT "memberId", kind, amount, basis, level, investment FROM (
      SELECT p.block, i.at, i.member_id AS "memberId", 'passive'::posting_kind AS kind, i.amount, i.basis, NULL::int AS level, NULL::bigint AS investment
      FROM payout_page p, unnest(p.members, p.bases, p.amounts) WITH ORDINALITY AS i (member_id, basis, amount, at)
      WHERE p.run_id = ${runId}
      UNION ALL SELECT member_id, leg, member_id, kind, amount, basis, level::int, investment_id FROM payout_item WHERE run_id = ${runId}
    ) item ORDER BY block, at`.execute(db)
  return rows.map((row) => ({ ...row, ...numbersOf(row, indexOf) }))
}

async function readMissed(db: Db, runId: bigint, indexOf: IndexOf): Promise<Missed[]> {
  const { rows } = await sql<Stored<Missed>>`
    SELECT member_id AS "memberId", kind, reason, amount, level, investment_id AS investment
    FROM payout_missed WHERE run_id = ${runId} ORDER BY member_id, leg`.execute(db)
  return rows.map((row) => ({ ...row, ...numbersOf(row, indexOf) }))
}

async function readReversals(db: Db, indexOf: IndexOf): Promise<Reversal[]> {
  const reversals = await db.selectFrom('reversal').select(['id', 'investment_id']).orderBy('id').execute()
  const { rows: parts } = await sql<Omit<Taken, 'memberId'> & { reversal: bigint; memberId: bigint }>`
    SELECT reversal_id AS reversal, member_id AS "memberId", pool, amount, amount - from_balance AS owed
    FROM reversal_part ORDER BY reversal_id, leg`.execute(db)
  return reversals.map(({ id, investment_id }) => ({
    investment: indexOf(investment_id),
    taken: parts
      .filter(({ reversal }) => reversal === id)
      .map(({ reversal: _, memberId, ...part }) => ({ ...part, memberId: memberOf(memberId) })),
  }))
}

async function readTotals(db: Db, { members }: History): Promise<MemberTotals[]> {
  const carry = await readCarry(db)
  const { rows } = await sql<Omit<MemberTotals, 'memberId' | 'carryLeft' | 'carryRight'> & { id: bigint }>`
    SELECT b.member_id AS id, b.principal, b.balance, b.earned, b.earned_passive AS "earnedProfit",
      coalesce((SELECT amount FROM member_receivable r WHERE r.member_id = b.member_id AND pool = 'profit'), 0) AS "owedProfit",
      coalesce((SELECT amount FROM member_receivable r WHERE r.member_id = b.member_id AND pool = 'commission'), 0) AS "owedCommission"
    FROM member_balance b WHERE b.member_id = ANY(${members.map(({ id }) => String(seatOf(id)))}::bigint[])
    ORDER BY b.member_id`.execute(db)
  return rows.map(({ id, ...totals }) => ({ ...totals, memberId: memberOf(id), ...carry(id) }))
}

/** What stands on each leg after the last match; nothing before the first. */
async function readCarry(db: Db): Promise<(id: bigint) => Pick<MemberTotals, 'carryLeft' | 'carryRight'>> {
  const { rows } = await sql<{ member_id: bigint; carryLeft: bigint; carryRight: bigint }>`
    SELECT c.block::bigint * 1024 + i.at - 1 AS member_id, i.carry_left AS "carryLeft", i.carry_right AS "carryRight"
    FROM generate_series(0, (SELECT max(block) FROM binary_carry)) AS b (block) CROSS JOIN LATERAL (
        SELECT block, lefts, rights FROM binary_carry WHERE block = b.block ORDER BY period DESC LIMIT 1) c,
      unnest(c.lefts, c.rights) WITH ORDINALITY AS i (carry_left, carry_right, at)
    WHERE i.carry_left <> 0 OR i.carry_right <> 0`.execute(db)
  const byMember = new Map(rows.map(({ member_id, ...carry }) => [member_id, carry]))
  return (id) => byMember.get(id) ?? { carryLeft: 0n, carryRight: 0n }
}

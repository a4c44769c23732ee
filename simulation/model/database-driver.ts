/** A history played through the real commands on a real database: what members, operators and the jobs would do. */
import { type Connection, connect, inTransaction } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { addDays, type Day, dayStart, isDay } from '@aval/plan'
import { sql } from 'kysely'
import { activateMaster } from '../../apps/server/src/features/genealogy/genealogy.commands.ts'
import { registerMember } from '../../apps/server/src/features/identity/registration/registration.commands.ts'
import {
  createInvoice,
  investBalance,
} from '../../apps/server/src/features/investments/investments.commands.ts'
import { payCommissions, runDue } from '../../apps/server/src/features/payout-runs/advance.commands.ts'
import { declareRate } from '../../apps/server/src/features/payout-runs/rates/rates.commands.ts'
import { reverseInvestment } from '../../apps/server/src/features/payout-runs/reversals/reversals.commands.ts'
import { storePlan } from '../../apps/server/src/features/plan-versions/plan-versions.commands.ts'
import { createMoneyFixture, type MoneyFixture } from '../../apps/server/src/testing/money-fixture.ts'
import { someone } from '../../apps/server/src/testing/server.ts'
import { differences, fromFirstInvestment } from './compare.ts'
import { readAccount, readInvestments } from './database-account.ts'
import type { History, Member, PlanRules, Step } from './history.ts'
import { runModel } from './model.ts'
import { documentOf } from './plan-document.ts'
import { recomputeDirect, replayAll } from './recompute.ts'
import { STRIDE, seatOf } from './seats.ts'

const ZONE = 'America/Bogota'
const MORNING_MS = 6 * 3_600_000
const MINUTE_MS = 60_000
/** Of each pool: more than any history pays. */
const FUNDS = '400000000'

/** Steps that look at balances, or put a run of their own among those of the days. */
const NEED_PAID_DAYS: ReadonlySet<Step['kind']> = new Set(['reinvest', 'reverse', 'commissions'])

/**
 * Where the model and the server on a database differ, what comes to something else when it is computed again, and what the
 * ledger's check finds.
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
    for (const step of history.steps) await player.take(step)
    await player.payDays()
    const expected = fromFirstInvestment(history, runModel(history))
    return [
      ...differences(expected, await readAccount(owner.db, history)),
      ...(await recomputeDirect(house.server.context.db)),
      ...(await replayAll(house.server.context.db)),
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
    await this.#house.fund('profit', FUNDS)
    await this.#house.fund('commission', FUNDS)
    // the fixture's first member is the root of the history; the rest get ids that lie as far apart as in memory
    await sql`ALTER SEQUENCE member_id_seq INCREMENT BY ${sql.raw(String(STRIDE))}`.execute(this.#owner.db)
    for (const member of members) await this.#seat(member)
    await sql`UPDATE member SET is_fundator = true`.execute(this.#owner.db)
  }

  async #seat({ id, sponsorId, side, extraPercent }: Member): Promise<void> {
    const seat = BigInt(seatOf(id))
    if (sponsorId !== null) {
      this.#sponsors.set(id, sponsorId)
      const sponsor = BigInt(seatOf(sponsorId))
      const preference = side === 'L' ? 'left' : 'right'
      await sql`UPDATE placement SET preference = ${preference} WHERE member_id = ${sponsor}`.execute(
        this.#owner.db,
      )
      const given = await registerMember(this.#db, { ...someone(), sponsorId: sponsor }, this.#house.now)
      if (given !== seat) throw new Error(`member ${id} got the id ${given} instead of ${seat}`)
    }
    await sql`UPDATE sponsorship SET extra_percent = ${extraPercent} WHERE member_id = ${seat}`.execute(
      this.#owner.db,
    )
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
      case 'reverse':
        return this.#reverse(step.investment)
      case 'master':
        return this.#makeMaster(step.memberId)
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

  #storePlan(rules: PlanRules, startsAt: Date): Promise<void> {
    this.#planVersion += 1
    return storePlan(this.#db, this.#planVersion, startsAt, documentOf(rules))
  }

  /** An invoice, and its exact payment on the chain. */
  async #invest(memberId: bigint, amount: bigint): Promise<void> {
    const { now } = this.#house
    const { invoice } = await inTransaction(this.#db, (tx) => createInvoice(tx, memberId, micro(amount), now))
    await this.#house.receive(memberId, formatMicro(micro(invoice.amount + invoice.fee)))
  }

  async #reinvest(memberId: bigint, amount: bigint): Promise<void> {
    this.#reinvested += 1
    const key = `reinvestment ${this.#reinvested}`
    await inTransaction(this.#db, (tx) => investBalance(tx, memberId, micro(amount), this.#house.now, key))
  }

  async #reverse(index: number): Promise<void> {
    const investmentId = (await readInvestments(this.#db))[index]
    if (investmentId === undefined) throw new Error(`there is no investment #${index}`)
    const request = {
      investmentId,
      operatorId: this.#house.server.rootId,
      reason: 'the independent model',
      now: this.#house.now,
    }
    await inTransaction(this.#db, (tx) => reverseInvestment(tx, request))
  }

  async #declare(percentage: string): Promise<void> {
    const operatorId = this.#house.server.rootId
    const day = addDays(this.#today, 1)
    await inTransaction(this.#db, (tx) =>
      declareRate(tx, { day, percentage, operatorId, now: this.#house.now }),
    )
  }

  async #makeMaster(memberId: number): Promise<void> {
    const sponsorId = this.#sponsors.get(memberId)
    if (sponsorId === undefined) throw new Error(`member ${memberId} has no sponsor`)
    const [sponsor, referral] = [BigInt(seatOf(sponsorId)), BigInt(seatOf(memberId))]
    await inTransaction(this.#db, (tx) => activateMaster(tx, sponsor, referral, this.#house.now))
  }
}

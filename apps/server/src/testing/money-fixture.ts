/** A server with a plan, filled pools, a clock that tests set, and a chain that tests write: money moves, nothing sleeps. */
import { createHash } from 'node:crypto'
import { connect, inTransaction } from '@aval/db'
import { formatMicro, type Micro, micro, parseMicro } from '@aval/money'
import { query } from '../core/query.sql.ts'
import { creditTransfer } from '../features/deposits/credit.commands.ts'
import { registerMember } from '../features/identity/registration/registration.commands.ts'
import { createInvoice } from '../features/investments/investments.commands.ts'
import { depositAddressOf } from '../features/investments/investments.queries.ts'
import { fundPool, payCommissions, runDue } from '../features/payout-runs/advance.commands.ts'
import { reverseInvestment } from '../features/payout-runs/reversals/reversals.commands.ts'
import { ensureFirstPlan } from '../features/plan-versions/plan-versions.commands.ts'
import { features } from '../features.ts'
import { checkLedger } from '../ledger/check.ts'
import { HOUSE } from '../ledger/ledger.commands.ts'
import { balancesOf } from '../ledger/ledger.queries.ts'
import { accessOf, createTestServer, join, signedIn, someone, type TestServer } from './server.ts'

const DAY_MS = 86_400_000

export const usdt = (text: string): Micro => parseMicro(text) ?? micro(-1n)

export type MoneyFixture = Awaited<ReturnType<typeof createMoneyFixture>>

let transfers = 0

/** Business time; tests move it. */
interface Now {
  now: Date
}

/** Members, and their calls. */
const people = (server: TestServer, money: Now) => ({
  member: (sponsorId = server.rootId) =>
    registerMember(server.context.db, { ...someone(), sponsorId }, money.now),
  operator: () => join(server, { isOperator: true }, server.rootId, money.now),
  /** A member of this name, who joins now. */
  joined: (username: string, sponsorId = server.rootId, isOperator = false) =>
    join(server, { username, isOperator }, sponsorId, money.now),
  client: (memberId: bigint) => signedIn(server, memberId),
  /** The authorization header of a signed-in member. */
  bearer: async (memberId: bigint) => ({ authorization: `Bearer ${await accessOf(server, memberId)}` }),
})

/** What members have, and what is taken back of it. */
function books({ rootId: operatorId, context: { db } }: TestServer, money: Now) {
  return {
    balancesOf: (memberId: bigint) => balancesOf(db, memberId),
    balanceOf: async (memberId: bigint) => (await balancesOf(db, memberId)).balance,
    async latestInvestment(memberId: bigint) {
      const ofMember = db.selectFrom('investment').select('id').where('member_id', '=', memberId)
      return (await ofMember.orderBy('id', 'desc').executeTakeFirstOrThrow()).id
    },
    reverse(investmentId: bigint) {
      const request = { investmentId, operatorId, reason: 'a mistake', now: money.now }
      return inTransaction(db, (tx) => reverseInvestment(tx, request))
    },
    faults: async (): Promise<readonly string[]> => (await checkLedger(db)).faults,
  }
}

/** @param served nothing where no call is made: to build them takes as long as to move the money of a test */
export async function createMoneyFixture(adminUrl: string, start: string, served = features) {
  const money: Now = { now: new Date(start) }
  const server = await createTestServer(adminUrl, served, {}, { now: async () => money.now })
  const gateway = connect(server.database.gatewayUrl, 2)
  const { db } = server.context
  await ensureFirstPlan(db)

  /** A solidified transfer to a member's address, as the gateway records it; answers its txid. */
  async function arrive(
    memberId: bigint,
    amount: string,
    options: { at?: Date; txid?: string; position?: number } = {},
  ): Promise<string> {
    transfers += 1
    const txid = options.txid ?? createHash('sha256').update(`transfer ${transfers}`).digest('hex')
    const address = await depositAddressOf(db, memberId)
    await query(gateway.db)`
      SELECT record_incoming_transfer(${txid}, ${options.position ?? 0}, ${transfers}, ${options.at ?? money.now}, 'credit',
      'usdt', 'sender', ${address}, ${usdt(amount)})`
    return txid
  }
  /** Records and credits. */
  async function receive(memberId: bigint, amount: string): Promise<string> {
    const txid = await arrive(memberId, amount)
    await creditTransfer(db, txid, 0, money.now)
    return txid
  }
  /** Pays what every investment owes its upline, as the jobs would. */
  const payAllDirect = () => payCommissions(db, money.now)
  const nextDay = (days = 1) => {
    money.now = new Date(money.now.getTime() + days * DAY_MS)
  }
  return Object.assign(money, people(server, money), books(server, money), {
    server,
    db,
    gateway,
    /** What only the owner of the tables can do. */
    owner: server.owner.db,
    nextDay,
    /** A day later, with what its midnight pays. */
    async payDay() {
      nextDay()
      await runDue(db, money.now)
    },
    arrive,
    receive,
    payAllDirect,
    /** Invoice, exact payment, credit and the upline's commissions. */
    async invest(memberId: bigint, amount: string) {
      const { invoice } = await inTransaction(db, (tx) =>
        createInvoice(tx, memberId, usdt(amount), money.now),
      )
      await receive(memberId, formatMicro(micro(invoice.amount + invoice.fee)))
      await payAllDirect()
    },
    async fund(pool: 'profit' | 'commission', amount: string) {
      await receive(HOUSE, amount)
      transfers += 1
      await inTransaction(db, (tx) => fundPool(tx, pool, usdt(amount), `test-${transfers}`, money.now))
    },
    async close(): Promise<void> {
      await gateway.close()
      await server.close()
    },
  })
}

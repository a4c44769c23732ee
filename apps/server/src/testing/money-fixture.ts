/** A server with a plan, filled pools, a clock that tests set, and a chain that tests write: money moves, nothing sleeps. */
import { createHash } from 'node:crypto'
import { connect, type Db, inTransaction, type Tx } from '@aval/db'
import { formatMicro, type Micro, micro, parseMicro } from '@aval/money'
import { query } from '../core/query.sql.ts'
import { creditTransfer } from '../features/deposits/credit.commands.ts'
import { registerMember } from '../features/identity/registration/registration.commands.ts'
import { investBalance } from '../features/investments/investments.commands.ts'
import { createInvoice } from '../features/investments/invoices.commands.ts'
import { proposeReversal } from '../features/payout-runs/reversals/reversals.commands.ts'
import { ensureFirstPlan } from '../features/plan-versions/plan-versions.commands.ts'
import { features } from '../features.ts'
import { checkLedger } from '../ledger/check.ts'
import { HOUSE } from '../ledger/ledger.commands.ts'
import { balancesOf } from '../ledger/ledger.queries.ts'
import { addressOf } from './addresses.ts'
import { payCommissions, resumeRuns, runDue } from './audited.ts'
import { approveProposed, decided, fundPool } from './deciding.ts'
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

/** What members have, what they invest of it, and what is taken back. */
function books({ rootId: operatorId, context: { db }, owner: { db: owner } }: TestServer, money: Now) {
  const within = <Result>(work: (tx: Tx) => Promise<Result>) => inTransaction(db, work)
  async function latestInvestment(memberId: bigint) {
    const ofMember = db.selectFrom('investment').select('id').where('member_id', '=', memberId)
    return (await ofMember.orderBy('id', 'desc').executeTakeFirstOrThrow()).id
  }
  const reverse = (investmentId: bigint) =>
    decided({ db, owner }, proposeReversal, {
      investmentId,
      operatorId,
      reason: 'a mistake',
      now: money.now,
    })
  return {
    within,
    balancesOf: (memberId: bigint) => balancesOf(db, memberId),
    balanceOf: async (memberId: bigint) => (await balancesOf(db, memberId)).balance,
    latestInvestment,
    reverse,
    reverseLatest: async (memberId: bigint) => reverse(await latestInvestment(memberId)),
    /** Invests from the balance. */
    reinvest: (memberId: bigint, amount: string, key = 'once') =>
      within((tx) => investBalance(tx, memberId, usdt(amount), money.now, key)),
    faults: async (): Promise<readonly string[]> => (await checkLedger(db)).faults,
  }
}

/** What is asked for, and what arrives on the chain. */
function payments({ context: { db } }: TestServer, gateway: Db, money: Now) {
  const invoiceOver = (memberId: bigint, amount: string) =>
    inTransaction(db, (tx) => createInvoice(tx, memberId, usdt(amount), money.now))
  /** A solidified transfer to a member's address, as the gateway records it; answers its txid. */
  async function arrive(
    memberId: bigint,
    amount: string,
    options: { at?: Date; txid?: string; position?: number } = {},
  ): Promise<string> {
    transfers += 1
    const txid = options.txid ?? createHash('sha256').update(`transfer ${transfers}`).digest('hex')
    const address = await addressOf(db, memberId)
    await query(gateway)`
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
  return {
    invoiceOver,
    arrive,
    receive,
    /** Invoice, exact payment and credit; the upline's commissions are left to a job. */
    async investOnly(memberId: bigint, amount: string) {
      const { invoice } = await invoiceOver(memberId, amount)
      await receive(memberId, formatMicro(micro(invoice.amount + invoice.fee)))
    },
  }
}

/** @param served nothing where no call is made: to build them takes as long as to move the money of a test */
export async function createMoneyFixture(adminUrl: string, start: string, served = features) {
  const money: Now = { now: new Date(start) }
  const server = await createTestServer(adminUrl, served, {}, { now: async () => money.now })
  const gateway = connect(server.database.gatewayUrl, 2)
  const { db } = server.context
  // Decides what operators decide.
  await query(
    server.owner.db,
  )`UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = ${server.rootId}`
  await ensureFirstPlan(db)
  const joining = people(server, money)
  const paying = payments(server, gateway.db, money)

  /** Pays what every investment owes its upline, as the jobs would. */
  const payAllDirect = () => payCommissions(db, money.now)
  const nextDay = (days = 1) => {
    money.now = new Date(money.now.getTime() + days * DAY_MS)
  }
  /** With the upline's commissions. */
  async function invest(memberId: bigint, amount: string) {
    await paying.investOnly(memberId, amount)
    await payAllDirect()
  }
  return Object.assign(money, joining, books(server, money), {
    ...paying,
    server,
    db,
    gateway,
    /** What only the owner of the tables can do. */
    owner: server.owner.db,
    /** Proposed by the server's own command, and applied as if operators had approved it. */
    decided: <Given extends { operatorId: bigint; now: Date }>(
      propose: (tx: Tx, given: Given) => Promise<bigint>,
      given: Given,
    ) => decided({ db, owner: server.owner.db }, propose, given),
    /** What was proposed about a subject, as if this operator had signed it. */
    signProposed: (subject: string, operatorId = server.rootId) =>
      approveProposed(server.owner.db, subject, operatorId, money.now),
    nextDay,
    /** Days later, with what each midnight pays. */
    async payDay(days = 1) {
      nextDay(days)
      await runDue(db, money.now)
    },
    /** Goes on with what waits. */
    resume: () => resumeRuns(db, money.now),
    payAllDirect,
    invest,
    /** A new member with this much invested. */
    async investor(amount: string, sponsorId?: bigint): Promise<bigint> {
      const memberId = await joining.member(sponsorId)
      await invest(memberId, amount)
      return memberId
    },
    async fund(pool: 'profit' | 'commission', amount: string) {
      await paying.receive(HOUSE, amount)
      transfers += 1
      await fundPool(server.owner.db, pool, usdt(amount), `test-${transfers}`, money.now)
    },
    async close(): Promise<void> {
      await gateway.close()
      await server.close()
    },
  })
}

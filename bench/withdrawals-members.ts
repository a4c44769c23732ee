/** Members who have paid in and want money out: made in bulk, paid on the chain, and asking by the server's own command. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, inTransaction } from '@aval/db'
import { micro } from '@aval/money'
import { DEFAULT_PLAN, type PlanDocument } from '@aval/plan'
import { addressFromHex, DEVNET, depositAddress, devnetAddress, type TronAddress } from '@aval/tron'
import type pg from 'pg'
import { registerMember } from '../apps/server/src/features/identity/registration/registration.commands.ts'
import { newTotpSecret } from '../apps/server/src/features/identity/second-factor/totp.ts'
import { assignTotpSecret } from '../apps/server/src/features/identity/second-factor/totp-setup.commands.ts'
import { openSession } from '../apps/server/src/features/identity/sessions/sessions.commands.ts'
import { placeWithdrawal } from '../apps/server/src/features/withdrawals/request.commands.ts'
import { storePlan } from '../apps/server/src/testing/deciding.ts'
import type { Cluster } from './cluster.ts'
import { asOwner } from './database.sql.ts'
import { LOAD_DATES } from './day.ts'
import { loadNetwork } from './load.ts'
import { forEachAtOnce, msSince, timed } from './measures.ts'
import { generateNetwork, type Network } from './network.ts'
import type { Tell } from './report.ts'
import { countCredited, givePlaces, selectHotBook } from './withdrawals.sql.ts'
import type { Product } from './withdrawals-product.ts'

const USDT = 1_000_000n
/** What each member pays in, and how much of it they ask for at first. */
const PAID_IN = 200n * USDT
const ASKED = { least: 25, most: 74 } as const
/** For the hot wallet: all that is asked for, and a tenth. */
const HOT_A_MEMBER = 82n * USDT
const CALLERS = 6

/** Nobody has to approve less than 100 USD, unless there is something to look at. */
const PLAN: PlanDocument = {
  ...DEFAULT_PLAN,
  withdrawals: {
    minimum: '20',
    fee: '1',
    dailyLimit: '5000',
    approvals: [
      { from: '0', operators: 0 },
      { from: '100', operators: 1 },
      { from: '1000', operators: 2 },
    ],
  },
}

/** What every member's browser says that it is. */
export const USER_AGENT = 'Mozilla/5.0 (benchmark)'

export interface Person {
  readonly memberId: bigint
  readonly wallet: TronAddress
}

/** Nobody's address, the same for the same name. */
export const strangersAddress = (name: string): TronAddress =>
  addressFromHex(`41${createHash('sha256').update(`bench ${name}`).digest('hex').slice(0, 40)}`)

/** The same people without an investment. */
const withoutMoney = (network: Network): Network => ({
  ...network,
  principal: new Uint8Array(network.members + 1),
  todays: new Int32Array(0),
  todaysAmount: new Uint8Array(0),
})

/** As many members as asked for in a prepared, empty database, each with a wallet and a deposit address of the signer's. */
export async function makeMembers({ ownerUrl }: Cluster, members: number, seed: number, tell: Tell) {
  const network = withoutMoney(generateNetwork(members, 'power', seed))
  await loadNetwork({ ownerUrl, network, thin: false, dates: LOAD_DATES, tell })
  const xpub = DEVNET.xpub
  const ids = Array.from({ length: members }, (_, index) => index + 1)
  const people = ids.map((id) => ({ memberId: BigInt(id), wallet: strangersAddress(`wallet ${id}`) }))
  const deposits = ids.map((id) => depositAddress(xpub, id))
  const wallets = people.map(({ wallet }) => wallet)
  await asOwner(ownerUrl, (owner) => givePlaces(owner, wallets, deposits))
  const owner = connect(ownerUrl, 1)
  await storePlan(owner.db, 1, new Date(0), PLAN).finally(() => owner.close())
  const hot = { to: devnetAddress('hotWallet'), amount: HOT_A_MEMBER * BigInt(members) }
  return { people, hot, deposits: deposits.map((to) => ({ to, amount: PAID_IN })) }
}

const CREDITED_WITHIN_MS = 1_800_000

/** Waits until every deposit is credited and the hot wallet is in the books. @returns how long that took, in milliseconds */
export async function allCredited(owner: pg.Client, members: number): Promise<number> {
  const begun = performance.now()
  while (msSince(begun) < CREDITED_WITHIN_MS) {
    if ((await countCredited(owner)) >= members && (await selectHotBook(owner)) > 0n) return msSince(begun)
    await pause(200)
  }
  throw new Error(`${await countCredited(owner)} of ${members} deposits were credited`)
}

/** Whole cents, different from one member to the next. */
const askedBy = (memberId: bigint): bigint => {
  const { least, most } = ASKED
  return BigInt(least) * USDT + ((memberId * 7_919n) % BigInt((most - least) * 100)) * 10_000n
}

async function askOnce({ context }: Product, { memberId, wallet }: Person): Promise<void> {
  const now = new Date()
  await inTransaction(context.db, async (tx) => {
    const { access } = await openSession(context, tx, { memberId, userAgent: USER_AGENT }, now)
    await placeWithdrawal(context, tx, {
      memberId,
      sessionId: sessionOf(access),
      device: { userAgent: USER_AGENT, ip: '127.0.0.1' },
      amount: micro(askedBy(memberId)),
      wallet,
      now,
      systemNow: now,
    })
  })
}

/** The session that an access token names. */
function sessionOf(access: string): string {
  return JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).sid
}

/** Each signs in and asks for a withdrawal by the server's own command, which needs no code. @returns milliseconds */
export const askAll = (product: Product, people: readonly Person[]): Promise<number> =>
  timed(() => forEachAtOnce(people, CALLERS, (person) => askOnce(product, person)))

/** An operator who decides. @returns the member's number */
export async function makeOperator({ context }: Product, owner: pg.Client): Promise<bigint> {
  const now = new Date()
  const operator = {
    username: 'olga',
    email: 'olga@bench.example',
    passwordHash: 'none',
    locale: 'es',
    sponsorId: 1n,
  } as const
  const memberId = await registerMember(context.db, operator, now)
  await owner.query(`UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = $1`, [memberId])
  await assignTotpSecret(context, memberId, newTotpSecret(), now)
  return memberId
}

/** The headers of somebody who signs in now; good for ten minutes. */
export async function signedIn(
  { context }: Product,
  memberId: bigint,
  secondFactor = false,
): Promise<Readonly<Record<string, string>>> {
  const who = { memberId, userAgent: USER_AGENT, secondFactor }
  const { access } = await inTransaction(context.db, (tx) => openSession(context, tx, who, new Date()))
  return { authorization: `Bearer ${access}`, 'user-agent': USER_AGENT }
}

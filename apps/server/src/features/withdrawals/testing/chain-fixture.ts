/** What the gateway and the signer do with transfers, each as its own role, on a chain that tests write. */
import { createHash } from 'node:crypto'
import type { Connection } from '@aval/db'
import { micro } from '@aval/money'
import { sql } from 'kysely'
import { HOUSE } from '../../../ledger/ledger.commands.ts'
import { type MoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { walletOf } from '../../identity/testing/member-fixture.ts'
import { bookOpening, settleTransfer } from '../settle.commands.ts'

export const HOT = walletOf(251)
export const COLD = walletOf(252)
const CAP = usdt('1000000')
const EXPIRES_MS = 60_000

/** What becomes of a transfer in the solid chain: it pays, unless it has another result. */
export interface Fate {
  readonly result?: string
  /** Less than was sent where the token takes a part. */
  readonly arrived?: string
}

export interface ChainFixture {
  /** What the gateway does for an approved one; the transfer's txid. */
  prepare(withdrawalId: bigint | number): Promise<string>
  sign(txid: string): Promise<string>
  broadcast(txid: string): Promise<void>
  /** The solid chain has it. @returns whether that was news */
  conclude(txid: string, fate?: Fate): Promise<boolean>
  /** The solid chain has it, and the job books it. */
  settle(txid: string, fate?: Fate): Promise<void>
  /** Prepared, signed, settled and booked. */
  pay(withdrawalId: bigint | number, fate?: Fate): Promise<string>
  /** A transfer between the company's own addresses, settled and booked. */
  move(purpose: 'sweep' | 'surplus', from: string, to: string, amount: string, fate?: Fate): Promise<string>
  /** Pins the company's wallets, the hot one holding this much. */
  openWallets(hot: string): Promise<void>
}

let transfers = 0
let blocks = 1000

function newTxid(): string {
  transfers += 1
  return createHash('sha256').update(`payment ${transfers}`).digest('hex')
}

interface NewPayment {
  readonly purpose: string
  readonly memberId: bigint
  readonly withdrawalId: bigint | null
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

async function prepareAny({ gateway, now }: MoneyFixture, payment: NewPayment): Promise<string> {
  const txid = newTxid()
  const expires = new Date(now.getTime() + EXPIRES_MS)
  const { rows } = await sql<{
    done: boolean
  }>`SELECT prepare_outgoing_transfer(${txid}, ${payment.purpose}, ${payment.memberId},
    ${payment.withdrawalId}, ${payment.from}, ${payment.to}, ${payment.amount}, ${Buffer.from(txid, 'hex')}, ${expires}, false) AS done`.execute(
    gateway.db,
  )
  if (rows[0]?.done !== true) throw new Error('the transfer could not be prepared')
  return txid
}

async function prepareFor(money: MoneyFixture, id: bigint): Promise<string> {
  const row = await money.server.context.db
    .selectFrom('withdrawal')
    .select(['member_id', 'amount', 'fee', 'wallet_address'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { member_id: memberId, amount, fee, wallet_address: to } = row
  return prepareAny(money, {
    purpose: 'withdrawal',
    memberId,
    withdrawalId: id,
    from: HOT,
    to,
    amount: amount - fee,
  })
}

async function sign(signer: Connection, txid: string): Promise<string> {
  const { rows } = await sql<{
    answer: string
  }>`SELECT sign_outgoing_transfer(${txid}, ${Buffer.alloc(65, 7)}, ${CAP}) AS answer`.execute(signer.db)
  return rows[0]?.answer ?? ''
}

async function conclude({ gateway, now }: MoneyFixture, txid: string, fate: Fate = {}): Promise<boolean> {
  blocks += 1
  const isSuccess = fate.result === undefined
  const arrived = fate.arrived === undefined ? null : usdt(fate.arrived)
  const { rows } = await sql<{
    news: boolean
  }>`SELECT settle_outgoing_transfer(txid, ${blocks}, ${now}, ${isSuccess},
    ${fate.result ?? 'SUCCESS'}, CASE WHEN ${isSuccess} THEN coalesce(${arrived}::bigint, amount) END, 345000) AS news
    FROM outgoing_transfer WHERE txid = ${txid}`.execute(gateway.db)
  return rows[0]?.news ?? false
}

async function openWallets({ gateway, server, now }: MoneyFixture, hot: string): Promise<void> {
  for (const [address, role, held] of [
    [HOT, 'hot', usdt(hot)],
    [COLD, 'cold', micro(0n)],
  ] as const) {
    await sql`SELECT register_custody(${address}, ${role}, ${held}, 1)`.execute(gateway.db)
    await bookOpening(server.context.db, address, now)
  }
}

async function ownerOf({ server }: MoneyFixture, address: string): Promise<bigint> {
  const row = await server.context.db
    .selectFrom('deposit_address')
    .select('member_id')
    .where('address', '=', address)
    .executeTakeFirst()
  return row?.member_id ?? HOUSE
}

export function createChainFixture(money: MoneyFixture, signer: Connection): ChainFixture {
  const settle: ChainFixture['settle'] = async (txid, fate) => {
    await conclude(money, txid, fate)
    await settleTransfer(money.server.context, txid, { now: money.now, systemNow: new Date() })
  }
  const deliver = async (txid: string, fate?: Fate) => {
    await sign(signer, txid)
    await settle(txid, fate)
    return txid
  }
  return {
    prepare: (id) => prepareFor(money, BigInt(id)),
    sign: (txid) => sign(signer, txid),
    async broadcast(txid) {
      await sql`UPDATE outgoing_transfer SET broadcast_at = now(), broadcasts = broadcasts + 1 WHERE txid = ${txid}`.execute(
        money.gateway.db,
      )
    },
    conclude: (txid, fate) => conclude(money, txid, fate),
    settle,
    pay: async (id, fate) => deliver(await prepareFor(money, BigInt(id)), fate),
    async move(purpose, from, to, amount, fate) {
      const memberId = await ownerOf(money, from)
      const payment = { purpose, memberId, withdrawalId: null, from, to, amount: usdt(amount) }
      return deliver(await prepareAny(money, payment), fate)
    },
    openWallets: (hot) => openWallets(money, hot),
  }
}

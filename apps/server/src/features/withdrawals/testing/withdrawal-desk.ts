/** A money house whose members have wallets, with a chain that tests write as the gateway and the signer would. */
import { createHash } from 'node:crypto'
import type { Withdrawal } from '@aval/contract'
import { type Connection, connect, type Database, inTransaction } from '@aval/db'
import { micro } from '@aval/money'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { HOUSE } from '../../../ledger/ledger.commands.ts'
import { createMoneyHouse, type MoneyHouse, usdt } from '../../../testing/money-house.ts'
import { codeFor, walletOf } from '../../accounts/testing/self.ts'
import { bookOpening, settlePayment } from '../settling.commands.ts'
import { type Ask, placeWithdrawal } from '../withdrawals.commands.ts'

export type Headers = Readonly<Record<string, string>>

/** A member who can withdraw, and one of whose sessions this is. */
export interface Withdrawer {
  readonly id: bigint
  readonly wallet: string
  readonly headers: Headers
}

export const HOT = walletOf(251)
export const COLD = walletOf(252)
const CAP = usdt('1000000')

/** What becomes of a transfer in the solid chain. */
export interface Fate {
  readonly result?: string
  readonly arrived?: string
}

export interface WithdrawalDesk extends MoneyHouse {
  readonly db: Database
  readonly signer: Connection
  /** A member with a wallet and, where it is given, a balance. */
  withdrawer(balance?: string): Promise<Withdrawer>
  call(method: 'GET' | 'POST', path: string, headers: Headers, body?: object): Promise<LightMyRequestResponse>
  /** Has a code e-mailed, and reads it. */
  code(who: Withdrawer, body?: object): Promise<string>
  /** Asks with a code made for it, as a client does. */
  ask(who: Withdrawer, amount: string, others?: object): Promise<LightMyRequestResponse>
  /** The same where it is taken for granted that it is right. */
  asked(who: Withdrawer, amount: string): Promise<Withdrawal>
  /** Without HTTP and codes. */
  place(who: Withdrawer, amount: string): Promise<bigint>
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
const newTxid = () => {
  transfers += 1
  return createHash('sha256').update(`payment ${transfers}`).digest('hex')
}

const EXPIRES_MS = 60_000

/** What the gateway and the signer do, each as its own role. */
function chainOf(house: MoneyHouse, signer: Connection) {
  const { db } = house.server.context
  const gateway = house.gateway.db
  let block = 1000

  const prepareAny = async (
    payment: { purpose: string; memberId: bigint; withdrawalId: bigint | null; from: string; to: string },
    amount: bigint,
  ): Promise<string> => {
    const txid = newTxid()
    const expires = new Date(house.now.getTime() + EXPIRES_MS)
    const { rows } = await sql<{
      done: boolean
    }>`SELECT prepare_payment(${txid}, ${payment.purpose}, ${payment.memberId},
      ${payment.withdrawalId}, ${payment.from}, ${payment.to}, ${amount}, ${Buffer.from(txid, 'hex')}, ${expires}, false) AS done`.execute(
      gateway,
    )
    if (rows[0]?.done !== true) throw new Error('the transfer could not be prepared')
    return txid
  }
  const prepare: WithdrawalDesk['prepare'] = async (id) => {
    const row = await db
      .selectFrom('withdrawal')
      .select(['member_id', 'amount', 'fee', 'wallet_address'])
      .where('id', '=', BigInt(id))
      .executeTakeFirstOrThrow()
    const payment = {
      purpose: 'withdrawal',
      memberId: row.member_id,
      withdrawalId: BigInt(id),
      from: HOT,
      to: row.wallet_address,
    }
    return prepareAny(payment, row.amount - row.fee)
  }
  const sign: WithdrawalDesk['sign'] = async (txid) => {
    const { rows } = await sql<{
      answer: string
    }>`SELECT sign_payment(${txid}, ${Buffer.alloc(65, 7)}, ${CAP}) AS answer`.execute(signer.db)
    return rows[0]?.answer ?? ''
  }
  const conclude: WithdrawalDesk['conclude'] = async (txid, fate = {}) => {
    block += 1
    const { rows: found } = await sql<{
      amount: bigint
    }>`SELECT amount FROM chain_payment WHERE txid = ${txid}`.execute(db)
    const isSuccess = fate.result === undefined
    const arrived = fate.arrived === undefined ? (found[0]?.amount ?? 0n) : usdt(fate.arrived)
    const { rows } = await sql<{
      news: boolean
    }>`SELECT settle_payment(${txid}, ${block}, ${house.now}, ${isSuccess},
      ${fate.result ?? 'SUCCESS'}, ${isSuccess ? arrived : null}, 345000) AS news`.execute(gateway)
    return rows[0]?.news ?? false
  }
  const settle: WithdrawalDesk['settle'] = async (txid, fate) => {
    await conclude(txid, fate)
    await settlePayment(house.server.context, txid, { now: house.now, systemNow: new Date() })
  }
  return {
    prepare,
    sign,
    conclude,
    settle,
    async broadcast(txid: string) {
      await sql`UPDATE chain_payment SET broadcast_at = now(), broadcasts = broadcasts + 1 WHERE txid = ${txid}`.execute(
        gateway,
      )
    },
    async pay(id: bigint | number, fate?: Fate) {
      const txid = await prepare(id)
      await sign(txid)
      await settle(txid, fate)
      return txid
    },
    async move(purpose: 'sweep' | 'surplus', from: string, to: string, amount: string, fate?: Fate) {
      const { rows } = await sql<{
        member_id: bigint
      }>`SELECT member_id FROM deposit_address WHERE address = ${from}`.execute(db)
      const memberId = rows[0]?.member_id ?? HOUSE
      const txid = await prepareAny({ purpose, memberId, withdrawalId: null, from, to }, usdt(amount))
      await sign(txid)
      await settle(txid, fate)
      return txid
    },
    async openWallets(hot: string) {
      for (const [address, role, held] of [
        [HOT, 'hot', usdt(hot)],
        [COLD, 'cold', micro(0n)],
      ] as const) {
        await sql`SELECT register_custody(${address}, ${role}, ${held}, 1)`.execute(gateway)
        await bookOpening(db, address, house.now)
      }
    },
  }
}

export async function openWithdrawalDesk(adminUrl: string, start: string): Promise<WithdrawalDesk> {
  const house = await createMoneyHouse(adminUrl, start)
  const { server } = house
  const { db } = server.context
  const signer = connect(server.database.signerUrl, 2)
  const closeHouse = house.close
  let wallets = 0

  const withdrawer: WithdrawalDesk['withdrawer'] = async (balance) => {
    wallets += 1
    const id = await house.member()
    const wallet = walletOf(wallets)
    await db.updateTable('member').set({ usdt_wallet: wallet, locale: 'en' }).where('id', '=', id).execute()
    if (balance !== undefined) await house.receive(id, balance)
    return { id, wallet, headers: await house.bearer(id) }
  }
  const call: WithdrawalDesk['call'] = (method, path, headers, body) =>
    server.call({
      method,
      url: `/api/${path}`,
      headers: { 'accept-language': 'en', 'user-agent': 'Firefox', ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
  const code: WithdrawalDesk['code'] = async (who, body) => {
    const answer = await call('POST', 'withdrawals/withdrawals/create-code/', who.headers, body)
    if (answer.statusCode !== 200) throw new Error(`no code was made: ${answer.body}`)
    return codeFor(server, who.id)
  }
  const ask: WithdrawalDesk['ask'] = async (who, amount, others = {}) =>
    call('POST', 'withdrawals/withdrawals/', who.headers, {
      amount,
      wallet_address: who.wallet,
      used_code: await code(who),
      ...others,
    })
  return Object.assign(house, chainOf(house, signer), {
    db,
    signer,
    withdrawer,
    call,
    code,
    ask,
    async asked(who: Withdrawer, amount: string) {
      const answer = await ask(who, amount)
      if (answer.statusCode !== 201) throw new Error(`not asked for: ${answer.body}`)
      return answer.json() as Withdrawal
    },
    async place({ id: memberId, wallet, headers }: Withdrawer, amount: string) {
      const ask: Ask = {
        memberId,
        sessionId: sessionOf(headers),
        device: { userAgent: 'Firefox', ip: '127.0.0.1' },
        amount: usdt(amount),
        wallet,
        now: house.now,
        systemNow: new Date(),
      }
      return inTransaction(db, (tx) => placeWithdrawal(server.context, tx, ask))
    },
    close: async () => {
      await signer.close()
      await closeHouse()
    },
  })
}

/** The session that an access token names. */
function sessionOf(headers: Headers): string {
  const payload = headers['authorization']?.split('.')[1] ?? ''
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).sid
}

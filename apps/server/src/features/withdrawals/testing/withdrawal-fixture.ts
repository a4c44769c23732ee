/** A money fixture whose members withdraw, with a chain that tests write as the gateway and the signer would, each in its role. */
import { createHash } from 'node:crypto'
import type { Withdrawal } from '@aval/contract'
import { type Connection, connect, inTransaction } from '@aval/db'
import type { LightMyRequestResponse } from 'fastify'
import { HOUSE } from '../../../ledger/ledger.commands.ts'
import { createMoneyFixture, type MoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { emailCodeFor, walletOf } from '../../identity/testing/member-fixture.ts'
import { placeWithdrawal } from '../request.commands.ts'
import { bookOpening, settleTransfer } from '../settle.commands.ts'
import { query } from '../../../core/query.sql.ts'

export const HOT = walletOf(251)
export const COLD = walletOf(252)
const CAP = usdt('1000000')
const EXPIRES_MS = 60_000

export type Headers = Readonly<Record<string, string>>

/** A member who can withdraw, and one of whose sessions this is. */
export interface Withdrawer {
  readonly id: bigint
  readonly wallet: string
  readonly headers: Headers
}

/** What becomes of a transfer in the solid chain: it pays, unless it has another result. */
interface Fate {
  readonly result?: string
  /** Less than was sent where the token takes a part. */
  readonly arrived?: string
}

export type WithdrawalFixture = Awaited<ReturnType<typeof createWithdrawalFixture>>

export async function createWithdrawalFixture(adminUrl: string, start: string) {
  const money = await createMoneyFixture(adminUrl, start)
  const { close, server } = money
  const signer = connect(server.database.signerUrl, 2)
  return Object.assign(money, withdrawing(money), transferring(money, signer), {
    db: server.context.db,
    signer,
    close: async () => {
      await signer.close()
      await close()
    },
  })
}

/** Members and their calls. */
function withdrawing(money: MoneyFixture) {
  const { server } = money
  const { db } = server.context
  let wallets = 0

  const call = (method: 'GET' | 'POST', path: string, headers: Headers, body?: object) =>
    server.call({
      method,
      url: `/api/${path}`,
      headers: { 'accept-language': 'en', 'user-agent': 'Firefox', ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
  /** Has a code e-mailed, and reads it. */
  const code = async (who: Withdrawer, body?: object): Promise<string> => {
    const answer = await call('POST', 'withdrawals/withdrawals/create-code/', who.headers, body)
    if (answer.statusCode !== 200) throw new Error(`no code was made: ${answer.body}`)
    return emailCodeFor(server, who.id)
  }
  /** Asks with a code made for it, as a client does. */
  const ask = async (who: Withdrawer, amount: string): Promise<LightMyRequestResponse> =>
    call('POST', 'withdrawals/withdrawals/', who.headers, {
      amount,
      wallet_address: who.wallet,
      used_code: await code(who),
    })
  return {
    call,
    code,
    ask,
    /** A member with a wallet and, where it is given, a balance. */
    async withdrawer(balance?: string): Promise<Withdrawer> {
      wallets += 1
      const id = await money.member()
      const wallet = walletOf(wallets)
      await db.updateTable('member').set({ usdt_wallet: wallet, locale: 'en' }).where('id', '=', id).execute()
      if (balance !== undefined) await money.receive(id, balance)
      return { id, wallet, headers: await money.bearer(id) }
    },
    /** Asks as `ask` does, where it is taken for granted that nothing refuses it. */
    async asked(who: Withdrawer, amount: string) {
      const answer = await ask(who, amount)
      if (answer.statusCode !== 201) throw new Error(`not asked for: ${answer.body}`)
      return answer.json() as Withdrawal
    },
    /** Asks without HTTP and codes. */
    place({ id: memberId, wallet, headers }: Withdrawer, amount: string): Promise<bigint> {
      const request = {
        memberId,
        sessionId: sessionOf(headers),
        device: { userAgent: 'Firefox', ip: '127.0.0.1' },
        amount: usdt(amount),
        wallet,
        now: money.now,
        systemNow: new Date(),
      }
      return inTransaction(db, (tx) => placeWithdrawal(server.context, tx, request))
    },
  }
}

/** The session that an access token names. */
function sessionOf(headers: Headers): string {
  const payload = headers['authorization']?.split('.')[1] ?? ''
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).sid
}

let transfers = 0
let blocks = 1000

interface Payment {
  readonly memberId: bigint
  readonly withdrawalId: bigint | null
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** Preparing outgoing transfers. */
function preparing(money: MoneyFixture) {
  const { gateway, server } = money
  const { db } = server.context

  async function prepareAny(purpose: string, payment: Payment): Promise<string> {
    transfers += 1
    const txid = createHash('sha256').update(`payment ${transfers}`).digest('hex')
    const { memberId, withdrawalId, from, to, amount } = payment
    const expires = new Date(money.now.getTime() + EXPIRES_MS)
    const rows = await query<{ done: boolean }>(gateway.db)`
      SELECT prepare_outgoing_transfer(${txid}, ${purpose}, ${memberId}, ${withdrawalId}, ${from}, ${to}, ${amount},
        ${Buffer.from(txid, 'hex')}, ${expires}, false) AS done`
    if (rows[0]?.done !== true) throw new Error('the transfer could not be prepared')
    return txid
  }
  /** What the gateway does for an approved one; the transfer's txid. */
  async function prepare(id: bigint | number): Promise<string> {
    const row = await db
      .selectFrom('withdrawal')
      .select(['member_id', 'amount', 'fee', 'wallet_address'])
      .where('id', '=', BigInt(id))
      .executeTakeFirstOrThrow()
    const { member_id: memberId, amount, fee, wallet_address: to } = row
    return prepareAny('withdrawal', {
      memberId,
      withdrawalId: BigInt(id),
      from: HOT,
      to,
      amount: amount - fee,
    })
  }
  /** Prepares a transfer between our own addresses; its txid. */
  async function prepareOwn(purpose: 'sweep' | 'surplus', from: string, to: string, amount: string) {
    const owner = db.selectFrom('deposit_address').select('member_id').where('address', '=', from)
    const memberId = (await owner.executeTakeFirst())?.member_id ?? HOUSE
    return prepareAny(purpose, { memberId, withdrawalId: null, from, to, amount: usdt(amount) })
  }
  return { prepare, prepareOwn }
}

/** Outgoing transfers. */
function transferring(money: MoneyFixture, signer: Connection) {
  const { gateway, server } = money
  const { db } = server.context
  const { prepare, prepareOwn } = preparing(money)

  async function sign(txid: string): Promise<string> {
    const rows = await query<{ answer: string }>(signer.db)`
      SELECT sign_outgoing_transfer(${txid}, ${Buffer.alloc(65, 7)}, ${CAP}) AS answer`
    return rows[0]?.answer ?? ''
  }
  /** The solid chain has it. @returns whether that was news */
  async function conclude(txid: string, fate: Fate = {}): Promise<boolean> {
    blocks += 1
    const isSuccess = fate.result === undefined
    const arrived = fate.arrived === undefined ? null : usdt(fate.arrived)
    const rows = await query<{ news: boolean }>(gateway.db)`
      SELECT settle_outgoing_transfer(txid, ${blocks}, ${money.now}, ${isSuccess}, ${fate.result ?? 'SUCCESS'},
        CASE WHEN ${isSuccess} THEN coalesce(${arrived}::bigint, amount) END, 345000) AS news
      FROM outgoing_transfer WHERE txid = ${txid}`
    return rows[0]?.news ?? false
  }
  /** The solid chain has it, and the job books it. */
  async function settle(txid: string, fate?: Fate): Promise<void> {
    await conclude(txid, fate)
    await settleTransfer(server.context, txid, { now: money.now, systemNow: new Date() })
  }
  async function signAndSettle(txid: string, fate?: Fate): Promise<string> {
    await sign(txid)
    await settle(txid, fate)
    return txid
  }
  return {
    prepare,
    prepareOwn,
    sign,
    conclude,
    settle,
    async broadcast(txid: string) {
      await query(gateway.db)`UPDATE outgoing_transfer SET broadcast_at = now(), broadcasts = broadcasts + 1 WHERE txid = ${txid}`
    },
    /** Prepared, signed, settled and booked. */
    pay: async (id: bigint | number, fate?: Fate) => signAndSettle(await prepare(id), fate),
    /** A transfer between the company's own addresses, settled and booked. */
    move: async (purpose: 'sweep' | 'surplus', from: string, to: string, amount: string, fate?: Fate) =>
      signAndSettle(await prepareOwn(purpose, from, to, amount), fate),
    /** Pins the company's wallets at a block, and books what they hold. */
    async openWallets(hot: string, cold = '0', block = 1): Promise<void> {
      for (const [address, role, held] of [
        [HOT, 'hot', usdt(hot)],
        [COLD, 'cold', usdt(cold)],
      ] as const) {
        await query(gateway.db)`SELECT register_custody(${address}, ${role}, ${held}, ${block})`
        await bookOpening(db, address, money.now)
      }
    },
  }
}

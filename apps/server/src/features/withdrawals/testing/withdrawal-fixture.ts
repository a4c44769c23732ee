/** A money fixture whose members withdraw, with a chain that tests write as the gateway and the signer would, each in its role. */
import { createHash, randomBytes } from 'node:crypto'
import type { Withdrawal } from '@aval/contract'
import { type Connection, connect, inTransaction } from '@aval/db'
import type { LightMyRequestResponse } from 'fastify'
import { query, queryOne, queryValue } from '../../../core/query.sql.ts'
import { HOUSE } from '../../../ledger/ledger.commands.ts'
import { createMoneyFixture, type MoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { type Client, clientOf } from '../../../testing/server.ts'
import { emailCodeFor, sessionIn, walletOf } from '../../identity/testing/member-fixture.ts'
import { cancelWithdrawal } from '../decide.commands.ts'
import { placeWithdrawal } from '../request.commands.ts'
import { settleTransfer } from '../settle.commands.ts'
import { bookOpening } from '../withdrawals.sql.ts'

export const HOT = walletOf(251)
export const COLD = walletOf(252)
const CAP = usdt('1000000')
const EXPIRES_MS = 60_000

/** A member who can withdraw, in one session. */
export interface Withdrawer extends Client {
  readonly id: bigint
  readonly wallet: string
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
  const approvals = connect(server.database.approvalsUrl, 1)
  const approving = createApproving(approvals, signer)
  return Object.assign(money, withdrawing(money, approving), transferring(money, signer), {
    signer,
    approvals,
    close: async () => {
      await Promise.all([signer.close(), approvals.close()])
      await close()
    },
  })
}

/**
 * Approvals as their page stores them and the signer accepts them, each in its role. What an operator's key signs is of no interest
 * here: the signer's tests are about that.
 */
function createApproving(page: Connection, signer: Connection) {
  return {
    async approve(id: bigint, operatorId: bigint): Promise<string> {
      const approval = await queryValue<bigint>(page.db)`
        SELECT submit_approval(${operatorId}, 'withdrawals', (SELECT network FROM installation), ${randomBytes(32).toString('hex')},
          clock_timestamp() + interval '9 minutes', ${'0'.repeat(64)}, '{}', ARRAY[id], ARRAY[member_id], ARRAY[amount], ARRAY[fee],
          ARRAY[wallet_address]) FROM withdrawal WHERE id = ${id}`
      return queryValue<string>(signer.db)`SELECT accept_approval(${approval})`
    },
  }
}

/** Members and their calls. */
function withdrawing(money: MoneyFixture, approving: ReturnType<typeof createApproving>) {
  const { server, db } = money
  let wallets = 0
  const moment = () => ({ now: money.now, systemNow: new Date() })
  /** Has a code e-mailed, and reads it. */
  const code = async (who: Withdrawer, body?: object): Promise<string> => {
    const answer = await who.post('withdrawals/withdrawals/create-code/', body)
    if (answer.statusCode !== 200) throw new Error(`no code was made: ${answer.body}`)
    return emailCodeFor(server, who.id)
  }
  /** Asks with a code made for it, as a client does. */
  const ask = async (who: Withdrawer, amount: string): Promise<LightMyRequestResponse> =>
    who.post('withdrawals/withdrawals/', {
      amount,
      wallet_address: who.wallet,
      used_code: await code(who),
    })
  /** A new session of a member, in Firefox. */
  const firefox = async (id: bigint) => {
    const bearer = await money.bearer(id)
    await query(
      money.owner,
    )`UPDATE session SET user_agent = 'Firefox' WHERE member_id = ${id} AND id = ${sessionIn(bearer.authorization)}`
    return clientOf(server, { 'user-agent': 'Firefox', ...bearer })
  }
  return {
    firefox,
    /** When something is decided or settled. */
    moment,
    /** An operator approves one on the page of approvals, and the signer accepts it; what the database says to that. */
    approve: (id: bigint | number, operatorId: bigint) => approving.approve(BigInt(id), operatorId),
    cancel: ({ id: memberId }: Withdrawer, id: bigint) =>
      inTransaction(db, (tx) => cancelWithdrawal(tx, { memberId, id, ...moment() })),
    code,
    ask,
    /** A member with a wallet and, where it is given, a balance. */
    async withdrawer(balance?: string): Promise<Withdrawer> {
      wallets += 1
      const id = await money.member()
      const wallet = walletOf(wallets)
      // As if both had been said with codes.
      const said = { usdt_wallet: wallet, email_proven_at: money.now, locale: 'en' }
      await db.updateTable('member').set(said).where('id', '=', id).execute()
      if (balance !== undefined) await money.receive(id, balance)
      return { id, wallet, ...(await firefox(id)) }
    },
    /** Asks as `ask` does, and is not refused. */
    async asked(who: Withdrawer, amount: string) {
      const answer = await ask(who, amount)
      if (answer.statusCode !== 201) throw new Error(`not asked for: ${answer.body}`)
      return answer.json() as Withdrawal
    },
    /** Asks without HTTP and codes. */
    place({ id: memberId, wallet, headers }: Withdrawer, amount: string): Promise<bigint> {
      const request = {
        memberId,
        sessionId: sessionIn(headers['authorization'] ?? ''),
        device: { userAgent: 'Firefox', ip: '127.0.0.1' },
        amount: usdt(amount),
        wallet,
        ...moment(),
      }
      return inTransaction(db, (tx) => placeWithdrawal(server.context, tx, request))
    },
  }
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
  const { gateway, db } = money

  async function prepareAny(purpose: string, payment: Payment): Promise<string> {
    transfers += 1
    const txid = createHash('sha256').update(`payment ${transfers}`).digest('hex')
    const { memberId, withdrawalId, from, to, amount } = payment
    const expires = new Date(money.now.getTime() + EXPIRES_MS)
    const done = await queryValue<boolean>(gateway.db)`
      SELECT prepare_outgoing_transfer(${txid}, ${purpose}, ${memberId}, ${withdrawalId}, ${from}, ${to}, ${amount},
        ${Buffer.from(txid, 'hex')}, ${expires}, false)`
    if (!done) throw new Error('the transfer could not be prepared')
    return txid
  }
  /** What the gateway does for an approved one; the transfer's txid. */
  async function prepare(id: bigint | number): Promise<string> {
    const withdrawal = await queryOne<Omit<Payment, 'from'>>(db)`
      SELECT member_id AS "memberId", id AS "withdrawalId", wallet_address AS to, amount - fee AS amount
      FROM withdrawal WHERE id = ${id}`
    return prepareAny('withdrawal', { ...withdrawal, from: HOT })
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
  const { gateway, server, db } = money
  const { prepare, prepareOwn } = preparing(money)

  const sign = (txid: string) =>
    queryValue<string>(signer.db)`SELECT sign_outgoing_transfer(${txid}, ${Buffer.alloc(65, 7)}, ${CAP})`
  /** The solid chain has it. @returns whether that was news */
  async function conclude(txid: string, fate: Fate = {}): Promise<boolean> {
    blocks += 1
    const isSuccess = fate.result === undefined
    const arrived = fate.arrived === undefined ? null : usdt(fate.arrived)
    return queryValue<boolean>(gateway.db)`
      SELECT settle_outgoing_transfer(txid, ${blocks}, ${money.now}, ${isSuccess}, ${fate.result ?? 'SUCCESS'},
        CASE WHEN ${isSuccess} THEN coalesce(${arrived}::bigint, amount) END, 345000)
      FROM outgoing_transfer WHERE txid = ${txid}`
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
    /** @returns whether it can never arrive any more, and is given up */
    expire: (txid: string) =>
      queryValue<boolean>(gateway.db)`SELECT expire_outgoing_transfer(${txid}, 'devnet')`,
    async broadcast(txid: string) {
      await query(gateway.db)`
        UPDATE outgoing_transfer SET broadcast_at = now(), broadcasts = broadcasts + 1 WHERE txid = ${txid}`
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

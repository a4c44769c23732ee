/** A money fixture whose members have wallets, with a chain that tests write as the gateway and the signer would. */
import type { Withdrawal } from '@aval/contract'
import { type Connection, connect, type Database, inTransaction } from '@aval/db'
import type { LightMyRequestResponse } from 'fastify'
import { createMoneyFixture, type MoneyFixture, usdt } from '../../../testing/money-fixture.ts'
import { emailCodeFor, walletOf } from '../../identity/testing/member-fixture.ts'
import { placeWithdrawal, type WithdrawalRequest } from '../request.commands.ts'
import { type ChainFixture, createChainFixture } from './chain-fixture.ts'

export { COLD, HOT } from './chain-fixture.ts'

export type Headers = Readonly<Record<string, string>>

/** A member who can withdraw, and one of whose sessions this is. */
export interface Withdrawer {
  readonly id: bigint
  readonly wallet: string
  readonly headers: Headers
}

export interface WithdrawalFixture extends MoneyFixture, ChainFixture {
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
}

export async function createWithdrawalFixture(adminUrl: string, start: string): Promise<WithdrawalFixture> {
  const money = await createMoneyFixture(adminUrl, start)
  const { server } = money
  const { db } = server.context
  const signer = connect(server.database.signerUrl, 2)
  const closeHouse = money.close
  let wallets = 0

  const withdrawer: WithdrawalFixture['withdrawer'] = async (balance) => {
    wallets += 1
    const id = await money.member()
    const wallet = walletOf(wallets)
    await db.updateTable('member').set({ usdt_wallet: wallet, locale: 'en' }).where('id', '=', id).execute()
    if (balance !== undefined) await money.receive(id, balance)
    return { id, wallet, headers: await money.bearer(id) }
  }
  const call: WithdrawalFixture['call'] = (method, path, headers, body) =>
    server.call({
      method,
      url: `/api/${path}`,
      headers: { 'accept-language': 'en', 'user-agent': 'Firefox', ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
  const code: WithdrawalFixture['code'] = async (who, body) => {
    const answer = await call('POST', 'withdrawals/withdrawals/create-code/', who.headers, body)
    if (answer.statusCode !== 200) throw new Error(`no code was made: ${answer.body}`)
    return emailCodeFor(server, who.id)
  }
  const ask: WithdrawalFixture['ask'] = async (who, amount, others = {}) =>
    call('POST', 'withdrawals/withdrawals/', who.headers, {
      amount,
      wallet_address: who.wallet,
      used_code: await code(who),
      ...others,
    })
  return Object.assign(money, createChainFixture(money, signer), {
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
      const ask: WithdrawalRequest = {
        memberId,
        sessionId: sessionOf(headers),
        device: { userAgent: 'Firefox', ip: '127.0.0.1' },
        amount: usdt(amount),
        wallet,
        now: money.now,
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

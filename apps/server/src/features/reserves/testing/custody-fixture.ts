/** A withdrawal custody whose company has money in both wallets, and a chain that tests write: blocks, transfers, readings. */
import { type Connection, connect, inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { usdt } from '../../../testing/money-fixture.ts'
import { depositAddressOf } from '../../investments/investments.queries.ts'
import { decide } from '../../withdrawals/decide.commands.ts'
import { bookOpening } from '../../withdrawals/settle.commands.ts'
import {
  COLD,
  createWithdrawalFixture,
  HOT,
  type WithdrawalFixture,
  type Withdrawer,
} from '../../withdrawals/testing/withdrawal-fixture.ts'
import { checkReserves } from '../check.commands.ts'
import type { Comparison } from '../reserves.rules.ts'

export { COLD, HOT } from '../../withdrawals/testing/withdrawal-fixture.ts'

/** A transfer to one of our addresses, and the block that it is in. */
interface Arrival {
  readonly to: string
  readonly from?: string
  readonly amount: string
  readonly block: bigint
  readonly txid: string
}

export interface CustodyFixture {
  readonly money: WithdrawalFixture
  /** The chain's owner: for what only somebody outside does. */
  readonly owner: Connection
  /** System time of the next comparison. */
  at: Date
  /** The last block whose events are recorded. */
  block: bigint
  /** A block goes by, with nothing in it but what `events` records. */
  mine(events?: (block: bigint) => Promise<unknown>): Promise<void>
  record(arrival: Arrival): Promise<unknown>
  /** A node says that an address holds so much more or less than it must, at the last block. */
  read(address: string, change: bigint, blocks?: { from: bigint; to: bigint }): Promise<void>
  /** Every address as it must be. */
  readAll(): Promise<void>
  check(): Promise<Comparison>
  stopped(): Promise<boolean>
  deposit(memberId: bigint): Promise<string>
  /** An approved withdrawal of 50, 49 of which arrive; the txid of its transfer, which is prepared. */
  withdrawal(who: Withdrawer, operatorId: bigint): Promise<string>
  /** Prepares a transfer between our own addresses; its txid. */
  prepare(purpose: 'sweep' | 'surplus', memberId: bigint, amount: string): Promise<string>
  settle(txid: string, arrived: string, block: bigint): Promise<unknown>
  faults(): Promise<readonly string[]>
  close(): Promise<void>
}

let prepared = 0

function chainOf(
  custody: CustodyFixture,
): Pick<CustodyFixture, 'mine' | 'record' | 'read' | 'readAll' | 'settle'> {
  const { db } = custody.money.gateway
  const readings = (address: string | null, change: bigint, from: bigint, to: bigint) =>
    sql`INSERT INTO custody_reading (address, usdt, trx, from_block, to_block, read_at)
      SELECT address, amount + ${change}::bigint, 7000000, ${from}, ${to}, ${custody.at} FROM custody_holding
      WHERE address = coalesce(${address}, address)
      ON CONFLICT (address) DO UPDATE SET usdt = excluded.usdt, from_block = excluded.from_block, to_block = excluded.to_block,
        read_at = excluded.read_at`.execute(db)
  return {
    async mine(events) {
      const block = custody.block + 1n
      await events?.(block)
      custody.block = block
      await sql`INSERT INTO chain_cursor (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at)
        VALUES ('devnet', ${block}, 'id', ${block + 3n}, ${block}, now())
        ON CONFLICT (network) DO UPDATE SET scanned_block = ${block}, solid_block = ${block}, head_block = ${block + 3n}`.execute(
        db,
      )
    },
    record: ({ to, from = 'TSomebody', amount, block, txid }) =>
      sql`SELECT record_incoming_transfer(${txid}, 0, ${block}, ${custody.money.now}, 'credit', 'usdt', ${from}, ${to}, ${usdt(amount)})`.execute(
        db,
      ),
    async read(address, change, blocks = { from: custody.block, to: custody.block }) {
      await readings(address, change, blocks.from, blocks.to)
    },
    async readAll() {
      await readings(null, 0n, custody.block, custody.block)
    },
    settle: (txid, arrived, block) =>
      sql`SELECT settle_outgoing_transfer(${txid}, ${block}, now(), true, 'SUCCESS', ${usdt(arrived)}, 1500000)`.execute(
        db,
      ),
  }
}

function paymentsOf({ money }: CustodyFixture): Pick<CustodyFixture, 'deposit' | 'withdrawal' | 'prepare'> {
  const { db } = money
  const deposit = (memberId: bigint) => depositAddressOf(db, memberId)
  return {
    deposit,
    async withdrawal(who, operatorId) {
      const id = await money.place(who, '50')
      const moment = { operatorId, now: money.now, systemNow: new Date() }
      await inTransaction(db, (tx) => decide(tx, { decision: 'approve', ids: [id], reason: '' }, moment))
      return money.prepare(id)
    },
    async prepare(purpose, memberId, amount) {
      prepared += 1
      const txid = prepared.toString(16).padStart(64, '0')
      const [from, to] = purpose === 'sweep' ? [await deposit(memberId), HOT] : [HOT, COLD]
      await sql`SELECT prepare_outgoing_transfer(${txid}, ${purpose}, ${memberId}, NULL, ${from}, ${to}, ${usdt(amount)}, ${Buffer.from(txid, 'hex')},
        ${new Date(money.now.getTime() + 60_000)}, false)`.execute(money.gateway.db)
      return txid
    },
  }
}

/** Hot holds 1,000 USDT and cold 500. Blocks begin above those that the withdrawal fixture invents. */
export async function createCustodyFixture(ownerUrl: string, start: string): Promise<CustodyFixture> {
  const money = await createWithdrawalFixture(ownerUrl, start)
  const { db } = money
  const custody = { money, at: new Date(), block: 1_000_000n } as CustodyFixture
  Object.assign(custody, chainOf(custody), paymentsOf(custody), {
    owner: connect(money.server.database.ownerUrl, 1),
    faults: money.faults,
    async close() {
      await custody.owner.close()
      await money.close()
    },
    check: () => checkReserves(db, custody.at),
    async stopped() {
      return (await db.selectFrom('payout_stop').select('stopped').executeTakeFirstOrThrow()).stopped
    },
  })
  await sql`SELECT register_custody(${HOT}, 'hot', ${usdt('1000')}, 999999),
    register_custody(${COLD}, 'cold', ${usdt('500')}, 999999)`.execute(money.gateway.db)
  await bookOpening(db, HOT, money.now)
  await bookOpening(db, COLD, money.now)
  await custody.mine()
  return custody
}

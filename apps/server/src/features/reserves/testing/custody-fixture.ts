/** A withdrawal fixture whose company has money in both wallets, and a chain that tests write: blocks, transfers, readings. */
import { query } from '../../../core/query.sql.ts'
import { addressOf } from '../../../testing/addresses.ts'
import { usdt } from '../../../testing/money-fixture.ts'
import {
  COLD,
  createWithdrawalFixture,
  HOT,
  type WithdrawalFixture,
  type Withdrawer,
} from '../../withdrawals/testing/withdrawal-fixture.ts'
import { checkReserves } from '../check.commands.ts'

/** Blocks and readings of a chain that is read up to `state.block`, at `state.at` of the system's time. */
function chainOf(money: WithdrawalFixture, state: { at: Date; block: bigint }) {
  const chain = money.gateway.db
  /** A node says that an address, or each of them, holds so much more or less than it must, at the last block. */
  const read = (
    address: string | null,
    change: bigint,
    { from, to } = { from: state.block, to: state.block },
  ): Promise<unknown> =>
    query(chain)`INSERT INTO custody_reading (address, usdt, trx, from_block, to_block, read_at)
      SELECT address, amount + ${change}::bigint, 7000000, ${from}, ${to}, ${state.at} FROM custody_holding
      WHERE address = coalesce(${address}, address)
      ON CONFLICT (address) DO UPDATE SET usdt = excluded.usdt, from_block = excluded.from_block, to_block = excluded.to_block,
        read_at = excluded.read_at`
  /** A block goes by, with nothing in it but what `events` records. */
  async function mine(events?: (block: bigint) => Promise<unknown>): Promise<void> {
    const block = state.block + 1n
    await events?.(block)
    state.block = block
    await query(money.owner)`
      INSERT INTO chain_cursor (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at)
      VALUES ('devnet', ${block}, 'id', ${block + 3n}, ${block}, now())
      ON CONFLICT (network) DO UPDATE SET scanned_block = ${block}, solid_block = ${block}, head_block = ${block + 3n}`
  }
  return { read, mine }
}

/** Hot holds 1,000 USDT and cold 500. Blocks begin above those that the withdrawal fixture invents. */
export async function createCustodyFixture(ownerUrl: string, start: string) {
  const money = await createWithdrawalFixture(ownerUrl, start)
  const { db } = money
  const chain = money.gateway.db
  /** `at`: system time of the next comparison; `block`: the last one whose events are recorded. */
  const state = { at: new Date(), block: 1_000_000n }
  const deposit = (memberId: bigint) => addressOf(db, memberId)
  const { read, mine } = chainOf(money, state)
  const check = () => checkReserves(db, state.at)
  await money.openWallets('1000', '500', 999_999)
  await mine()
  return Object.assign(state, {
    money,
    deposit,
    mine,
    /** A transfer to one of our addresses, in this block. */
    record: (to: string, from: string, amount: string, block: bigint, txid: string) =>
      query(chain)`
        SELECT record_incoming_transfer(${txid}, 0, ${block}, ${money.now}, 'credit', 'usdt', ${from}, ${to}, ${usdt(amount)})`,
    read,
    /** The same, and the comparison that follows. */
    async readAndCheck(...reading: Parameters<typeof read>) {
      await read(...reading)
      return check()
    },
    /** Every address as it must be. */
    readAll: () => read(null, 0n),
    check,
    async stopped() {
      return (await db.selectFrom('payout_stop').select('stopped').executeTakeFirstOrThrow()).stopped
    },
    /** An approved withdrawal of 50, 49 of which arrive; the txid of its transfer, which is prepared. */
    async withdrawal(who: Withdrawer, operatorId: bigint): Promise<string> {
      const id = await money.place(who, '50')
      await money.approve(id, operatorId)
      return money.prepare(id)
    },
    /** Prepares a transfer between our own addresses; its txid. */
    prepare: async (purpose: 'sweep' | 'surplus', memberId: bigint, amount: string) =>
      purpose === 'sweep'
        ? money.prepareOwn(purpose, await deposit(memberId), HOT, amount)
        : money.prepareOwn(purpose, HOT, COLD, amount),
    settle: (txid: string, arrived: string, block: bigint) =>
      query(chain)`
        SELECT settle_outgoing_transfer(${txid}, ${block}, now(), true, 'SUCCESS', ${usdt(arrived)}, 1500000)`,
    faults: money.faults,
    close: money.close,
  })
}

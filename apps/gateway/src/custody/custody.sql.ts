/** The company's wallets, what our addresses should hold by the events read, and the balances read from the nodes. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

export interface Wallet {
  readonly address: string
  readonly role: 'hot' | 'cold'
}

/** The wallets this installation is pinned to; none before they are registered. */
export async function findWallets(db: Db): Promise<Wallet[]> {
  const { rows } = await sql<Wallet>`SELECT address, role FROM custody_address`.execute(db)
  return rows
}

/** Registers a wallet with what it held in the solid chain at this block. */
export async function registerWallet(tx: Tx, wallet: Wallet, opening: bigint, block: number): Promise<void> {
  await sql`SELECT register_custody(${wallet.address}, ${wallet.role}, ${opening}, ${block})`.execute(tx)
}

/** The last block in which anything of ours moved; 0 when nothing has. */
export async function lastMoved(db: Db): Promise<number> {
  const { rows } = await sql<{ block: bigint | null }>`
    SELECT max(moved_block) AS block FROM custody_holding`.execute(db)
  return Number(rows[0]?.block ?? 0)
}

/** Addresses that moved at `since` or later and were not read after that, the longest ago first. */
export async function findUnread(
  db: Db,
  since: number,
  limit: number,
): Promise<{ address: string; moved: number }[]> {
  const { rows } = await sql<{ address: string; moved: number }>`
    SELECT h.address, h.moved_block::int AS moved FROM custody_holding h LEFT JOIN custody_reading r ON r.address = h.address
    WHERE h.moved_block >= ${since} AND (r.address IS NULL OR r.to_block < h.moved_block)
    ORDER BY h.moved_block LIMIT ${limit}`.execute(db)
  return rows
}

/** The addresses with the oldest readings. */
export async function findOldest(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    SELECT address FROM custody_reading ORDER BY read_at LIMIT ${limit}`.execute(db)
  return rows.map((row) => row.address)
}

/** Deposit addresses in their alphabetical order after this one. */
export async function findDepositsAfter(db: Db, address: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deposit_address')
    .select('address')
    .where('address', '>', address)
    .where('key_index', 'is not', null)
    .orderBy('address')
    .limit(limit)
    .execute()
  return rows.map((row) => row.address)
}

export interface BalanceReading {
  readonly address: string
  /** Micro-USDT in the solid chain. */
  readonly usdt: bigint
  /** Sun. */
  readonly trx: bigint
  /** The solid blocks before and after it was read. */
  readonly fromBlock: number
  readonly toBlock: number
}

export async function saveReadings(db: Db, readings: readonly BalanceReading[], at: Date): Promise<void> {
  if (readings.length === 0) return
  const column = (read: (reading: BalanceReading) => string | number) => readings.map(read)
  await sql`
    INSERT INTO custody_reading AS r (address, usdt, trx, from_block, to_block, read_at)
    SELECT n.address, n.usdt, n.trx, n.from_block, n.to_block, ${at}
    FROM unnest(
      ${column((each) => each.address)}::text[], ${column((each) => String(each.usdt))}::numeric[],
      ${column((each) => String(each.trx))}::bigint[], ${column((each) => each.fromBlock)}::bigint[],
      ${column((each) => each.toBlock)}::bigint[]) AS n (address, usdt, trx, from_block, to_block)
    ORDER BY n.address
    ON CONFLICT (address) DO UPDATE
    SET usdt = excluded.usdt, trx = excluded.trx, from_block = excluded.from_block, to_block = excluded.to_block, read_at = excluded.read_at
    WHERE excluded.to_block >= r.to_block`.execute(db)
}

export interface Sweepable {
  readonly address: string
  readonly memberId: bigint
  /** Micro-USDT by every event read. */
  readonly amount: bigint
  /** Whether it was topped up after `since`: it gets no more. */
  readonly isToppedUp: boolean
}

/**
 * Deposit addresses to sweep, the largest first, without those that have an open sweep or top-up, or one that failed or
 * expired after `since`.
 */
export async function findSweepable(db: Db, least: bigint, since: Date, limit: number): Promise<Sweepable[]> {
  const { rows } = await sql<Sweepable>`
    WITH busy AS (
      SELECT CASE purpose WHEN 'trx_topup' THEN to_address ELSE from_address END AS address FROM outgoing_transfer
      WHERE state IN ('prepared', 'signed') AND purpose IN ('sweep', 'trx_topup')
      UNION ALL
      SELECT CASE purpose WHEN 'trx_topup' THEN to_address ELSE from_address END FROM outgoing_transfer
      WHERE state IN ('failed', 'expired') AND closed_at > ${since} AND purpose IN ('sweep', 'trx_topup'))
    SELECT h.address, h.member_id AS "memberId", h.amount, EXISTS (SELECT FROM outgoing_transfer t WHERE t.state = 'settled'
      AND t.purpose = 'trx_topup' AND t.to_address = h.address AND t.closed_at > ${since}) AS "isToppedUp"
    FROM custody_holding h
    WHERE h.role = 'deposit' AND h.amount > 0 AND h.amount >= ${least} AND NOT EXISTS (SELECT FROM busy b WHERE b.address = h.address)
    ORDER BY h.amount DESC LIMIT ${limit}`.execute(db)
  return rows
}

export interface HotHolding {
  /** What the hot wallet should hold by every event read. */
  readonly holding: bigint
  /** Whether a transfer to the cold wallet is open, or failed or expired after `since`. */
  readonly isSending: boolean
}

export async function readHotHolding(db: Db, since: Date): Promise<HotHolding> {
  const { rows } = await sql<HotHolding>`
    SELECT coalesce((SELECT amount FROM custody_holding WHERE role = 'hot'), 0)::bigint AS holding,
      EXISTS (SELECT FROM outgoing_transfer WHERE purpose = 'surplus' AND state IN ('prepared', 'signed'))
        OR EXISTS (SELECT FROM outgoing_transfer WHERE purpose = 'surplus' AND state IN ('failed', 'expired') AND closed_at > ${since})
        AS "isSending"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the query gave no row')
  return row
}

/** What approved withdrawals without a settled transfer will take. Reads each of them. */
export async function sumApproved(db: Db): Promise<bigint> {
  const { rows } = await sql<{ approved: bigint }>`
    SELECT coalesce(sum(w.amount - w.fee), 0)::bigint AS approved FROM withdrawal w WHERE w.state = 'approved' AND NOT EXISTS (
      SELECT FROM outgoing_transfer t WHERE t.purpose = 'withdrawal' AND t.member_id = w.member_id AND t.withdrawal_id = w.id
        AND t.state = 'settled')`.execute(db)
  return rows[0]?.approved ?? 0n
}

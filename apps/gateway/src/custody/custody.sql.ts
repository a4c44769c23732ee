/** The company's wallets, what our addresses must hold, and what they were found to hold. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

export interface Wallet {
  readonly address: string
  readonly role: 'hot' | 'cold'
}

/** The wallets this installation is pinned to; none before the first start has pinned them. */
export async function findWallets(db: Db): Promise<Wallet[]> {
  const { rows } = await sql<Wallet>`SELECT address, role FROM custody_address`.execute(db)
  return rows
}

/** Pins a wallet with what it held in the solid chain at this block. */
export async function registerWallet(tx: Tx, wallet: Wallet, held: bigint, block: number): Promise<void> {
  await sql`SELECT register_custody(${wallet.address}, ${wallet.role}, ${held}, ${block})`.execute(tx)
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

/** Those whose reading is the oldest, and that must hold something or did when they were read. */
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
    .orderBy('address')
    .limit(limit)
    .execute()
  return rows.map((row) => row.address)
}

export interface Reading {
  readonly address: string
  /** Micro-USDT in the solid chain. */
  readonly usdt: bigint
  /** Sun. */
  readonly trx: bigint
  /** The solid blocks before and after it was read: it is what was there at one of them, or between. */
  readonly fromBlock: number
  readonly toBlock: number
}

export async function saveReadings(db: Db, readings: readonly Reading[], at: Date): Promise<void> {
  if (readings.length === 0) return
  const column = (read: (reading: Reading) => string | number) => readings.map(read)
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

export interface Holding {
  readonly address: string
  readonly memberId: bigint
  /** Micro-USDT by every event read. */
  readonly amount: bigint
  /** Whether it was given TRX since then: it gets no more. */
  readonly isFuelled: boolean
}

/**
 * Deposit addresses worth sweeping, the largest first, but for those that have a payment under way or had one come to
 * nothing after `since`.
 */
export async function findSweepable(db: Db, least: bigint, since: Date, limit: number): Promise<Holding[]> {
  const { rows } = await sql<Holding>`
    WITH busy AS (
      SELECT CASE purpose WHEN 'trx_topup' THEN to_address ELSE from_address END AS address FROM outgoing_transfer
      WHERE state IN ('prepared', 'signed') AND purpose IN ('sweep', 'trx_topup')
      UNION ALL
      SELECT CASE purpose WHEN 'trx_topup' THEN to_address ELSE from_address END FROM outgoing_transfer
      WHERE state IN ('failed', 'expired') AND closed_at > ${since} AND purpose IN ('sweep', 'trx_topup'))
    SELECT h.address, h.member_id AS "memberId", h.amount, EXISTS (SELECT FROM outgoing_transfer p WHERE p.state = 'settled'
      AND p.purpose = 'trx_topup' AND p.to_address = h.address AND p.closed_at > ${since}) AS "isFuelled"
    FROM custody_holding h
    WHERE h.role = 'deposit' AND h.amount > 0 AND h.amount >= ${least} AND NOT EXISTS (SELECT FROM busy b WHERE b.address = h.address)
    ORDER BY h.amount DESC LIMIT ${limit}`.execute(db)
  return rows
}

export interface HotWallet {
  /** What it must hold by every event read. */
  readonly holding: bigint
  /** Whether a transfer to the cold wallet is under way, or came to nothing after `since`. */
  readonly isSending: boolean
}

export async function readHotWallet(db: Db, since: Date): Promise<HotWallet> {
  const { rows } = await sql<HotWallet>`
    SELECT coalesce((SELECT amount FROM custody_holding WHERE role = 'hot'), 0)::bigint AS holding,
      EXISTS (SELECT FROM outgoing_transfer WHERE purpose = 'surplus' AND state IN ('prepared', 'signed'))
        OR EXISTS (SELECT FROM outgoing_transfer WHERE purpose = 'surplus' AND state IN ('failed', 'expired') AND closed_at > ${since})
        AS "isSending"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a question without an answer')
  return row
}

/** What approved withdrawals will take that are not settled. Looks at each of them. */
export async function sumPromised(db: Db): Promise<bigint> {
  const { rows } = await sql<{ promised: bigint }>`
    SELECT coalesce(sum(w.amount - w.fee), 0)::bigint AS promised FROM withdrawal w WHERE w.state = 'approved' AND NOT EXISTS (
      SELECT FROM outgoing_transfer p WHERE p.purpose = 'withdrawal' AND p.member_id = w.member_id AND p.withdrawal_id = w.id
        AND p.state = 'settled')`.execute(db)
  return rows[0]?.promised ?? 0n
}

/** The chain, as the gateway's own role writes it. */
import type pg from 'pg'

export interface ArrivingTransfer {
  readonly txid: string
  readonly block: number
  readonly at: Date
  readonly address: string
  readonly amount: bigint
}

/** A solidified transfer of USDT to one of our addresses; its job is added with it, and nobody works on jobs here. */
export async function recordTransfer(pool: pg.Pool, transfer: ArrivingTransfer): Promise<void> {
  const { txid, block, at, address, amount } = transfer
  await pool.query("SELECT record_incoming_transfer($1, 0, $2, $3, 'credit', 'usdt', 'sender', $4, $5)", [
    txid,
    block,
    at,
    address,
    amount,
  ])
}

/** An address for each of these members who has none: a thin network has no people, but deposits need somebody. */
export async function ensureAddresses(pool: pg.Pool, members: readonly number[]): Promise<void> {
  await pool.query(
    `INSERT INTO deposit_address (address, member_id, key_index)
     SELECT 'B' || lpad(id::text, 33, '0'), id, id FROM unnest($1::bigint[]) id
     WHERE NOT EXISTS (SELECT FROM deposit_address a WHERE a.member_id = id)`,
    [members],
  )
}

import type { Db } from '@aval/db/connect'
import { sql } from 'kysely'

export interface Stock {
  /** How many are derived: the index of the next. */
  readonly derived: bigint
  /** How many of them a member can still claim. */
  readonly unclaimed: bigint
  /** How many of those that an older version stored are still to be derived. */
  readonly underived: bigint
}

export async function readStock(db: Db): Promise<Stock> {
  const { rows } =
    await sql<Stock>`SELECT derived, unclaimed, underived FROM deposit_address_stock()`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the query gave no row')
  return row
}

/** Stores them from this index on. @returns the next index; where another one was the next, nothing was stored */
export async function storeAddresses(
  db: Db,
  firstIndex: bigint,
  addresses: readonly string[],
): Promise<bigint> {
  const { rows } = await sql<{ next: bigint }>`
    SELECT store_deposit_addresses(${firstIndex}, ${[...addresses]}::text[]) AS next`.execute(db)
  return rows[0]?.next ?? firstIndex
}

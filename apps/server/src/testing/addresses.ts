/** Deposit addresses as the signer would have derived them, without its keys. */
import type { Db } from '@aval/db'
import { addressFromHex } from '@aval/tron'
import { query, queryValue } from '../core/query.sql.ts'

const STOCK = 500

/** The address at an index: a valid one, of no key. */
const madeUp = (index: bigint): string => addressFromHex(`41aa${index.toString(16).padStart(38, '0')}`)

/** Stores so many more, with the rights of the tables' owner. */
export async function stockAddresses(owner: Db, count = STOCK): Promise<void> {
  const next = await queryValue<bigint>(owner)`SELECT derived FROM deposit_address_stock()`
  const made = Array.from({ length: count }, (_, place) => madeUp(next + BigInt(place)))
  await query(owner)`SELECT store_deposit_addresses(${next}, ${made}::text[])`
}

/** The member's address, claimed where there was none. Member 0 is the company. */
export const addressOf = (db: Db, memberId: bigint): Promise<string> =>
  queryValue<string>(db)`SELECT claim_deposit_address(${memberId})`

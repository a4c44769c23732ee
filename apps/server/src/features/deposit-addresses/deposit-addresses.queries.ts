/** How many deposit addresses are left. The signer keeps a thousand ahead; offline they are imported. */
import type { Db } from '@aval/db'
import { queryOne } from '../../core/query.sql.ts'

/** Operators are told below it: at a hundred first investments an hour there is time for an import. */
export const FEW_ADDRESSES = 250

export interface AddressStock {
  /** Ready to be claimed. */
  readonly unclaimed: number
  /** Stored by an older version, and not derived by the signer yet: until they are, no deposit is read. */
  readonly underived: number
}

export const readStock = (db: Db): Promise<AddressStock> =>
  queryOne<AddressStock>(
    db,
  )`SELECT unclaimed::int AS unclaimed, underived::int AS underived FROM deposit_address_stock()`

import type { DB, Db } from '@aval/db'
import type { Insertable } from 'kysely'

/** Pins what is given where nothing is pinned yet, and tells what is. */
export async function pinInstallation(db: Db, wanted: Insertable<DB['installation']>) {
  await db
    .insertInto('installation')
    .values(wanted)
    .onConflict((conflict) => conflict.column('singleton').doNothing())
    .execute()
  return db
    .selectFrom('installation')
    .select(['network', 'usdt_contract', 'deposit_xpub'])
    .executeTakeFirstOrThrow()
}

export async function ensureDepositAddress(db: Db, memberId: bigint, address: string): Promise<void> {
  await db
    .insertInto('deposit_address')
    .values({ address, member_id: memberId })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .execute()
}

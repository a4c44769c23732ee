import type { Locale } from '@aval/contract'
import type { DB, Db, Tx } from '@aval/db'
import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'

/** One comparison at a time, and none while a difference is being explained. */
export async function lockReserves(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(7206)`.execute(tx)
}

export async function insertCheck(tx: Tx, check: Insertable<DB['reserve_check']>): Promise<bigint> {
  const { id } = await tx.insertInto('reserve_check').values(check).returning('id').executeTakeFirstOrThrow()
  return id
}

export type Check = Selectable<DB['reserve_check']>

/** The latest comparisons, newest first. */
export async function selectChecks(db: Db, limit: number): Promise<Check[]> {
  return db.selectFrom('reserve_check').selectAll().orderBy('id', 'desc').limit(limit).execute()
}

/** Drops what is older than a month but for one comparison an hour. */
export async function thinChecks(db: Db): Promise<void> {
  await sql`SELECT purge_reserve_checks()`.execute(db)
}

export async function selectOperators(db: Db): Promise<{ id: bigint; email: string; locale: Locale }[]> {
  const rows = await db
    .selectFrom('member')
    .select(['id', 'email', 'locale'])
    .where('is_operator', '=', true)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, locale: row.locale as Locale }))
}

/** The company's own wallets, by role; null where none is registered yet. */
export async function selectWallets(db: Db): Promise<{ hot: string | null; cold: string | null }> {
  const rows = await db.selectFrom('custody_address').select(['address', 'role']).execute()
  const of = (role: string) => rows.find((row) => row.role === role)?.address ?? null
  return { hot: of('hot'), cold: of('cold') }
}

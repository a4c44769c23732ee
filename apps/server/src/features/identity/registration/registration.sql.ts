import type { DB, Db, Tx } from '@aval/db'
import { type Insertable, sql } from 'kysely'

export type IdentifierKind = 'username' | 'email' | 'ref_code'

/** The new member's number, and the key that deposit addresses are derived from: null before the installation is pinned. */
export function insertMember(tx: Tx, member: Insertable<DB['member']>) {
  return tx
    .insertInto('member')
    .values(member)
    .returning((row) => ['id', row.selectFrom('installation').select('deposit_xpub').as('xpub')])
    .executeTakeFirstOrThrow()
}

export async function updateRefCode(tx: Tx, memberId: bigint, refCode: string): Promise<void> {
  await tx.updateTable('member').set({ ref_code: refCode }).where('id', '=', memberId).execute()
}

/**
 * Gives the member what nobody has of it, one after the other, and answers of which kinds that was; waits for whoever is
 * about to have the same.
 */
export async function claimIdentifiers(
  tx: Tx,
  memberId: bigint,
  wanted: readonly (readonly [IdentifierKind, string])[],
): Promise<IdentifierKind[]> {
  const rows = await tx
    .insertInto('member_identifier')
    .values(wanted.map(([kind, value]) => ({ kind, value, member_id: memberId })))
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doNothing())
    .returning('kind')
    .execute()
  return rows.map(({ kind }) => kind as IdentifierKind)
}

/** Which of these are taken, by a committed registration. */
export async function selectTaken(db: Db, username: string, email: string): Promise<IdentifierKind[]> {
  const rows = await db
    .selectFrom('member_identifier')
    .select('kind')
    .where((row) =>
      row.or([
        row.and([row('kind', '=', 'username'), row('value', '=', username)]),
        row.and([row('kind', '=', 'email'), row('value', '=', email)]),
      ]),
    )
    .execute()
  return rows.map(({ kind }) => kind as IdentifierKind)
}

export async function selectByRefCode(db: Db, refCode: string): Promise<bigint | null> {
  const row = await db
    .selectFrom('member_identifier')
    .select('member_id')
    .where('kind', '=', 'ref_code')
    .where('value', '=', refCode)
    .executeTakeFirst()
  return row?.member_id ?? null
}

/** Opens the member's accounts, and names the address at which money for them arrives. */
export async function openAccounts(tx: Tx, memberId: bigint, depositAddress: string): Promise<void> {
  await sql`INSERT INTO deposit_address (address, member_id)
    SELECT ${depositAddress}::text, ${memberId}::bigint FROM open_member_accounts(${memberId})`.execute(tx)
}

const ROOT_LOCK = 7302

/** Until this transaction ends, nobody else makes a first member. */
export async function lockRoot(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ROOT_LOCK})`.execute(tx)
}

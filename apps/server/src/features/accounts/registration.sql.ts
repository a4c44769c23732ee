import type { DB, Db, Tx } from '@aval/db'
import { type Insertable, sql } from 'kysely'

export type IdentifierKind = 'username' | 'email' | 'ref_code'

export async function insertMember(tx: Tx, member: Insertable<DB['member']>): Promise<bigint> {
  const row = await tx.insertInto('member').values(member).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export async function updateRefCode(tx: Tx, memberId: bigint, refCode: string): Promise<void> {
  await tx.updateTable('member').set({ ref_code: refCode }).where('id', '=', memberId).execute()
}

/** False when somebody has it already; waits for whoever is about to. */
export async function claimIdentifier(
  tx: Tx,
  kind: IdentifierKind,
  value: string,
  memberId: bigint,
): Promise<boolean> {
  const claimed = await tx
    .insertInto('member_identifier')
    .values({ kind, value, member_id: memberId })
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doNothing())
    .returning('member_id')
    .executeTakeFirst()
  return claimed !== undefined
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

export async function openAccounts(tx: Tx, memberId: bigint): Promise<void> {
  await sql`SELECT open_member_accounts(${memberId})`.execute(tx)
}

export async function insertDepositAddress(tx: Tx, memberId: bigint, address: string): Promise<void> {
  await tx.insertInto('deposit_address').values({ address, member_id: memberId }).execute()
}

/** Null before the installation is pinned. */
export async function selectXpub(db: Db): Promise<string | null> {
  const row = await db.selectFrom('installation').select('deposit_xpub').executeTakeFirst()
  return row?.deposit_xpub ?? null
}

const ROOT_LOCK = 7302

/** Until this transaction ends, nobody else makes a first member. */
export async function lockRoot(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ROOT_LOCK})`.execute(tx)
}

/** The member's own row, and the identifiers that no two members share. */
import type { DB, Db, Tx } from '@aval/db'
import type { Updateable } from 'kysely'

export type IdentifierKind = 'username' | 'skeleton' | 'email' | 'ref_code'

const COLUMNS = [
  'username',
  'email',
  'first_name',
  'last_name',
  'usdt_wallet',
  'locale',
  'password_hash',
  'is_operator',
  'is_fundator',
] as const

const member = (db: Db, memberId: bigint) =>
  db.selectFrom('member').select(COLUMNS).where('id', '=', memberId)

export const selectMember = (db: Db, memberId: bigint) => member(db, memberId).executeTakeFirstOrThrow()

/** Two changes of one account never interleave: each holds this lock. */
export const lockMember = (tx: Tx, memberId: bigint) =>
  member(tx, memberId).forUpdate().executeTakeFirstOrThrow()

export async function updateMember(db: Db, memberId: bigint, row: Updateable<DB['member']>): Promise<void> {
  if (Object.keys(row).length === 0) return
  await db.updateTable('member').set(row).where('id', '=', memberId).execute()
}

/** The member who has an identifier; null when it is free. @param value folded */
export async function selectIdentifierOwner(db: Db, kind: IdentifierKind, value: string) {
  const identifiers = db.selectFrom('member_identifier').select('member_id').where('kind', '=', kind)
  return (await identifiers.where('value', '=', value).executeTakeFirst())?.member_id ?? null
}

/**
 * Gives the member those identifiers that are free, one after the other. Waits for a concurrent transaction that is
 * claiming the same one.
 * @returns the kinds that were free
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

/** Frees an e-mail for others. @param email folded */
export async function releaseEmail(tx: Tx, memberId: bigint, email: string): Promise<void> {
  await tx
    .deleteFrom('member_identifier')
    .where('kind', '=', 'email')
    .where('value', '=', email)
    .where('member_id', '=', memberId)
    .execute()
}

/** @param login an e-mail or a username, folded */
export function selectAccount(db: Db, login: string) {
  return db
    .selectFrom('member_identifier')
    .innerJoin('member', 'member.id', 'member_identifier.member_id')
    .select(['member.id', 'member.password_hash'])
    .where('member_identifier.kind', 'in', ['username', 'email'])
    .where('member_identifier.value', '=', login)
    .executeTakeFirst()
}

/** The member's own row, and the identifiers that no two members share. */
import type { DB, Db, Tx } from '@aval/db'
import type { Updateable } from 'kysely'
import { queryValue } from '../../../core/query.sql.ts'

export type IdentifierKind = 'username' | 'skeleton' | 'email' | 'ref_code'

const COLUMNS = [
  'username',
  'email',
  'email_proven_at',
  'first_name',
  'last_name',
  'usdt_wallet',
  'locale',
  'time_zone',
  'password_hash',
  'is_operator',
  'operator_role',
  'is_fundator',
  'joined_at',
  'closed_at',
] as const

const member = (db: Db, memberId: bigint) =>
  db.selectFrom('member').select(COLUMNS).where('id', '=', memberId)

export const selectMember = (db: Db, memberId: bigint) => member(db, memberId).executeTakeFirstOrThrow()

export const findMember = (db: Db, memberId: bigint) => member(db, memberId).executeTakeFirst()

/** Two changes of one account never interleave: each holds this lock. */
export const lockMember = (tx: Tx, memberId: bigint) =>
  member(tx, memberId).forUpdate().executeTakeFirstOrThrow()

/** The same where there may be no such member, with the same statement. */
export const lockIfMember = (tx: Tx, memberId: bigint) => member(tx, memberId).forUpdate().executeTakeFirst()

/** Whether this is the account of an operator above the other. */
export const isAbove = (db: Db, memberId: bigint, operatorId: bigint) =>
  queryValue<boolean>(db)`SELECT is_above(${memberId}, ${operatorId})`

export async function updateMember(db: Db, memberId: bigint, row: Updateable<DB['member']>): Promise<void> {
  if (Object.keys(row).length === 0) return
  await db.updateTable('member').set(row).where('id', '=', memberId).execute()
}

/** What nobody may have again: usernames and ref codes of closed accounts. */
const NOBODY = 0n

const holderOf = (db: Db, kind: IdentifierKind, value: string) =>
  db.selectFrom('member_identifier').select('member_id').where('kind', '=', kind).where('value', '=', value)

/** The member whose identifier this is; null where it is free, or nobody's now or for good. @param value folded */
export async function selectIdentifierOwner(db: Db, kind: IdentifierKind, value: string) {
  const owners = holderOf(db, kind, value).where('former_since', 'is', null).where('member_id', '<>', NOBODY)
  return (await owners.executeTakeFirst())?.member_id ?? null
}

/** The member for whom an e-mail is kept, as the present one or a former one; null when it is free. @param email folded */
export async function selectEmailHolder(db: Db, email: string): Promise<bigint | null> {
  return (await holderOf(db, 'email', email).executeTakeFirst())?.member_id ?? null
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

const emailOf = (tx: Tx, memberId: bigint, email: string) =>
  tx
    .updateTable('member_identifier')
    .where('kind', '=', 'email')
    .where('value', '=', email)
    .where('member_id', '=', memberId)

/** A former e-mail of the member is the present one again. False where it is not kept for them. @param email folded */
export async function reclaimEmail(tx: Tx, memberId: bigint, email: string): Promise<boolean> {
  const { numUpdatedRows } = await emailOf(tx, memberId, email).set({ former_since: null }).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The member leaves an e-mail, which is kept for a while. @param email folded */
export async function leaveEmail(tx: Tx, memberId: bigint, email: string, now: Date): Promise<void> {
  await emailOf(tx, memberId, email).set({ former_since: now }).execute()
}

/** Frees the e-mails that were left before an instant. */
export async function releaseEmailsLeftBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('member_identifier').where('former_since', '<', instant).execute()
}

/** The member's e-mail is theirs. False where it was so before, or is another one by now. */
export async function markEmailProven(tx: Tx, memberId: bigint, email: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('member')
    .set({ email_proven_at: now })
    .where('id', '=', memberId)
    .where('email', '=', email)
    .where('email_proven_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @param login an e-mail or a username, folded */
export function selectAccount(db: Db, login: string) {
  return db
    .selectFrom('member_identifier')
    .innerJoin('member', 'member.id', 'member_identifier.member_id')
    .select(['member.id', 'member.password_hash'])
    .where('member_identifier.kind', 'in', ['username', 'email'])
    .where('member_identifier.value', '=', login)
    .where('member_identifier.former_since', 'is', null)
    .executeTakeFirst()
}

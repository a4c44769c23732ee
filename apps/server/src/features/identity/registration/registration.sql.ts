import type { DB, Db, Tx } from '@aval/db'
import type { Insertable } from 'kysely'
import { query } from '../../../core/query.sql.ts'
import type { IdentifierKind } from '../members/members.sql.ts'

export function insertMember(tx: Tx, member: Insertable<DB['member']>) {
  return tx.insertInto('member').values(member).returning('id').executeTakeFirstOrThrow()
}

/** Which of these are taken, by a committed registration. */
export async function selectTaken(db: Db, skeleton: string, email: string): Promise<IdentifierKind[]> {
  const rows = await db
    .selectFrom('member_identifier')
    .select('kind')
    .where((row) =>
      row.or([
        row.and([row('kind', '=', 'skeleton'), row('value', '=', skeleton)]),
        row.and([row('kind', '=', 'email'), row('value', '=', email)]),
      ]),
    )
    .execute()
  return rows.map(({ kind }) => kind as IdentifierKind)
}

export function selectInviter(db: Db, refCode: string) {
  return db
    .selectFrom('member_identifier')
    .innerJoin('member', 'member.id', 'member_identifier.member_id')
    .select(['member.first_name', 'member.username', 'member.ref_code'])
    .where('member_identifier.kind', '=', 'ref_code')
    .where('member_identifier.value', '=', refCode)
    .executeTakeFirst()
}

export async function openAccounts(tx: Tx, memberId: bigint): Promise<void> {
  await query(tx)`SELECT open_member_accounts(${memberId})`
}

/** Until this transaction ends, no other creates a first member. */
export async function lockRoot(tx: Tx): Promise<void> {
  await query(tx)`SELECT hold_lock('first member')`
}

/** Pins what is given where nothing is pinned yet, and returns what is. */
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

/** Whether a captcha was solved and used before. */
export async function isSpent(db: Db, challenge: string): Promise<boolean> {
  const spent = db.selectFrom('spent_captcha').select('challenge').where('challenge', '=', challenge)
  return (await spent.executeTakeFirst()) !== undefined
}

/** False when it was spent before. */
export async function insertSpent(tx: Tx, challenge: string, expiresAt: Date): Promise<boolean> {
  const row = await tx
    .insertInto('spent_captcha')
    .values({ challenge, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('challenge').doNothing())
    .returning('challenge')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteExpiredCaptchas(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('spent_captcha').where('expires_at', '<', now).execute()
}

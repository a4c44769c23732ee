import type { DB, Db, Tx } from '@aval/db'
import { sql, type Updateable } from 'kysely'

const COLUMNS = ['email', 'usdt_wallet', 'locale', 'password_hash'] as const

export function selectProfile(db: Db, memberId: bigint) {
  return db.selectFrom('member').select(COLUMNS).where('id', '=', memberId).executeTakeFirstOrThrow()
}

export function lockProfile(tx: Tx, memberId: bigint) {
  return tx
    .selectFrom('member')
    .select(COLUMNS)
    .where('id', '=', memberId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateProfile(tx: Tx, memberId: bigint, row: Updateable<DB['member']>): Promise<void> {
  if (Object.keys(row).length === 0) return
  await tx.updateTable('member').set(row).where('id', '=', memberId).execute()
}

/** Who has an e-mail; null when it is free. @param email folded */
export async function selectEmailOwner(db: Db, email: string): Promise<bigint | null> {
  const row = await db
    .selectFrom('member_identifier')
    .select('member_id')
    .where('kind', '=', 'email')
    .where('value', '=', email)
    .executeTakeFirst()
  return row?.member_id ?? null
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

/** Whether an address is a member's deposit address, or one of the company's wallets. */
export async function selectIsOurs(db: Db, address: string): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`
    SELECT EXISTS (SELECT FROM deposit_address WHERE address = ${address})
        OR EXISTS (SELECT FROM custody_address WHERE address = ${address}) AS ours`.execute(db)
  return rows[0]?.ours ?? false
}

export async function upsertAvatar(
  tx: Tx,
  memberId: bigint,
  avatar: { readonly name: string; readonly image: Buffer; readonly at: Date },
): Promise<void> {
  await tx
    .insertInto('member_avatar')
    .values({ member_id: memberId, ...avatar })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(avatar))
    .execute()
}

export async function selectAvatar(db: Db, memberId: bigint, name: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('member_avatar')
    .select('image')
    .where('member_id', '=', memberId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.image ?? null
}

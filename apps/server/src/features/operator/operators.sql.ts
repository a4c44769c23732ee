import type { Db } from '@aval/db'

export async function selectByUsername(db: Db, username: string): Promise<bigint | null> {
  const row = await db
    .selectFrom('member_identifier')
    .select('member_id')
    .where('kind', '=', 'username')
    .where('value', '=', username)
    .executeTakeFirst()
  return row?.member_id ?? null
}

export async function updateOperator(db: Db, memberId: bigint, isOperator: boolean): Promise<void> {
  await db.updateTable('member').set({ is_operator: isOperator }).where('id', '=', memberId).execute()
}

import type { Db } from '@aval/db'

export async function updateOperator(db: Db, memberId: bigint, isOperator: boolean): Promise<void> {
  await db.updateTable('member').set({ is_operator: isOperator }).where('id', '=', memberId).execute()
}

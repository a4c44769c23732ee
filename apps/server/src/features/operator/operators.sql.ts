import type { Db } from '@aval/db'
import { sql } from 'kysely'

export async function updateOperator(db: Db, username: string, isOperator: boolean): Promise<boolean> {
  const { rows } = await sql`
    UPDATE member SET is_operator = ${isOperator}
    WHERE id = (SELECT member_id FROM member_identifier WHERE kind = 'username' AND value = ${username})
    RETURNING id`.execute(db)
  return rows.length === 1
}

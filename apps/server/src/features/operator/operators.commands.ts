import type { Db } from '@aval/db'
import { updateOperator } from './operators.sql.ts'

/** Gives or takes the operator's rights; they hold from the next call on. False when nobody is called so. */
export function setOperator(db: Db, username: string, isOperator: boolean): Promise<boolean> {
  return updateOperator(db, username.normalize('NFKC').toLowerCase(), isOperator)
}

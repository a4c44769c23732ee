import type { Db } from '@aval/db'
import { inBatches } from '../core/batches.ts'
import { deleteOldAnswers } from './idempotency.sql.ts'

/** Forgets answers that nobody asks for again: those given more than seven days ago. @param now system time */
export function forgetAnswers(db: Db, now: Date): Promise<number> {
  return inBatches((most) => deleteOldAnswers(db, now, most))
}

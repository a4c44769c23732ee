import type { Db } from '@aval/db'
import { countOf } from '../../core/query.sql.ts'
import { selectDecisions } from './decisions.sql.ts'

/** Newest first; of those that wait for approval when only open ones are asked for. */
export async function listDecisions(db: Db, openOnly: boolean, limit: number, offset: number) {
  const rows = await selectDecisions(db, openOnly, limit, offset)
  return { rows, count: await countOf(db)`decision WHERE state = 'open' OR NOT ${openOnly}` }
}

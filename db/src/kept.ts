/**
 * Statements whose plans a connection keeps. To plan a query of several tables takes the database longer than to run it for
 * one member; where a plan fits whatever is asked, and the question is asked on every visit, it is made once a connection.
 */
import { sql } from 'kysely'
import type pg from 'pg'

const MARK = '/* kept */'

/** Marks a statement as one of those: before its first word, or, with `modifyFront`, right after it. */
export const kept = sql.raw<never>(MARK)

const names = new Map<string, string>()

/** The same for the same text in all connections; null for a statement that is not marked. */
function nameOf(text: unknown): string | null {
  if (typeof text !== 'string' || !text.slice(0, 40).includes(MARK)) return null
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `kept_${names.size}`
  names.set(text, name)
  return name
}

/** Makes a connection keep the plans of marked statements. */
export function keepPlans(client: pg.Client | pg.PoolClient): void {
  const plain = client.query.bind(client) as (...all: unknown[]) => unknown
  const query = (text: unknown, values: unknown, ...more: unknown[]) => {
    const name = nameOf(text)
    return name === null ? plain(text, values, ...more) : plain({ name, text, values }, ...more)
  }
  client.query = query as typeof client.query
}

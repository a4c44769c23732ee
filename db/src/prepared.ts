/**
 * Prepared statements. To plan a query of several tables takes the database longer than to run it for one member; where one plan
 * fits every call, and the call is made at every visit, the plan is made once a connection: pg prepares a query that has a name.
 */
import {
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely'
import type pg from 'pg'

const MARK = '/* prepared */'

/** Marks a statement to be prepared: before its first word, or, with `modifyFront`, right after it. */
export const prepared = sql.raw<never>(MARK)

const names = new Map<string, string>()

/** The same for the same text in all connections; null for a statement that is not marked. */
function nameOf(text: string): string | null {
  if (!text.slice(0, 40).includes(MARK)) return null
  const name = names.get(text) ?? `prepared_${names.size}`
  names.set(text, name)
  return name
}

/** A connection of the pool as Kysely uses it: marked statements go out under a name. */
class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('queries are read whole, not by cursors')
    const name = nameOf(text)
    return this.#client.query({ text, values: [...values], ...(name !== null && { name }) })
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy)
  }
}

/** The pool for Kysely: with it, marked statements are prepared. */
export function preparing(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? new PreparingClient(client)
      clients.set(client, known)
      return known
    },
  }
}

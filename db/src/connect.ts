import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { openPool } from './client.ts'
import type { Patience } from './hosts.ts'
import { preparing } from './prepared.ts'
import type { DB } from './schema.generated.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>
/** What a query runs on: the pool, or a transaction. */
export type Db = Database | Tx

/** bigint columns (money, ids) arrive as bigint, never as a double; counts are cast to int in the query. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}

export interface Connection {
  readonly db: Database
  readonly pool: pg.Pool
  /** Waits for queries under way, then closes. */
  close(): Promise<void>
}

/**
 * Opens a pool; nothing connects until the first query. `max` bounds the connections.
 *
 * @param patience how soon a database that does not answer counts as lost
 */
export function connect(url: string, max = 8, applicationName = 'aval', patience?: Patience): Connection {
  const pool = openPool(url, {
    max,
    types,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    ...(patience && { patience }),
  })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
  return { db, pool, close: () => db.destroy() }
}

const RETRYABLE = new Set(['40001', '40P01'])
const ATTEMPTS = 8

/** The SQLSTATE of a database error, or null when it is something else. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code !== undefined ? error.code : null
}

/** The constraint that refused a row, or null. */
export function constraintOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.constraint ?? null) : null
}

/** The trace in which a transaction is; null where nothing is traced. */
let traceparent: () => string | null = () => null

/** From now on rows and jobs keep the trace in which they were written (migration 0040). */
export function keepTraces(read: () => string | null): void {
  traceparent = read
}

async function tell(tx: Tx): Promise<void> {
  const name = traceparent()
  if (name !== null) await sql`SELECT set_config('aval.traceparent', ${name}, true)`.execute(tx)
}

/** Runs `work` in one transaction (read committed), again when it lost a deadlock; gives up after eight tries. */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return work(db as Tx)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        await tell(tx)
        return work(tx)
      })
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error
    }
  }
}

/** Statements written in SQL, each run at once. */
import type { Database, Db, Tx } from '@aval/db'
import { sql } from 'kysely'

/** query<Row>(db)`SELECT …` resolves to the rows. Values are parameters; fragments of `sql` go in as they are. */
export const query =
  <Row = unknown>(db: Db) =>
  async (statement: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    (await sql<Row>(statement, ...values).execute(db)).rows

/** The one row of a statement that always has one. */
export const queryOne =
  <Row>(db: Db) =>
  async (statement: TemplateStringsArray, ...values: unknown[]): Promise<Row> => {
    const [row] = await query<Row>(db)(statement, ...values)
    if (row === undefined) throw new Error(`no row: ${statement.join('?')}`)
    return row
  }

/** countOf(db)`member WHERE …` resolves to how many rows there are. */
export const countOf =
  (db: Db) =>
  async (from: TemplateStringsArray, ...values: unknown[]): Promise<number> => {
    const rows = sql(from, ...values)
    return (await queryOne<{ count: number }>(db)`SELECT count(*)::int AS count FROM ${rows}`).count
  }

/** Reads one moment of everything, changes nothing, and may take longer than a call may. */
export function inSnapshot<Result>(db: Database, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await query(tx)`SET LOCAL statement_timeout = 0`
      await query(tx)`SET LOCAL idle_in_transaction_session_timeout = 0`
      return read(tx)
    })
}

/** Statements written in SQL, each run at once. */
import type { Database, Db, Tx } from '@aval/db'
import { sql } from 'kysely'

/** query<Row>(db)`SELECT …` resolves to the rows. Values are parameters; fragments of `sql` go in as they are. */
export const query =
  <Row = unknown>(db: Db) =>
  async (statement: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    (await sql<Row>(statement, ...values).execute(db)).rows

/** The first row, where there is one. */
export const queryFirst =
  <Row>(db: Db) =>
  async (statement: TemplateStringsArray, ...values: unknown[]): Promise<Row | undefined> =>
    (await query<Row>(db)(statement, ...values))[0]

/** The one row of a statement that always has one. */
export const queryOne =
  <Row>(db: Db) =>
  async (statement: TemplateStringsArray, ...values: unknown[]): Promise<Row> => {
    const row = await queryFirst<Row>(db)(statement, ...values)
    if (row === undefined) throw new Error(`no row: ${statement.join('?')}`)
    return row
  }

/** The one value of a statement that always has one row of one column. */
export const queryValue =
  <Value>(db: Db) =>
  async (statement: TemplateStringsArray, ...values: unknown[]): Promise<Value> =>
    Object.values(await queryOne<Record<string, Value>>(db)(statement, ...values))[0] as Value

/** The values of a statement's one column, a row each. */
export const queryColumn =
  <Value>(db: Db) =>
  async (statement: TemplateStringsArray, ...values: unknown[]): Promise<Value[]> =>
    (await query<Record<string, Value>>(db)(statement, ...values)).flatMap((row) => Object.values(row))

/** countOf(db)`member WHERE …` resolves to how many rows there are. */
export const countOf =
  (db: Db) =>
  (from: TemplateStringsArray, ...values: unknown[]): Promise<number> =>
    queryValue<number>(db)`SELECT count(*)::int FROM ${sql(from, ...values)}`

/** countUpTo(db, 100)`member WHERE …`: the same, but no further than that: a list of millions is not counted for a page of it. */
export const countUpTo =
  (db: Db, most: number) =>
  (from: TemplateStringsArray, ...values: unknown[]): Promise<number> =>
    queryValue<number>(
      db,
    )`SELECT count(*)::int FROM (SELECT FROM ${sql(from, ...values)} LIMIT ${sql.lit(most)}) counted`

/** To be called before the moment is chosen: a part of the ledger that went to the archive after it would be seen in neither place. */
export const holdLedger = (tx: Tx) => query(tx)`LOCK TABLE ONLY posting IN ACCESS SHARE MODE`

/** The moment that a transaction sees, by a name under which another one can see it while the first is open. */
export const exportSnapshot = (tx: Tx) => queryValue<string>(tx)`SELECT pg_export_snapshot()`

/**
 * Reads one moment of everything, changes nothing, and may take longer than a call may.
 *
 * @param of the moment of another transaction
 */
export function inSnapshot<Result>(
  db: Database,
  read: (tx: Tx) => Promise<Result>,
  of: string | null = null,
): Promise<Result> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      if (of !== null) await sql`SET TRANSACTION SNAPSHOT ${sql.lit(of)}`.execute(tx)
      // A migration that waits for the one would have the other wait for itself, and PostgreSQL sees no circle in that.
      await query(tx)`SET LOCAL lock_timeout = '20s'`
      await holdLedger(tx)
      await query(tx)`SET LOCAL statement_timeout = 0`
      await query(tx)`SET LOCAL idle_in_transaction_session_timeout = 0`
      return read(tx)
    })
}

/** Runs several questions of one page on one snapshot: between two of them what they ask about may go. */
export function atOneMoment<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return work(db as Tx)
  return (db as Database)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work)
}

/**
 * The chain on disk. One SQLite transaction per change, write-ahead log: a process killed at any instant
 * leaves either the whole block or nothing of it. Nothing is held in memory but the prepared statements, unless a
 * chain in memory is asked for.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { z } from 'zod'

/** Raised whenever the layout changes; a newer one than ours is refused at the start. */
const SCHEMA_VERSION = 2

/**
 * `state` is the world after the newest block; `undo` holds, for every key a recent block changed, what stood
 * there before, from which the world after any recent block (the solid one) is read.
 */
const SCHEMA = `
create table if not exists meta (key text primary key, value text not null) without rowid;
create table if not exists state (key text primary key, value text not null) without rowid;
create table if not exists undo (
  key text not null, block integer not null, previous text, primary key (key, block)
) without rowid;
create index if not exists undo_by_block on undo (block);
create table if not exists blocks (
  number integer primary key, id text not null unique, parent_id text not null,
  timestamp integer not null, tx_root text not null, tx_count integer not null
);
create table if not exists transactions (
  txid text primary key, block integer not null, position integer not null, owner text not null,
  type text not null, raw blob not null, result text not null, json text not null, info text not null
);
create unique index if not exists transactions_by_block on transactions (block, position);
create index if not exists transactions_by_owner on transactions (owner, block);
create table if not exists logs (
  block integer not null, position integer not null, log_index integer not null, timestamp integer not null,
  txid text not null, contract text not null, topic0 text not null, topic1 text, topic2 text,
  topics text not null, data text not null, primary key (block, position, log_index)
) without rowid;
create index if not exists logs_by_tx on logs (txid);
create index if not exists logs_by_topic1 on logs (topic1, block);
create index if not exists logs_by_topic2 on logs (topic2, block);
create table if not exists pending (
  sequence integer primary key autoincrement, txid text not null unique, raw blob not null, signatures text not null
);
create table if not exists spans (first integer primary key, parent_id text not null, times blob not null) without rowid;
create table if not exists payments (key text primary key, request text not null, txid text not null) without rowid;
`

export const valueRow = z.object({ value: z.string().nullable() })

/** A database that cannot be used; the message is one sentence for the person who started the process. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

export class Store {
  private readonly db: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()

  /**
   * Opens or creates the database in `dataDir`/devnet; null keeps it in memory.
   * @throws StoreError when another process has it or a newer version wrote it
   */
  constructor(dataDir: string | null) {
    if (dataDir === null) {
      this.db = new DatabaseSync(':memory:')
      this.migrate()
      return
    }
    const folder = join(dataDir, 'devnet')
    mkdirSync(folder, { recursive: true })
    this.db = new DatabaseSync(join(folder, 'chain.sqlite'), { timeout: 500 })
    try {
      // An exclusive lock keeps a second devnet off the same folder; the system
      // drops it with the process, however that ends.
      this.db.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal')
      this.db.exec('begin immediate; commit')
      this.migrate()
    } catch (error) {
      this.db.close()
      if (isBusy(error)) throw new StoreError(`another development chain is using ${folder}`)
      throw error
    }
  }

  close(): void {
    this.statements.clear()
    this.db.close()
  }

  /** Runs all of `work` or none of it. `work` must not wait: nothing else may run in between. */
  atomically<T>(work: () => T): T {
    this.db.exec('begin immediate')
    try {
      const result = work()
      this.db.exec('commit')
      return result
    } catch (error) {
      // Out of room, SQLite may have rolled it back by itself.
      if (this.db.isTransaction) this.db.exec('rollback')
      throw error
    }
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.statement(sql).run(...values)
  }

  /** Inserts a row; the statement names the row's fields. */
  insert(sql: string, row: Record<string, SQLInputValue>): void {
    this.statement(sql).run(row)
  }

  all<Row>(row: z.ZodType<Row>, sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql)
      .all(...values)
      .map((each) => row.parse(each))
  }

  one<Row>(row: z.ZodType<Row>, sql: string, ...values: SQLInputValue[]): Row | null {
    const found = this.statement(sql).get(...values)
    return found === undefined ? null : row.parse(found)
  }

  has(sql: string, ...values: SQLInputValue[]): boolean {
    return this.statement(sql).get(...values) !== undefined
  }

  meta(key: string): string | null {
    return this.one(valueRow, 'select value from meta where key = ?', key)?.value ?? null
  }

  setMeta(key: string, value: string): void {
    this.run(
      'insert into meta values (?, ?) on conflict (key) do update set value = excluded.value',
      key,
      value,
    )
  }

  private statement(sql: string): StatementSync {
    const known = this.statements.get(sql)
    if (known !== undefined) return known
    const fresh = this.db.prepare(sql)
    this.statements.set(sql, fresh)
    return fresh
  }

  private migrate(): void {
    const version = Number(this.db.prepare('pragma user_version').get()?.['user_version'] ?? 0)
    if (version > SCHEMA_VERSION) {
      throw new StoreError(
        `the development chain's data has version ${version}, this program knows ${SCHEMA_VERSION}`,
      )
    }
    if (version === SCHEMA_VERSION) return
    this.db.exec(SCHEMA)
    this.db.exec(`pragma user_version = ${SCHEMA_VERSION}`)
  }
}

/** SQLite's number of an error, without what it says more exactly. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

const isBusy = (error: unknown): boolean => codeOf(error) === 5

/** The disk is full, or takes nothing for another reason: what was to be written is not, and can be later. */
export const isOutOfRoom = (error: unknown): boolean => [10, 13].includes(codeOf(error))

/**
 * The chain on disk. One SQLite transaction per change, write-ahead log: a process killed at any instant
 * leaves either the whole block or nothing of it. Nothing is held in memory but the prepared statements, unless a
 * chain in memory is asked for.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** A row as SQLite gives it. */
export type Row = Record<string, unknown>

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
      this.db.exec('rollback')
      throw error
    }
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.statement(sql).run(...values)
  }

  one(sql: string, ...values: SQLInputValue[]): Row | null {
    return this.statement(sql).get(...values) ?? null
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values)
  }

  meta(key: string): string | null {
    const row = this.one('select value from meta where key = ?', key)
    return row === null ? null : text(row, 'value')
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
    this.db.exec(SCHEMA)
    this.db.exec(`pragma user_version = ${SCHEMA_VERSION}`)
  }
}

/** A text column. */
export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`column ${column} is no text`)
  return value
}

/** An integer column. */
export function integer(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`column ${column} is no integer`)
  return value
}

/** A blob column. */
export function blob(row: Row, column: string): Uint8Array {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw new Error(`column ${column} is no blob`)
  return value
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

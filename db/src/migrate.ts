import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'
import { openPool } from './client.ts'

/** A database that cannot be used, in one sentence for the person who starts the product. */
export class DatabaseRefusal extends Error {
  readonly code: 'database_newer' | 'database_too_old' | 'database_unreachable' | 'database_foreign'

  constructor(code: DatabaseRefusal['code'], message: string) {
    super(message)
    this.name = 'DatabaseRefusal'
    this.code = code
  }
}

const FOLDER = new URL('../migrations/', import.meta.url)
const OLDEST_SERVER = 150_000

/** Migrations are plain SQL files, applied in the order of their names, forward only, all in one transaction. */
const files: MigrationProvider = {
  async getMigrations() {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
    const entries = names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      return [
        name.replace(/\.sql$/, ''),
        {
          up: (db: Kysely<unknown>) =>
            sql
              .raw(text)
              .execute(db)
              .then(() => undefined),
        },
      ] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  },
}

async function refuseUnusable(db: Kysely<unknown>): Promise<void> {
  let version: number
  try {
    const { rows } = await sql<{ v: string }>`SELECT current_setting('server_version_num') AS v`.execute(db)
    version = Number.parseInt(rows[0]?.v ?? '0', 10)
  } catch (error) {
    throw new DatabaseRefusal(
      'database_unreachable',
      `The database cannot be reached: ${(error as Error).message}`,
    )
  }
  if (version < OLDEST_SERVER) {
    throw new DatabaseRefusal(
      'database_too_old',
      `PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`,
    )
  }
  const { rows } = await sql<{ applied: string | null; tables: number }>`
    SELECT to_regclass('public.kysely_migration')::text AS applied,
      (SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public') AS tables`.execute(db)
  if (rows[0]?.applied === null && (rows[0]?.tables ?? 0) > 0) {
    throw new DatabaseRefusal(
      'database_foreign',
      'This database already holds other tables; Aval needs an empty one.',
    )
  }
  if (rows[0]?.applied == null) return
  const known = Object.keys(await files.getMigrations()).toSorted()
  const stored = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  const [first] = stored.rows
  if (first !== undefined && first.name !== known[0])
    throw new DatabaseRefusal(
      'database_foreign',
      `This database begins with "${first.name}" and not with "${known[0]}": it was made by an Aval of another baseline, which this version cannot continue; nothing was changed.`,
    )
  const unknown = stored.rows.find(({ name }) => !known.includes(name))
  if (unknown !== undefined) {
    throw new DatabaseRefusal(
      'database_newer',
      `This database was made by a newer version of Aval (it has "${unknown.name}"); nothing was changed.`,
    )
  }
}

/** Brings the database at `ownerUrl` to this version. @throws DatabaseRefusal, leaving it untouched. */
export async function migrate(ownerUrl: string): Promise<void> {
  const pool = openPool(ownerUrl, { max: 2, connectionTimeoutMillis: 10_000 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await refuseUnusable(db)
    const { error } = await new Migrator({ db, provider: files }).migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    await db.destroy()
  }
}

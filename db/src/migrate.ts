import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'
import { openPool } from './client.ts'
import { isOutage } from './outage.ts'

/** A database that cannot be used, in one sentence for the person who starts the product. */
export class DatabaseRefusal extends Error {
  readonly code:
    | 'database_newer'
    | 'database_too_old'
    | 'database_unreachable'
    | 'database_foreign'
    | 'database_rights'

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

async function refuseOldServer(db: Kysely<unknown>): Promise<void> {
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
}

/** Every program has a role of its own, and the job tables a schema. */
async function refuseWeakOwner(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ role: string; roles: boolean; schemas: boolean; database: string }>`
    SELECT rolname AS role, rolcreaterole OR rolsuper AS roles, current_database() AS database,
      has_database_privilege(current_database(), 'CREATE') AS schemas
    FROM pg_roles WHERE rolname = current_user`.execute(db)
  const [me] = rows
  if (me === undefined) return
  if (!me.roles)
    throw new DatabaseRefusal(
      'database_rights',
      `The role "${me.role}" may not make roles, and each program of Aval gets one: run ALTER ROLE "${me.role}" CREATEROLE as a superuser; nothing was changed.`,
    )
  if (!me.schemas)
    throw new DatabaseRefusal(
      'database_rights',
      `The role "${me.role}" may not make schemas here: run ALTER DATABASE "${me.database}" OWNER TO "${me.role}" as a superuser; nothing was changed.`,
    )
}

async function refuseForeign(db: Kysely<unknown>): Promise<void> {
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
  // In the order in which the library compares them.
  const { rows: stored } = await sql<{ name: string }>`
    SELECT name FROM kysely_migration ORDER BY timestamp, name`.execute(db)
  const at = stored.findIndex(({ name }, index) => name !== known[index])
  const { name } = stored[at] ?? {}
  if (name === undefined) return
  if (name > (known.at(-1) ?? ''))
    throw new DatabaseRefusal(
      'database_newer',
      `This database was made by a newer version of Aval (it has "${name}"); nothing was changed.`,
    )
  throw new DatabaseRefusal(
    'database_foreign',
    `This database was made by another branch or baseline of Aval (it has "${name}" where this version has "${known[at]}"): ${WHAT_TO_DO_INSTEAD}`,
  )
}

/** What to do about a database that this version does not continue. */
const WHAT_TO_DO_INSTEAD =
  'start the version that made it, or choose another DATA_DIR or DATABASE_URL; nothing was changed.'

async function refuseUnusable(db: Kysely<unknown>): Promise<void> {
  await refuseOldServer(db)
  await refuseWeakOwner(db)
  await refuseForeign(db)
}

/** Patient with a machine that is busy. */
const openOwner = (ownerUrl: string): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: openPool(ownerUrl, { max: 2, connectionTimeoutMillis: 60_000 }) }),
  })

/** Whether `migrate` could work, as far as can be said without changing anything. @throws DatabaseRefusal */
export async function checkDatabase(ownerUrl: string): Promise<void> {
  const db = openOwner(ownerUrl)
  try {
    await refuseUnusable(db)
  } finally {
    await db.destroy()
  }
}

/** Brings the database at `ownerUrl` to this version. @throws DatabaseRefusal, leaving it untouched. */
export async function migrate(ownerUrl: string): Promise<void> {
  const db = openOwner(ownerUrl)
  try {
    await refuseUnusable(db)
    const { error, results } = await new Migrator({ db, provider: files }).migrateToLatest()
    if (error === undefined) return
    if (isOutage(error)) throw error
    const failed = results?.find(({ status }) => status === 'Error')
    const name = failed === undefined ? '' : `"${failed.migrationName}" fails: `
    throw new DatabaseRefusal(
      'database_foreign',
      `This database does not fit this version of Aval (${name}${(error as Error).message}): it was made by another branch; ${WHAT_TO_DO_INSTEAD}`,
    )
  } finally {
    await db.destroy()
  }
}

import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { withLogin } from './address.ts'
import {
  type Addresses,
  ensureLogin,
  loginOf,
  type Passwords,
  PROCESSES,
  prepareDatabase,
  prepareLogins,
} from './prepare.ts'

export interface TestDatabase extends Addresses {
  /** Signs in as the owner of the tables: for arranging and auditing, never for what is under test. */
  readonly ownerUrl: string
  /** Signs in with the rights of the API and of the worker, for tests of commands that both run. */
  readonly serverUrl: string
  drop(): Promise<void>
}

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const PASSWORDS = Object.fromEntries(PROCESSES.map((name) => [name, `test-${name}`])) as unknown as Passwords
/** Several test files may want the template at once; the first makes it, the rest wait on this advisory lock. */
const TEMPLATE_LOCK = 7299

function templateName(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(MIGRATIONS).sort()) hash.update(readFileSync(new URL(name, MIGRATIONS)))
  return `aval_template_${hash.digest('hex').slice(0, 12)}`
}

function onDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

async function ensureTemplate(admin: pg.Client, adminUrl: string, template: string): Promise<void> {
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    const found = await admin.query('SELECT FROM pg_database WHERE datname = $1', [template])
    if (found.rowCount !== 0) return
    const draft = `${template}_draft`
    await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${draft}`)
    await prepareDatabase(onDatabase(adminUrl, draft), PASSWORDS)
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
    await admin.query(`DROP ROLE ${PROCESSES.map((process) => loginOf(draft, process)).join(', ')}`)
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
}

/** A database of one's own, cloned from a migrated template in some hundredths of a second. */
export async function createTestDatabase(adminUrl: string): Promise<TestDatabase> {
  const template = templateName()
  const name = `aval_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const ownerUrl = onDatabase(adminUrl, name)
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await ensureTemplate(admin, adminUrl, template)
    // By files: where nothing is forced to the disk, several times as fast as through the log.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
    const addresses = await prepareLogins(admin, ownerUrl, PASSWORDS)
    const serverUrl = await serverLogin(admin, ownerUrl)
    return { ...addresses, ownerUrl, serverUrl, drop: () => dropDatabase(adminUrl, name) }
  } finally {
    await admin.end()
  }
}

/** No program has the rights of both: it is called as if it were one of another database, which the check of integrity leaves alone. */
const serverLoginOf = (database: string) =>
  loginOf('template1', `server${createHash('sha256').update(database).digest('hex').slice(0, 12)}`)

/** Makes a sign-in with the rights of the API and of the worker. */
export async function serverLogin(client: pg.Client, ownerUrl: string): Promise<string> {
  const login = serverLoginOf(new URL(ownerUrl).pathname.slice(1))
  await ensureLogin(client, login, ['aval_api', 'aval_worker'], 'test-server')
  return withLogin(ownerUrl, login, 'test-server')
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    const logins = PROCESSES.map((process) => loginOf(name, process))
    // A member of our roles that belongs to no database is what the check of integrity names, in databases beside.
    for (const process of PROCESSES)
      await admin.query(`REVOKE aval_${process} FROM ${loginOf(name, process)}`)
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE IF EXISTS ${[serverLoginOf(name), ...logins].join(', ')}`)
  } finally {
    await admin.end()
  }
}

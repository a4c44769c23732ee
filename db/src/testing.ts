import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { type Prepared, prepareDatabase, prepareLogins } from './prepare.ts'

export interface TestDatabase extends Prepared {
  /** Signs in as the owner of the tables: for arranging and auditing, never for what is under test. */
  readonly ownerUrl: string
  drop(): Promise<void>
}

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const PASSWORDS = {
  serverPassword: 'test-server',
  gatewayPassword: 'test-gateway',
  signerPassword: 'test-signer',
}
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
    await prepareDatabase({ ownerUrl: onDatabase(adminUrl, draft), ...PASSWORDS })
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
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
    const prepared = await prepareLogins(admin, ownerUrl, PASSWORDS)
    return { ...prepared, ownerUrl, drop: () => dropDatabase(adminUrl, name) }
  } finally {
    await admin.end()
  }
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE IF EXISTS ${name}_server, ${name}_gateway, ${name}_signer`)
  } finally {
    await admin.end()
  }
}

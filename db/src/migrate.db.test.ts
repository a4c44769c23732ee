import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { connect } from './connect.ts'
import { dumpSchema } from './dump.ts'
import { migrate } from './migrate.ts'
import { checkDatabase, loginOf, PROCESSES, prepareDatabase } from './prepare.ts'
import { createTestDatabase } from './testing.ts'

const name = `aval_test_${randomUUID().slice(0, 8)}`
const ownerUrl = new URL(inject('ownerUrl'))
ownerUrl.pathname = `/${name}`
const admin = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(() => admin.connect())
beforeEach(() => admin.query(`CREATE DATABASE ${name}`))
beforeEach(() => () => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).then(() => undefined))
afterAll(() => admin.end())

async function run(...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: ownerUrl.href })
  await client.connect()
  try {
    const results: unknown[] = []
    // Several statements in one text answer one result each.
    for (const statement of statements)
      for (const { rows } of [await client.query({ text: statement, rowMode: 'array' })].flat())
        results.push(...(rows ?? []).flat())
    return results
  } finally {
    await client.end()
  }
}

const AT = '2026-05-06T12:00:00.000Z'
const migrated = (first: string) => [
  'CREATE TABLE kysely_migration (name text PRIMARY KEY, timestamp text)',
  `INSERT INTO kysely_migration VALUES ('${first}', '${AT}'), ('0002-ledger', '${AT}')`,
]

it('db/schema.sql says what the migrations make ("npm run generate" writes it)', async () => {
  await migrate(ownerUrl.href)
  const connection = connect(ownerUrl.href, 1)
  const written = await readFile(new URL('../schema.sql', import.meta.url), 'utf8')
  expect(await dumpSchema(connection.db).finally(() => connection.close())).toBe(written)
})

it.each([
  ['of another baseline', '0001-installation', '0001-ledger', 'database_foreign'],
  ['of another branch', '0002-ledger', '0002-elsewhere', 'database_foreign'],
  ['that a newer version made', '0002-ledger', '9999-later', 'database_newer'],
])('a database %s is refused in one line, and nothing of it changes', async (_what, name, instead, code) => {
  const change = `UPDATE kysely_migration SET name = '${instead}' WHERE name = '${name}'`
  await run(...migrated('0001-installation'), change)
  const message = expect.stringMatching(new RegExp(`^[^\\n]*"${instead}"[^\\n]*nothing was changed\\.$`))
  await expect(migrate(ownerUrl.href)).rejects.toMatchObject({ code, message })
  expect(await run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([
    'kysely_migration',
  ])
})

it('one that looks like an earlier version and is not is refused in one line too, and nothing of it changes', async () => {
  await run(...migrated('0001-installation'))
  await expect(migrate(ownerUrl.href)).rejects.toMatchObject({
    code: 'database_foreign',
    message: expect.stringMatching(
      /^This database does not fit this version of Aval \("\d{4}-.+" fails: [^\n]+$/,
    ),
  })
  expect(await run('SELECT name FROM kysely_migration')).toEqual(['0001-installation', '0002-ledger'])
})

it('an owner who may not make what is needed is told what to have done, before anything is changed', async () => {
  const owner = `${name}_weak`
  await admin.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'owner'`)
  const url = new URL(ownerUrl)
  url.username = owner
  url.password = 'owner'
  try {
    await expect(checkDatabase(url.href)).rejects.toMatchObject({
      code: 'database_rights',
      message: expect.stringContaining(`run ALTER ROLE "${owner}" CREATEROLE as a superuser`),
    })
    await admin.query(`ALTER ROLE ${owner} CREATEROLE`)
    await expect(checkDatabase(url.href)).rejects.toMatchObject({
      code: 'database_rights',
      message: expect.stringContaining(`run ALTER DATABASE "${name}" OWNER TO "${owner}" as a superuser`),
    })
    await admin.query(`ALTER DATABASE ${name} OWNER TO ${owner}`)
    await checkDatabase(url.href)
    expect(await run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([])
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE ${owner}`)
  }
})

it('a database that holds tables of something else is refused', async () => {
  await run('CREATE TABLE orders (id int)')
  await expect(migrate(ownerUrl.href)).rejects.toMatchObject({ code: 'database_foreign' })
})

it('an owner who is no superuser prepares a database, and prepares it again', async () => {
  const owner = `${name}_owner`
  await admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'owner'`)
  try {
    await admin.query(`ALTER DATABASE ${name} OWNER TO ${owner}`)
    // The roles are the cluster's, and here a superuser has created them for another database.
    await (await createTestDatabase(inject('ownerUrl'))).drop()
    for (const role of ['ledger', 'jobs', 'server', ...PROCESSES])
      await admin.query(`GRANT aval_${role} TO ${owner} WITH ADMIN OPTION`)
    const url = new URL(ownerUrl)
    url.username = owner
    url.password = 'owner'
    const passwords = { api: 'a', worker: 'w', gateway: 'g', signer: 's', approvals: 'p', auditor: 'u' }
    await prepareDatabase(url.href, passwords)
    const { gatewayUrl } = await prepareDatabase(url.href, passwords)
    const gateway = new pg.Client({ connectionString: gatewayUrl })
    await gateway.connect()
    await gateway.query("SELECT register_custody('T', 'hot', 5, 1)")
    await gateway.end()
    expect(await run('SELECT key FROM graphile_worker.jobs')).toEqual(['opening:T'])
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE IF EXISTS ${PROCESSES.map((process) => loginOf(name, process)).join(', ')}`)
    await admin.query(`DROP ROLE ${owner}`)
  }
})

/** What stood in a database before a migration, with everything of it. */
async function migratedBefore(next: string): Promise<void> {
  const folder = new URL('../migrations/', import.meta.url)
  const names = (await readdir(folder)).sort().filter((file) => file.endsWith('.sql') && file < next)
  await run('CREATE TABLE kysely_migration (name text PRIMARY KEY, timestamp text)')
  for (const file of names)
    await run(
      await readFile(new URL(file, folder), 'utf8'),
      `INSERT INTO kysely_migration VALUES ('${file.replace('.sql', '')}', '${new Date().toISOString()}')`,
    )
}

it('terms of investments that are there: the earlier of what the latest one said and of their own, and nothing later', async () => {
  await migratedBefore('0055')
  const invested = (member: number, id: number, amount: number, plan: number, day: string) =>
    `INSERT INTO investment (member_id, id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
     OVERRIDING SYSTEM VALUE VALUES (${member}, ${id}, ${id}, ${amount}, 9999, false, ${plan}, '${day}T00:00Z')`
  const reversed = (member: number, investment: number, id: number) =>
    `INSERT INTO reversal (member_id, investment_id, id, journal_id, amount, reason, reversed_by, at)
     VALUES (${member}, ${investment}, ${id}, ${id}, 500, 'why', 1, '2026-06-01T00:00Z')`
  const withdrawn = (member: number, id: number, amount: number, state: string, day: string) =>
    `INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, state, approvals_needed, plan_version,
       hold_journal_id, requested_at, closed_at, close_journal_id, txid)
     OVERRIDING SYSTEM VALUE VALUES (${member}, ${id}, ${amount}, 1, 0, ${amount}, '', '${state}', 1, 1, 1, '${day}T00:00Z', now(), 1,
       ${state === 'completed' ? `'${id}'` : 'NULL'})`
  const moved = (member: number, id: number, withdrawal: number, amount: number) =>
    `INSERT INTO principal_movement (member_id, id, withdrawal_id, amount, at) VALUES (${member}, ${id}, ${withdrawal}, ${amount}, now())`
  await run(
    'SET session_replication_role = replica',
    ...[365, 30].map(
      (days, at) =>
        `INSERT INTO plan_version (version, starts_at, document) VALUES (${at + 1}, now(), '{"investment": {"lockDays": ${days}}}')`,
    ),
    // A top-up; a top-up under a shorter term, which freed everything; the same, taken back.
    ...[invested(1, 10, 1000, 1, '2026-01-01'), invested(1, 11, 500, 1, '2026-01-26')],
    ...[invested(2, 12, 1000, 1, '2026-01-01'), invested(2, 13, 500, 2, '2026-01-26')],
    ...[invested(3, 14, 1000, 1, '2026-01-01'), invested(3, 15, 500, 2, '2026-01-26'), reversed(3, 15, 16)],
    // All free by a shorter term, withdrawn in part, and locked again by a later investment.
    ...[invested(4, 20, 1000, 1, '2026-01-01'), invested(4, 21, 500, 2, '2026-01-26')],
    ...[
      withdrawn(4, 1, 1200, 'completed', '2026-03-01'),
      moved(4, 22, 1, -1200),
      invested(4, 23, 700, 1, '2026-04-01'),
    ],
    // A withdrawal that came to nothing, of an investment that was taken back since.
    ...[invested(5, 30, 500, 2, '2026-01-01'), withdrawn(5, 2, 400, 'cancelled', '2026-03-01')],
    ...[moved(5, 31, 2, -400), moved(5, 32, 2, 400), reversed(5, 30, 33)],
  )
  await migrate(ownerUrl.href)
  const day = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  expect(
    await run(
      `SELECT concat_ws(' ', member_id, id, ${day('unlocks_at')}, CASE WHEN unlocks_early THEN 'early' END) FROM investment ORDER BY id`,
    ),
  ).toEqual([
    ...['1 10 2027-01-01', '1 11 2027-01-26'],
    ...['2 12 2026-02-25 early', '2 13 2026-02-25'],
    ...['3 14 2027-01-01', '3 15 2026-02-25'],
    ...['4 20 2026-03-01 early', '4 21 2026-02-25', '4 23 2027-04-01'],
    '5 30 2026-01-31',
  ])
  expect(
    await run(
      "SELECT concat_ws(' ', member_id, investment_id, amount) FROM investment_left WHERE member_id > 2 ORDER BY 1",
    ),
  ).toEqual(['3 14 1000', '4 20 300', '4 21 0', '4 23 700'])
})

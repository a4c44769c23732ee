/**
 * Writes everything that is generated: the schema dump, what the catalog is to say, the database's types, the development contracts'
 * bytecode.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, inTransaction } from '@aval/db'
import pg from 'pg'
import { readCatalog, writeCatalog } from '../db/src/catalog.ts'
import { dumpSchema } from '../db/src/dump.ts'
import { startEphemeral } from '../db/src/ephemeral.ts'
import { migrate } from '../db/src/migrate.ts'
import { type Passwords, PROCESSES, prepareDatabase } from '../db/src/prepare.ts'
import { root } from './core/config.ts'

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ended with code ${code}`)
}

/** Who migrates a database owns it. */
async function takeOver(url: string): Promise<void> {
  const superuser = new pg.Client({ connectionString: url })
  await superuser.connect()
  await superuser.query('ALTER DATABASE aval OWNER TO CURRENT_USER')
  await superuser.end()
}

const database = await startEphemeral()
try {
  await takeOver(database.url)
  await migrate(database.url)
  const connection = connect(database.url, 1, 'aval-generate')
  await writeFile(join(root, 'db/schema.sql'), await dumpSchema(connection.db))
  await connection.close()
  const passwords = Object.fromEntries(PROCESSES.map((name) => [name, 'none'])) as unknown as Passwords
  await prepareDatabase(database.url, passwords)
  const { db, close } = connect(database.url, 1, 'aval-generate')
  const facts = await inTransaction(db, readCatalog)
  await writeFile(join(root, 'db/integrity.generated.json'), writeCatalog(facts))
  await close()
  await run(join(root, 'node_modules/.bin/kysely-codegen'), [
    '--dialect=postgres',
    `--url=${database.url}`,
    '--include-pattern=public.*',
    '--exclude-pattern=kysely_*',
    '--type-mapping={"int8":"bigint"}',
    '--out-file=db/src/schema.generated.ts',
  ])
} finally {
  await database.stop()
}
await run(process.execPath, ['apps/devnet/src/cli/compile-contracts.ts'])

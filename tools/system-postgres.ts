/**
 * `npm run test:postgres`: the database tests on a PostgreSQL of the system instead of the embedded one: the server of
 * DATABASE_URL, else a throw-away one made of the oldest supported version (15 or newer) that is installed.
 */
import { existsSync, globSync } from 'node:fs'
import type { Embedded } from '../db/src/embedded.ts'
import { startEphemeral } from '../db/src/ephemeral.ts'
import { aptInstall, isOnPath } from './chromium.ts'
import { givenDatabaseUrl } from './core/config.ts'
import { lineOf, Refusal } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'
import { conclude, failedWhole, type Outcome, runVitest } from './tests.ts'

const oldest = 15
const places = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql@*/bin']

/** Folders with a PostgreSQL we support, the oldest version first. */
function installed(): string[] {
  const versionOf = (bin: string) => Number(/(\d+)\/bin$/.exec(bin)?.[1])
  return globSync(places)
    .filter((bin) => versionOf(bin) >= oldest && existsSync(`${bin}/initdb`))
    .sort((a, b) => versionOf(a) - versionOf(b))
}

async function findOrInstall(): Promise<string> {
  if (installed().length === 0 && process.getuid?.() === 0 && isOnPath('apt-get')) {
    console.log('Installing PostgreSQL …')
    await aptInstall('postgresql')
  }
  const [bin] = installed()
  if (bin !== undefined) return bin
  throw new Refusal(
    `No PostgreSQL ${oldest} or newer is installed: install it, or set DATABASE_URL to a server.`,
  )
}

async function start(): Promise<Embedded> {
  const bin = await findOrInstall()
  console.log(`Testing with the PostgreSQL in ${bin}`)
  return startEphemeral({ bin, flags: ['max_connections=200'] })
}

/** The database tests that the arguments name, all of them where there are none. */
export async function testOnSystemPostgres(wanted: readonly string[]): Promise<Outcome> {
  const args = ['--project', 'database', ...wanted]
  try {
    if (givenDatabaseUrl() !== undefined) return await runVitest(args)
    const database = await start()
    return await runVitest(args, { env: { DATABASE_URL: database.url } }).finally(() => database.stop())
  } catch (error) {
    return failedWhole('the server', lineOf(error))
  }
}

if (import.meta.main) {
  continueWithOwnNode()
  conclude(await testOnSystemPostgres(process.argv.slice(2)))
}

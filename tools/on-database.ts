/**
 * `npm run ledger:check`, `npm run ledger:keep`, `npm run audit:verify`, `npm run replay` and `npm run operator`: the server's command-line programs, run on the installation's
 * database: that of DATABASE_URL, else of the product that runs on DATA_DIR, else the embedded one, started for as long as
 * it takes. Exits as the program does; what prevents it from running is said in one line.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '@aval/db/embedded'
import { childEnvironment, readStartConfig, root, type StartConfig } from './core/config.ts'
import { lineOf, Refusal } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'
import { lockDataFolder } from './supervisor/lock.ts'
import { readRunFile } from './supervisor/run-file.ts'
import { readSecrets } from './supervisor/secrets.ts'

/** @param url where people reach the product, as far as one runs */
type Program = (databaseUrl: string, url?: string) => Promise<number>
/** Keys of the installation that a program may need; one that is in the environment stays as it is. */
type Key = 'SEAL_KEY' | 'JWT_KEY'

async function keysFor(dataDir: string, needed: readonly Key[]): Promise<Record<string, string>> {
  const given = childEnvironment()
  if (needed.every((name) => given[name] !== undefined)) return {}
  // Made again they would fit nothing that is in the database.
  if (!existsSync(join(dataDir, 'secrets.json')))
    throw new Refusal(`There are no secrets in ${dataDir}: say with DATA_DIR where Aval runs.`)
  const { sealKey, jwtKey } = await readSecrets(dataDir)
  const keys = { SEAL_KEY: sealKey, JWT_KEY: jwtKey } satisfies Record<Key, string>
  return Object.fromEntries(needed.map((name) => [name, given[name] ?? keys[name]]))
}

const program =
  (name: string, args: readonly string[], config: StartConfig, needed: readonly Key[]): Program =>
  async (databaseUrl, url) => {
    const settings = {
      PUBLIC_URL: url ?? config.publicUrl,
      COOLING_HOURS: config.server['COOLING_HOURS'] ?? (config.demo ? '0' : undefined),
    }
    const keys = await keysFor(config.dataDir, needed)
    const child = spawn(process.execPath, [join(root, 'apps/server/src/cli', name), ...args], {
      env: childEnvironment({ ...settings, DATABASE_URL: databaseUrl, ...keys }),
      stdio: 'inherit',
    })
    return new Promise((resolve, reject) => {
      child.once('error', reject).once('close', (code) => resolve(code ?? 1))
    })
  }

async function runEmbedded(dataDir: string, run: Program): Promise<number> {
  if (!existsSync(join(dataDir, 'postgres'))) throw new Refusal(`There is no database in ${dataDir} yet.`)
  const lock = await lockDataFolder(dataDir, 'a command of ours').catch(() => null)
  if (lock === null) {
    const running = await readRunFile(dataDir)
    if (!running) throw new Refusal(`Aval is starting or stopping on ${dataDir}: try again in a moment.`)
    return run(running.databases.owner, running.url)
  }
  try {
    const { superuserPassword } = await readSecrets(dataDir)
    const database = await startEmbedded({ dataDir, password: superuserPassword })
    return await run(database.url).finally(() => database.stop())
  } finally {
    await lock.release()
  }
}

const [name = '', ...args] = process.argv.slice(2)
/** Which keys `operator` takes: of what it does about members, only what writes a letter signs a link. */
function operatorKeys(): readonly Key[] {
  if (args.includes('--release') || args.includes('--end-sessions')) return ['JWT_KEY']
  return ['--fundator', '--no-fundator', '--extra-points'].some((option) => args.includes(option))
    ? []
    : ['SEAL_KEY']
}
const needed: Readonly<Record<string, readonly Key[]>> = { operator: operatorKeys() }

continueWithOwnNode()
try {
  const config = readStartConfig()
  const { databaseUrl, dataDir } = config
  const run = program(`${name}.ts`, args, config, needed[name] ?? [])
  process.exitCode = databaseUrl === null ? await runEmbedded(dataDir, run) : await run(databaseUrl)
} catch (error) {
  console.error(lineOf(error))
  process.exitCode = 1
}

/**
 * Runs one of the server's command-line programs on the installation's database: that of DATABASE_URL, else of the product
 * that runs on DATA_DIR, else the embedded one, started for as long as it takes.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '@aval/db/embedded'
import { childEnvironment, readStartConfig, root } from './config.ts'
import { continueWithOwnNode } from './runtime.ts'
import { lockDataFolder } from './supervisor/lock.ts'
import { lineOf, Refusal } from './supervisor/refusal.ts'
import { readRunFile } from './supervisor/run-file.ts'
import { readSecrets } from './supervisor/secrets.ts'

type Program = (databaseUrl: string) => Promise<number>
/** Keys of the installation that a program may need; one that is in the environment stays as it is. */
type Key = 'SEAL_KEY'

async function keysFor(dataDir: string, needed: readonly Key[]): Promise<Record<string, string>> {
  const given = childEnvironment()
  if (needed.every((name) => given[name] !== undefined)) return {}
  // Made anew they would fit nothing that is in the database.
  if (!existsSync(join(dataDir, 'secrets.json')))
    throw new Refusal(`There are no secrets in ${dataDir}: say with DATA_DIR where Aval runs.`)
  const { sealKey } = await readSecrets(dataDir)
  const keys = { SEAL_KEY: sealKey } satisfies Record<Key, string>
  return Object.fromEntries(needed.map((name) => [name, given[name] ?? keys[name]]))
}

const program =
  (name: string, args: readonly string[], dataDir: string, needed: readonly Key[]): Program =>
  async (databaseUrl) => {
    const child = spawn(process.execPath, [join(root, 'apps/server/src/cli', name), ...args], {
      env: childEnvironment({ DATABASE_URL: databaseUrl, ...(await keysFor(dataDir, needed)) }),
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
    return run(running.databases.owner)
  }
  try {
    const { ownerPassword } = await readSecrets(dataDir)
    const database = await startEmbedded({ dataDir, password: ownerPassword })
    return await run(database.url).finally(() => database.stop())
  } finally {
    await lock.release()
  }
}

/** Sets the exit code to the program's. What prevents it from running is told in one line. */
export async function runOnDatabase(
  name: string,
  args: readonly string[] = [],
  needed: readonly Key[] = [],
): Promise<void> {
  continueWithOwnNode()
  try {
    const { databaseUrl, dataDir } = readStartConfig()
    const run = program(name, args, dataDir, needed)
    process.exitCode = databaseUrl === null ? await runEmbedded(dataDir, run) : await run(databaseUrl)
  } catch (error) {
    console.error(lineOf(error))
    process.exitCode = 1
  }
}

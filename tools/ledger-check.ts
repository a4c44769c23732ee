/**
 * `npm run ledger:check`: checks every promise of the ledger and prints figures; the exit code is the verdict.
 *
 * Looks at the database of DATABASE_URL, else at the product that runs on DATA_DIR, else starts the embedded one.
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

const script = join(root, 'apps/server/src/cli/ledger-check.ts')

function check(databaseUrl: string): Promise<number> {
  const child = spawn(process.execPath, [script], {
    env: childEnvironment({ DATABASE_URL: databaseUrl }),
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? 1))
  })
}

async function checkEmbedded(dataDir: string): Promise<number> {
  if (!existsSync(join(dataDir, 'postgres'))) throw new Refusal(`There is no database in ${dataDir} yet.`)
  const lock = await lockDataFolder(dataDir, 'a check of the ledger').catch(() => null)
  if (lock === null) {
    const running = await readRunFile(dataDir)
    if (!running) throw new Refusal(`Aval is starting or stopping on ${dataDir}: try again in a moment.`)
    return check(running.databases.owner)
  }
  try {
    const { ownerPassword } = await readSecrets(dataDir)
    const database = await startEmbedded({ dataDir, password: ownerPassword })
    return await check(database.url).finally(() => database.stop())
  } finally {
    await lock.release()
  }
}

continueWithOwnNode()
try {
  const { databaseUrl, dataDir } = readStartConfig()
  process.exitCode = databaseUrl === null ? await checkEmbedded(dataDir) : await check(databaseUrl)
} catch (error) {
  console.error(lineOf(error))
  process.exitCode = 1
}

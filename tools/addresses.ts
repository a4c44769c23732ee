/**
 * `npm run addresses -- import <file> [--audit-key hex]`: stores deposit addresses that were derived on a machine without a network.
 * Works on the product that runs on DATA_DIR, with the signer's rights in the database and without its keys.
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { childEnvironment, readStartConfig, root } from './core/config.ts'
import { lineOf, Refusal } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'
import { readRunFile } from './supervisor/run-file.ts'

async function run([command, file, ...more]: readonly string[]): Promise<number> {
  if (command !== 'import' || file === undefined)
    throw new Refusal('npm run addresses -- import <file> [--audit-key hex]')
  const { dataDir } = readStartConfig()
  const running = await readRunFile(dataDir)
  if (running === null) throw new Refusal(`Aval does not run on ${dataDir}: start it first.`)
  const program = join(root, 'apps/gateway/src/signer/cli/import-addresses.ts')
  const child = spawn(process.execPath, [program, resolve(file), ...more], {
    env: childEnvironment({ DATABASE_URL: running.databases.signer }),
    stdio: 'inherit',
  })
  return new Promise((done, reject) => {
    child.once('error', reject).once('close', (code) => done(code ?? 1))
  })
}

continueWithOwnNode()
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(lineOf(error))
  process.exitCode = 1
}

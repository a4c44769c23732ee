/**
 * `npm run withdrawals -- export <file>` and `import <file>`: the offline way out, for keys on a machine without a network.
 * Works on the product that runs on DATA_DIR, with the gateway's own rights.
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { childEnvironment, readStartConfig, root } from './core/config.ts'
import { lineOf, Refusal } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'
import { devnetAddresses } from './supervisor/environment.ts'
import { readRunFile } from './supervisor/run-file.ts'

const PROGRAMS: Readonly<Record<string, string>> = {
  export: 'export-unsigned.ts',
  import: 'import-signed.ts',
}

async function run([command = '', file]: readonly string[]): Promise<number> {
  const program = PROGRAMS[command]
  if (program === undefined || file === undefined)
    throw new Refusal('npm run withdrawals -- export <file>, or import <file>')
  const config = readStartConfig()
  const running = await readRunFile(config.dataDir)
  if (running === null) throw new Refusal(`Aval does not run on ${config.dataDir}: start it first.`)
  const { network, nodes, custody } = config
  const child = spawn(process.execPath, [join(root, 'apps/gateway/src/cli', program), resolve(file)], {
    env: childEnvironment({
      ...devnetAddresses(config),
      ...custody.gateway,
      DATABASE_URL: running.databases.gateway,
      TRON_NETWORK: network,
      ...(nodes !== null && { TRON_NODES: nodes }),
    }),
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

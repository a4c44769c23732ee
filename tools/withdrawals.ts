/**
 * `npm run withdrawals -- export <file>` and `import <file>`: the offline way out, for keys on a machine without a network.
 * Works on the product that runs on DATA_DIR, with the gateway's own rights; decisions are brought in with the signer's, which no other role has.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { childEnvironment, readStartConfig, root } from './core/config.ts'
import { lineOf, Refusal } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'
import { devnetAddresses } from './supervisor/environment.ts'
import { readRunFile } from './supervisor/run-file.ts'

/** First decisions: one of them may let transfers go on. */
const PROGRAMS: Readonly<
  Record<string, readonly (readonly [role: 'gateway' | 'signer', program: string])[]>
> = {
  export: [['gateway', 'cli/export-unsigned.ts']],
  import: [
    ['signer', 'signer/cli/import-decisions.ts'],
    ['gateway', 'cli/import-signed.ts'],
  ],
}

async function run([command = '', file]: readonly string[]): Promise<number> {
  const programs = PROGRAMS[command]
  if (programs === undefined || file === undefined)
    throw new Refusal('npm run withdrawals -- export <file>, or import <file>')
  const config = readStartConfig()
  const running = await readRunFile(config.dataDir)
  if (running === null) throw new Refusal(`Aval does not run on ${config.dataDir}: start it first.`)
  const { network, nodes, custody } = config
  const ofGateway = {
    ...devnetAddresses(config),
    ...custody.gateway,
    TRON_NETWORK: network,
    ...(nodes !== null && { TRON_NODES: nodes }),
  }
  let worst = 0
  for (const [role, program] of programs) {
    const child = spawn(process.execPath, [join(root, 'apps/gateway/src', program), resolve(file)], {
      env: childEnvironment({
        ...(role === 'gateway' && ofGateway),
        DATABASE_URL: running.databases[role],
      }),
      stdio: 'inherit',
    })
    const [code] = await once(child, 'close')
    worst = Math.max(worst, code ?? 1)
  }
  return worst
}

continueWithOwnNode()
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(lineOf(error))
  process.exitCode = 1
}

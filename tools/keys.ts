/** `npm run keys -- create|show|devnet|sign-offline`: key files of the signer. Needs no database and no product that runs. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './core/config.ts'
import { continueWithOwnNode } from './runtime.ts'

continueWithOwnNode()
const program = join(root, 'apps/gateway/src/signer/cli/keys.ts')
// In the terminal's own folder, environment and input: passphrases go to the program itself.
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
child.once('close', (code) => {
  process.exitCode = code ?? 1
})

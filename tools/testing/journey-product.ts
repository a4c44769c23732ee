/** The product for the browser journeys: as `npm start` runs it, in a new folder that goes when it stops. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { childEnvironment, root } from '../core/config.ts'
import {
  journeyApprovalsPort,
  journeyDataDir,
  journeyDevnetPort,
  journeyPassword,
  journeyPort,
} from './journey-place.ts'

rmSync(journeyDataDir, { recursive: true, force: true })
const product = spawn(process.execPath, [join(root, 'tools/start.ts')], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: childEnvironment({
    DATA_DIR: journeyDataDir,
    PORT: String(journeyPort),
    DEVNET_PORT: String(journeyDevnetPort),
    APPROVALS_PORT: String(journeyApprovalsPort),
    APPROVALS_URL: undefined,
    APPROVALS_HOST: undefined,
    DEVNET_BLOCK_MS: '750',
    DEMO: 'on',
    DEMO_PASSWORD: journeyPassword,
    HOST: undefined,
    DATABASE_URL: undefined,
    PUBLIC_URL: undefined,
    TRON_NETWORK: undefined,
    TRON_NODES: undefined,
    TRON_XPUB: undefined,
    SMTP_URL: undefined,
    CAPTCHA: undefined,
  }),
})
// A process group is signalled as a whole: the product has heard it then, and a second one would mean "at once".
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
product.once('exit', (code) => {
  if (code === 0) rmSync(journeyDataDir, { recursive: true, force: true })
  process.exit(code ?? 1)
})

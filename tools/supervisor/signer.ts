/** What the signer's process needs before it starts: its key file, what opens it, and a place for its socket. */
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { root, type StartConfig } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'
import { baseEnvironment, type OpenedSigner } from './environment.ts'
import { socketPlace } from './lock.ts'
import { runTask } from './processes.ts'
import type { Secrets } from './secrets.ts'

/**
 * Null when signatures are made on another machine. On the development chain the key file is made from the chain's own keys,
 * which everybody knows, in the data folder.
 * @throws Refusal when the passphrase is missing and nobody is there to be asked
 */
export async function openSigner(
  config: StartConfig,
  secrets: Secrets,
  keysProgram: string,
  started: (child: ChildProcess) => void,
): Promise<OpenedSigner | null> {
  const { mode, keyFile, passphrase } = config.custody.signer
  if (mode === 'offline') return null
  const socket = await signerSocket(config.dataDir)
  if (keyFile !== null) {
    return { keyFile, passphrase: passphrase ?? (await askPassphrase(keyFile)), socket }
  }
  const own = { keyFile: join(config.dataDir, 'signer.json'), passphrase: secrets.signerPassphrase, socket }
  if (!existsSync(own.keyFile)) {
    const spec = {
      name: 'signer-keys',
      failure: "The signer's key file could not be made",
      entry: keysProgram,
      args: ['devnet', '--out', own.keyFile],
      cwd: root,
      env: { ...baseEnvironment(config), SIGNER_PASSPHRASE: own.passphrase },
      heapMb: 64,
    }
    await runTask(spec, config.dataDir, started).catch((error: unknown) => {
      // A start that was killed may have left its maker of the file behind, and that one was faster.
      if (!existsSync(own.keyFile)) throw error
    })
  }
  return own
}

/** In a folder of its own, closed to others. */
export const signerSocket = (dataDir: string): Promise<string> =>
  socketPlace(dataDir, 'signer/signer.sock', (folder) => `aval-signer-${folder}/signer.sock`)

/** Asked without showing what is typed. */
async function askPassphrase(keyFile: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Refusal(`SIGNER_PASSPHRASE: is missing: it opens ${keyFile}.`)
  const nowhere = new Writable({ write: (_part, _encoding, done) => done() })
  const line = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  // A raw terminal sends Ctrl-C as a key.
  line.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  // Not before the terminal is ours: it shows by itself what is typed until then.
  process.stdout.write(`Passphrase of ${keyFile}: `)
  try {
    return await line.question('')
  } finally {
    line.close()
    process.stdout.write('\n')
  }
}

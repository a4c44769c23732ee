/** What the signer's process needs before it starts: its key file, what opens it, and a place for its socket. */
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { root, type StartConfig } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'
import { baseEnvironment, type OpenedSigner } from './environment.ts'
import { socketPlace } from './lock.ts'
import { runTask } from './processes.ts'
import type { Secrets } from './secrets.ts'

/**
 * Null when signatures are made on another machine, or by a service of its own. On the development chain the key file is made from the chain's own keys,
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
  if (mode !== 'on') return null
  const socket = await signerSocket(config.dataDir)
  if (keyFile !== null) {
    return { keyFile, passphrase: passphrase ?? (await askPassphrase(keyFile)), socket }
  }
  const own = { keyFile: ownKeyFile(config.dataDir), passphrase: secrets.signerPassphrase, socket }
  if (!existsSync(own.keyFile)) {
    await mkdir(dirname(own.keyFile), { recursive: true, mode: 0o700 })
    const spec = {
      ...keysTask(config, keysProgram, own.passphrase),
      failure: "The signer's key file could not be made",
      args: ['devnet', '--out', own.keyFile],
    }
    await runTask(spec, config.dataDir, started).catch((error: unknown) => {
      // A start that was killed may have left its maker of the file behind, and that one was faster.
      if (!existsSync(own.keyFile)) throw error
    })
  }
  return own
}

/** Of the development chain, with the signer's journal in the same folder: the signer alone reads this folder. */
export const ownKeyFile = (dataDir: string): string => join(dataDir, 'keys/signer.json')

const keysTask = (config: StartConfig, entry: string, passphrase: string) => ({
  name: 'signer-keys',
  entry,
  cwd: root,
  env: { ...baseEnvironment(config, 'tasks'), SIGNER_PASSPHRASE: passphrase },
  heapMb: 64,
})

/**
 * Lets the demo's operators approve, with codes that everybody can compute, and pins where the members' app is. It does nothing where that
 * was done, and nothing to a key file that somebody brought along.
 * @param members their numbers
 * @returns whether they may approve now
 */
export async function pinDemoApprovers(
  config: StartConfig,
  signer: OpenedSigner | null,
  members: readonly string[],
  keysProgram: string,
  started: (child: ChildProcess) => void,
): Promise<boolean> {
  if (signer === null || config.custody.signer.keyFile !== null) return false
  const spec = {
    ...keysTask(config, keysProgram, signer.passphrase),
    failure: "The demo's operators could not be let approve",
    args: [
      'approver',
      'devnet',
      '--out',
      signer.keyFile,
      '--members',
      members.join(','),
      '--origin',
      config.publicUrl,
    ],
  }
  await runTask(spec, config.dataDir, started)
  return true
}

/** In a folder of its own, closed to others. Not `signer`: where a file `signer.json` is allowed as well, Node refuses that folder. */
export const signerSocket = (dataDir: string): Promise<string> =>
  socketPlace(dataDir, 'socket/signer.sock', (folder) => `aval-signer-${folder}/signer.sock`)

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

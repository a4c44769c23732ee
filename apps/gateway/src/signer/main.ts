/** The signer process: reads the key file, and signs what is approved. No other process of the product reads a key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '@aval/db/connect'
import { findInstallation } from '../core/installation.sql.ts'
import { createLog, describeError } from '../core/log.ts'
import { exitBecause, onStop, reportReady } from '../core/parent-process.ts'
import { aborted, pause } from '../core/polling.ts'
import { readSignerConfig, type SignerConfig } from './config.ts'
import { KeyFileRefusal, openKeyFile } from './keys/key-file.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { createSigner } from './signer.ts'
import { SocketRefusal, serveSigner } from './socket.ts'
import { openTerminal } from './terminal.ts'

const STOP_MS = 1_500
const CHECK_MS = 1_000
const CONNECTIONS = 4
const NAME = 'signer'

const log = createLog((line) => process.stdout.write(line), NAME)
const result = readSignerConfig()
if (result.ok) await run(result.config)
else await exitBecause(result.problems, NAME)

async function run(config: SignerConfig): Promise<void> {
  const stop = new AbortController()
  onStop((why) => {
    log.info('stopping', { why })
    stop.abort()
  })
  const connection = connect(config.databaseUrl, CONNECTIONS, 'aval signer')
  try {
    const keys = await openKeys(config)
    let checked = await checkInstallation(connection.db, keys)
    const signer = createSigner({
      db: connection.db,
      keys,
      limits: config.limits,
      log,
      now: () => new Date(),
    })
    const server = await serveSigner({ path: config.socket, signer, log })
    const { network, hot, cold } = keys
    log.info('started', { network, hot, cold, socket: config.socket, daily_cap: config.limits.dailyCap })
    reportReady()
    while (!checked && !stop.signal.aborted) {
      await pause(CHECK_MS, stop.signal)
      checked = await checkInstallation(connection.db, keys)
    }
    await aborted(stop.signal)
    await Promise.race([server.close(), sleep(STOP_MS)])
  } catch (error) {
    await exitBecause([reasonOf(error)], NAME)
  }
  await Promise.race([connection.close(), sleep(STOP_MS)])
  log.info('stopped')
  process.exit(0)
}

async function openKeys(config: SignerConfig): Promise<KeyRing> {
  const keys = await openKeyFile(config.keyFile, config.passphrase ?? (await askPassphrase(config.keyFile)))
  if (keys.network === config.network) return keys
  throw new KeyFileRefusal(
    `TRON_NETWORK is ${config.network}, but the key file ${config.keyFile} is of ${keys.network}`,
  )
}

async function askPassphrase(keyFile: string): Promise<string> {
  const terminal = openTerminal()
  if (!terminal.isPerson) throw new KeyFileRefusal('SIGNER_PASSPHRASE is missing: what opens the key file')
  const answer = await terminal.ask(`Passphrase of ${keyFile}: `, { hidden: true })
  terminal.close()
  return answer ?? ''
}

/**
 * Finds out early that these keys are not this installation's; every signature checks the same again.
 * @returns whether the server has set the installation up, as far as the database can be read
 */
async function checkInstallation(db: Database, keys: KeyRing): Promise<boolean> {
  const installation = await findInstallation(db).catch((error: unknown) => {
    log.warn('installation.unreadable', { error: describeError(error) })
    return null
  })
  if (installation === null) return false
  const { network, usdt, xpub } = installation
  if (network === keys.network && usdt === keys.usdt && xpub === keys.xpub) return true
  throw new KeyFileRefusal('the key file is of another network, token or deposit key than this database')
}

function reasonOf(error: unknown): string {
  if (error instanceof KeyFileRefusal || error instanceof SocketRefusal) return error.message
  return `it stopped unexpectedly: ${describeError(error)}`
}

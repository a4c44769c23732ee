/** The signer's process: reads the key file, and signs what is approved. Nothing else of the product can read a key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '@aval/db/connect'
import { createLog, describeError } from '../core/log.ts'
import { pause } from '../core/pause.ts'
import { endBecause, onStop, sayReady } from '../core/supervisor.ts'
import { readSignerConfig, type SignerConfig } from './config.ts'
import { KeyFileRefusal, openKeyFile } from './keys/key-file.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { findInstallation } from './payments.sql.ts'
import { serveSigner } from './server.ts'
import { createSigner } from './signer.ts'
import { SocketRefusal } from './socket.ts'
import { openTerminal } from './terminal.ts'

const STOP_MS = 1_500
const PINS_MS = 1_000
const CONNECTIONS = 4
const NAME = 'signer'

const log = createLog((line) => process.stdout.write(line), NAME)
const result = readSignerConfig()
if (result.ok) await run(result.config)
else await endBecause(result.problems, NAME)

async function run(config: SignerConfig): Promise<void> {
  const stop = new AbortController()
  onStop((why) => {
    log.info('stopping', { why })
    stop.abort()
  })
  const connection = connect(config.databaseUrl, CONNECTIONS, 'aval signer')
  try {
    const keys = await openKeys(config)
    let checked = await checkPins(connection.db, keys)
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
    sayReady()
    while (!checked && !stop.signal.aborted) {
      await pause(PINS_MS, stop.signal)
      checked = await checkPins(connection.db, keys)
    }
    await aborted(stop.signal)
    await Promise.race([server.close(), sleep(STOP_MS)])
  } catch (error) {
    await endBecause([reasonOf(error)], NAME)
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
 * Tells early that these keys are not this installation's; every signature looks at the same again.
 * @returns whether the server has set the installation up, as far as the database can be asked
 */
async function checkPins(db: Database, keys: KeyRing): Promise<boolean> {
  const installation = await findInstallation(db).catch((error: unknown) => {
    log.warn('pins.unreadable', { error: describeError(error) })
    return null
  })
  if (installation === null) return false
  const { network, usdt, xpub } = installation
  if (network === keys.network && usdt === keys.usdt && xpub === keys.xpub) return true
  throw new KeyFileRefusal('the key file is of another network, token or deposit key than this database')
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((stopped) => signal.addEventListener('abort', () => stopped(), { once: true }))
}

function reasonOf(error: unknown): string {
  if (error instanceof KeyFileRefusal || error instanceof SocketRefusal) return error.message
  return `it stopped unexpectedly: ${describeError(error)}`
}

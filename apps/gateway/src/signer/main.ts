/** The signer process: reads the key file, and signs what is approved. No other process of the product reads a key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, connect, type Database } from '@aval/db/connect'
import { findInstallation } from '../core/installation.sql.ts'
import { createLog, describeError } from '../core/log.ts'
import { exitBecause, onStop, reportReady } from '../core/parent-process.ts'
import { pause } from '../core/polling.ts'
import { keepStock } from './addresses.ts'
import { readSignerConfig, type SignerConfig } from './config.ts'
import { createHeadSigner, signHeads } from './head.ts'
import { createJournal } from './journal/journal.ts'
import { fileStorage } from './journal/storage.ts'
import { KeyFileRefusal, openKeyFile } from './keys/key-file.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { createNotices } from './notices.ts'
import { createRounds } from './rounds.ts'
import { createSight, type Sight } from './sight/sight.ts'
import { createSigner } from './signer.ts'
import { SocketRefusal, serveSigner } from './socket.ts'
import { openTerminal } from './terminal.ts'

const STOP_MS = 1_500
/** How often it is looked whether an earlier transfer is to be read. */
const SIGHT_MS = 500
/** Approvals are heard of at once; this is for those that were not. */
const ROUND_MS = 2_000
const CONNECTIONS = 5
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
    const passphrase = config.passphrase ?? (await askPassphrase(config.keyFile))
    const open = () => openKeyFile(config.keyFile, passphrase)
    const keys = ofThisNetwork(await open(), config)
    await serve(config, connection, keys, open, stop.signal)
  } catch (error) {
    await exitBecause([reasonOf(error)], NAME)
  }
  await Promise.race([connection.close(), sleep(STOP_MS)])
  log.info('stopped')
  process.exit(0)
}

/** Until it is to stop. */
async function serve(
  config: SignerConfig,
  connection: Connection,
  keys: KeyRing,
  open: () => Promise<KeyRing>,
  stopped: AbortSignal,
): Promise<void> {
  const { db } = connection
  const now = () => new Date()
  const journal = createJournal(fileStorage(config.journal))
  const rounds = createRounds({ db, keys, journal, log, now, keyFile: { path: config.keyFile, open } })
  let checked = await checkInstallation(db, keys)
  let heard = new AbortController()
  const notices = createNotices(connection, log, () => heard.abort())
  const round = async (): Promise<void> => {
    try {
      await notices.listen()
      if (!checked) checked = await checkInstallation(db, keys)
      await rounds.step()
    } catch (error) {
      if (error instanceof KeyFileRefusal) throw error
      log.warn('round.failed', { error: describeError(error) })
    }
  }
  await round()
  let heads: Promise<void> | null = null
  let stock: Promise<void> | null = null
  const { limits, devnetUrl } = config
  const { policy } = rounds
  const sight = createSight({ keys, policy, devnetUrl, journal, log, now })
  const signer = createSigner({ db, keys, policy, journal, sight, limits, log, now })
  const server = await serveSigner({ path: config.socket, signer, log, isShared: config.isShared })
  const { network, hot, cold } = keys
  log.info('started', {
    network,
    hot,
    cold,
    socket: config.socket,
    approvers: policy().approvers.length,
    nodes: policy().chain?.nodes.length ?? 0,
  })
  reportReady()
  const head = createHeadSigner({ db, keys, log, now })
  const looking = lookOn(sight, stopped)
  while (!stopped.aborted) {
    if (checked) {
      heads ??= signHeads(head, log, stopped)
      stock ??= keepStock({ db, keys, log }, stopped)
    }
    await pause(ROUND_MS, AbortSignal.any([stopped, heard.signal]))
    heard = new AbortController()
    if (!stopped.aborted) await round()
  }
  notices.close()
  await Promise.race([Promise.all([server.close(), journal.close(), heads, stock, looking]), sleep(STOP_MS)])
}

async function lookOn(sight: Sight, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await sight.step()
    await pause(SIGHT_MS, stopped)
  }
}

function ofThisNetwork(keys: KeyRing, config: SignerConfig): KeyRing {
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

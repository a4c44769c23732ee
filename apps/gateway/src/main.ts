/** The gateway process: follows the chain, sends approved withdrawals, and keeps the company's wallets. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database, keepTraces } from '@aval/db'
import { activeTraceparent, startTracing } from '@aval/tracing'
import type { TronAddress } from '@aval/tron'
import type { Guard } from './chain/guard.ts'
import { createChainMonitor } from './chain/health.rules.ts'
import { findCalls, ownNetwork, saveStandings } from './chain/network.sql.ts'
import { type Blocked, connectNodes, nodeErrorKind } from './chain/nodes.ts'
import { type Config, readConfig } from './config.ts'
import { isFenced } from './core/lease.sql.ts'
import { createLease, leadInTurn, newHolder } from './core/lease.ts'
import { createLog, describeError } from './core/log.ts'
import { exitBecause, onStop, reportReady } from './core/parent-process.ts'
import { aborted, poll } from './core/polling.ts'
import { createCustody } from './custody/custody.ts'
import { AddressesUnderived, createFollower } from './ingest/follow.ts'
import { CursorMoved } from './ingest/record.ts'
import { InstallationRefusal, waitForInstallation } from './installation.ts'
import { settingsOf } from './network-settings.ts'
import { createSender } from './outgoing/send.ts'
import { createSignerClient } from './signer/socket.ts'

/** Being killed loses nothing, so a slow node or database does not delay the end. */
const STOP_MS = 1_500
/** How often custody checks what is due; seldom anything is. */
const CUSTODY_MS = 1_000
/** How often it is looked at how the nodes stand, and how often that is written where nothing has changed but the count of calls. */
const STANDINGS_MS = 1_000
const UNWRITTEN_MS = 30_000
/** However tight a budget is, and however long a node wants to be left alone. */
const LONGEST_WAIT_MS = 300_000

const log = createLog((line) => process.stdout.write(line))
const result = readConfig()
if (result.ok) await run(result.config)
else await exitBecause(result.problems)

async function run(config: Config): Promise<void> {
  const stop = new AbortController()
  onStop((why) => {
    log.info('stopping', { why })
    stop.abort()
  })
  const stopTracing = await trace(config)
  try {
    const stopped = aborted(stop.signal).then(() => sleep(STOP_MS))
    await Promise.race([takeTurns(config, stop.signal), stopped])
  } catch (error) {
    const isRefusal = error instanceof InstallationRefusal
    await exitBecause([isRefusal ? error.message : `it stopped unexpectedly: ${describeError(error)}`])
  }
  await Promise.race([stopTracing(), sleep(STOP_MS)])
  log.info('stopped')
  process.exit(0)
}

/** Stands by until it leads, and works while it does. */
async function takeTurns(config: Config, signal: AbortSignal): Promise<void> {
  const { databaseUrl, network, wallets } = config
  const connection = connect(databaseUrl, 1, 'aval gateway')
  const usdt = await waitForInstallation(connection.db, network, wallets, log, signal).finally(() =>
    connection.close(),
  )
  if (usdt === null) return
  const lease = createLease({ databaseUrl, holder: newHolder(), log })
  const answered = (leads: boolean) => void (leads || reportReady())
  const lead = async (url: string, over: AbortSignal) => {
    const own = connect(url, 6, 'aval gateway')
    try {
      await work(config, own.db, usdt, over)
    } finally {
      // A query that is stuck keeps nothing from the next term: it is refused whatever it writes.
      await Promise.race([own.close(), sleep(STOP_MS)])
    }
  }
  await leadInTurn(lease, { log, renewMs: settingsOf(network).renewMs, answered }, lead, signal)
}

/** @returns stops it, having sent what is left */
async function trace({ tracing }: Config): Promise<() => Promise<void>> {
  if (tracing === null) return async () => undefined
  keepTraces(activeTraceparent)
  return startTracing(tracing, 'aval-gateway', (line) => log.warn('traces.lost', { reason: line }))
}

/** Works until `signal` says that the term is over, or the process is to stop. */
async function work(config: Config, db: Database, usdt: TronAddress, signal: AbortSignal): Promise<void> {
  const { network, pollMs, wallets, signerSocket, lifetimeMs, feeLimit } = config
  const { hot, cold } = wallets
  const signs = signerSocket !== null
  log.info('started', { network, usdt, hot, cold, signs, nodes: config.nodes.length, pollMs })
  const { healthLimits, retry, custody: intervals, sendMs, limitMs } = settingsOf(network)
  const { nodes, guards } = connectNodes(config.nodes, ownNetwork(db, network, usdt), log)
  for (const { place, name, day, calls } of await findCalls(db)) {
    const guard = guards[place]
    if (guard?.standing().name === name) guard.resume(day, Number(calls))
  }
  const { status, update } = createChainMonitor()
  const signer = signerSocket === null ? null : createSignerClient(signerSocket)
  const startAt = network === 'devnet' ? 'first' : 'solid'
  const shared = { db, network, usdt, hot, log }
  const context = { ...shared, nodes, signer, lifetimeMs, feeLimit, healthLimits, retry, status }
  const follower = createFollower({ ...shared, startAt })
  const sender = createSender(context)
  const custody = createCustody({ ...context, wallets, intervals })
  const follow = async (now: Date) => {
    try {
      const blocked = nodes.blocked()
      if (blocked !== null) return waitFor(blocked, now)
      const reading = await follower.poll(nodes)
      update(reading, now)
      return { busy: reading.scanned < reading.solid, waitMs: Math.min(nodes.paceMs(), LONGEST_WAIT_MS) }
    } catch (error) {
      // A chain that does not go on from where it was read may be another one.
      nodes.doubt()
      const blocked = nodes.blocked()
      if (blocked !== null) return waitFor(blocked, now)
      update(null, now)
      throw error
    } finally {
      reportReady()
    }
  }
  /** A node that was asked too often is there: nothing has failed until its blocks grow old. The guard has said why, once. */
  const waitFor = ({ state, waitMs }: Blocked, now: Date) => {
    if (state === 'other_network' || state === 'key_refused') update(null, now)
    return { busy: false, waitMs: Math.min(waitMs, LONGEST_WAIT_MS) }
  }
  const standings = keepStandings(db, guards)
  const keep = async (now: Date) => {
    await custody.step(now)
    return { busy: false }
  }
  try {
    await Promise.all([
      poll({ name: 'ingest', log, everyMs: pollMs, limitMs, step: follow, describe: errorKind }, signal),
      poll({ name: 'sending', log, everyMs: sendMs, limitMs, step: sender.step }, signal),
      poll({ name: 'custody', log, everyMs: CUSTODY_MS, limitMs, step: keep }, signal),
      poll({ name: 'nodes', log, everyMs: STANDINGS_MS, limitMs, step: standings }, signal),
    ])
  } finally {
    signer?.close()
  }
}

/** Writes how the nodes stand when that changes, and their calls from time to time. */
function keepStandings(db: Database, guards: readonly Guard[]) {
  let [written, at] = ['', Number.NEGATIVE_INFINITY]
  return async (now: Date) => {
    const standings = guards.map((guard) => guard.standing())
    const states = standings.map(({ state }) => state).join()
    if (states !== written || now.getTime() - at >= UNWRITTEN_MS) {
      await saveStandings(db, standings, now)
      ;[written, at] = [states, now.getTime()]
    }
    return { busy: false }
  }
}

function errorKind(error: unknown) {
  if (isFenced(error)) return { kind: 'lease' }
  if (error instanceof AddressesUnderived) return { kind: 'addresses' }
  return { kind: nodeErrorKind(error) ?? (error instanceof CursorMoved ? 'cursor' : 'database') }
}

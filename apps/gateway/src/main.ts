/** The gateway process: reads the chain, writes down what moved toward us, and carries out what is approved to leave. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '@aval/db'
import { follow } from './chain/follow.ts'
import { createFollower, type Look } from './chain/follower.ts'
import { connectNodes } from './chain/nodes.ts'
import { PinRefusal, readPins } from './chain/pins.ts'
import { createWatch } from './chain/watch.ts'
import { type Config, readConfig } from './config.ts'
import { createLog, describeError } from './core/log.ts'
import { repeat } from './core/repeat.ts'
import { endBecause, onStop, sayReady } from './core/supervisor.ts'
import { createCustody } from './custody/custody.ts'
import { createPayouts } from './outgoing/payouts.ts'
import { createSignerClient } from './signer/client.ts'
import { tempoOf } from './tempo.rules.ts'

/** Being killed loses nothing, so a slow node or database does not hold up the end. */
const STOP_MS = 1_500
/** How often custody considers what is due; it is seldom anything. */
const CUSTODY_MS = 1_000
const LIMIT_MS = { devnet: 2_000, nile: 30_000, shasta: 30_000, mainnet: 30_000 } as const

const log = createLog((line) => process.stdout.write(line))
const result = readConfig()
if (result.ok) await run(result.config)
else await endBecause(result.problems)

async function run(config: Config): Promise<void> {
  const stop = new AbortController()
  onStop((why) => {
    log.info('stopping', { why })
    stop.abort()
  })
  const connection = connect(config.databaseUrl, 6, 'aval gateway')
  try {
    await Promise.race([work(config, connection.db, stop.signal), afterStop(stop.signal)])
  } catch (error) {
    await endBecause([
      error instanceof PinRefusal ? error.message : `it stopped unexpectedly: ${describeError(error)}`,
    ])
  }
  await Promise.race([connection.close(), sleep(STOP_MS)])
  log.info('stopped')
  process.exit(0)
}

async function work(config: Config, db: Database, signal: AbortSignal): Promise<void> {
  const { network, pollMs, wallets } = config
  const usdt = await readPins(db, network, wallets, log, signal)
  if (usdt === null) return
  const { hot, cold } = wallets
  const signs = config.signerSocket !== null
  log.info('started', { network, usdt, hot, cold, signs, nodes: config.nodes.length, pollMs })
  const startAt = network === 'devnet' ? 'first' : 'solid'
  const follower = createFollower({ db, network, startAt, usdt, hot, log })
  const nodes = connectNodes(config.nodes, log)
  const watch = createWatch()
  let ready = false
  const onLook = (look: Look | null) => {
    watch.saw(look, new Date())
    if (!ready) sayReady()
    ready = true
  }
  const signer = config.signerSocket === null ? null : createSignerClient(config.signerSocket)
  const { lifetimeMs, feeLimit } = config
  const { soundness, pace, timing, payoutsMs } = tempoOf(network)
  const parts = { db, network, nodes, signer, usdt, hot, wallets, lifetimeMs, feeLimit, soundness, log }
  const payouts = createPayouts({ ...parts, pace, view: watch.view })
  const custody = createCustody({ ...parts, timing, view: watch.view })
  const limitMs = LIMIT_MS[network]
  try {
    await Promise.all([
      follow({ follower, nodes, log, pollMs, limitMs, onLook }, signal),
      repeat({ name: 'payouts', log, everyMs: payoutsMs, limitMs, step: payouts.step }, signal),
      repeat({ name: 'custody', log, everyMs: CUSTODY_MS, limitMs, step: custody.step }, signal),
    ])
  } finally {
    signer?.close()
  }
}

async function afterStop(signal: AbortSignal): Promise<void> {
  await new Promise<void>((stopped) => signal.addEventListener('abort', () => stopped(), { once: true }))
  await sleep(STOP_MS)
}

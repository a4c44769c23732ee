/** The gateway process: reads the chain, and writes down what moved toward us. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '@aval/db'
import { follow } from './chain/follow.ts'
import { createFollower } from './chain/follower.ts'
import { createNodes } from './chain/nodes.ts'
import { PinRefusal, readPins } from './chain/pins.ts'
import { type Config, readConfig } from './config.ts'
import { createLog, describeError } from './core/log.ts'
import { endBecause, onStop, sayReady } from './core/supervisor.ts'

/** Being killed loses nothing, so a slow node or database does not hold up the end. */
const STOP_MS = 1_500
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
  const connection = connect(config.databaseUrl, 4, 'aval gateway')
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
  const { network, pollMs } = config
  const usdt = await readPins(db, network, log, signal)
  if (usdt === null) return
  log.info('started', { network, usdt, nodes: config.nodes.length, pollMs })
  const startAt = network === 'devnet' ? 'first' : 'solid'
  const follower = createFollower({ db, network, startAt, usdt, log })
  let ready = false
  const onLook = () => {
    if (!ready) sayReady()
    ready = true
  }
  await follow(
    { follower, nodes: createNodes(config.nodes), log, pollMs, limitMs: LIMIT_MS[network], onLook },
    signal,
  )
}

async function afterStop(signal: AbortSignal): Promise<void> {
  await new Promise<void>((stopped) => signal.addEventListener('abort', () => stopped(), { once: true }))
  await sleep(STOP_MS)
}

/** A gateway in this process, made of its real parts; a test runs its rounds one by one. */
import type { Connection } from '@aval/db'
import { DEVNET, devnetAddress, type NodeClient } from '@aval/tron'
import { createChainMonitor } from '../chain/health.rules.ts'
import { nodesOf } from '../chain/nodes.ts'
import type { Log } from '../core/log.ts'
import { createCustody } from '../custody/custody.ts'
import { createFollower } from '../ingest/follow.ts'
import { settingsOf } from '../network-settings.ts'
import { createSender } from '../outgoing/send.ts'
import type { SignerPort } from '../signer/socket.ts'
import { crashingDatabase, crashingPort, createLifetime, type Lifetime } from './crashes.ts'

export const NETWORK = 'devnet'
export const HOT_WALLET = devnetAddress('hotWallet')
export const COLD_WALLET = devnetAddress('coldWallet')

export type Gateway = ReturnType<typeof createGateway>

export interface GatewayOptions {
  readonly nodes?: readonly NodeClient[]
  readonly signer?: SignerPort | null
  readonly lifetime?: Lifetime
  readonly sweepFrom?: bigint
  readonly hotMaximum?: bigint
  readonly hotTarget?: bigint
}

/** What is the same for all of them. */
export function fixedContext(log: Log) {
  const { healthLimits, retry, lifetimeMs } = settingsOf(NETWORK)
  return {
    network: NETWORK,
    usdt: DEVNET.usdt,
    hot: HOT_WALLET,
    lifetimeMs,
    feeLimit: 100n * 10n ** 6n,
    healthLimits,
    retry,
    log,
  }
}

export function createGateway(
  harness: {
    readonly clients: readonly NodeClient[]
    readonly gatewayDb: Connection
    readonly signer: SignerPort
    readonly log: Log
    readonly now: () => Date
  },
  options: GatewayOptions,
) {
  const lifetime = options.lifetime ?? createLifetime()
  const { log, now } = harness
  const db = crashingDatabase(harness.gatewayDb, lifetime)
  const nodes = nodesOf((options.nodes ?? harness.clients).map((node) => crashingPort(node, lifetime)))
  const port = options.signer === undefined ? harness.signer : options.signer
  const signer = port === null ? null : crashingPort(port, lifetime)
  const monitor = createChainMonitor()
  const intervals = { ...settingsOf(NETWORK).custody, afterMoveMs: 0, moveMs: 0 }
  const wallets = {
    hot: HOT_WALLET,
    cold: COLD_WALLET,
    sweepFrom: options.sweepFrom ?? 10n ** 15n,
    hotMaximum: options.hotMaximum ?? 10n ** 15n,
    hotTarget: options.hotTarget ?? 0n,
  }
  const context = { ...fixedContext(log), db, nodes, signer, status: monitor.status }
  const follower = createFollower({ ...context, startAt: 'first' })
  const sender = createSender(context)
  const custody = createCustody({ ...context, wallets, intervals })
  /** Polls the chain; whether that succeeded. */
  const follow = async () => {
    try {
      monitor.update(await follower.poll(nodes), now())
      return true
    } catch (error) {
      if (lifetime.crashed) throw error
      monitor.update(null, now())
      log.error('ingest.failed', { error: String(error) })
      return false
    }
  }
  const send = async () => {
    await sender.step(now())
  }
  const runCustody = () => custody.step(now())
  return {
    follow,
    send,
    custody: runCustody,
    /** Polls the chain, then runs custody and sending. Throws as they do. */
    async round() {
      if (await follow()) await runCustody()
      await send()
    },
  }
}

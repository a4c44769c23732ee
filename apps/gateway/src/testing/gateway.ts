/** A gateway in this process, made of its real parts, whose steps a test takes one by one. */
import type { Connection } from '@aval/db'
import { DEVNET, devnetAddress, type NodeClient } from '@aval/tron'
import { createFollower } from '../chain/follower.ts'
import { nodesOf } from '../chain/nodes.ts'
import { createWatch } from '../chain/watch.ts'
import type { Log } from '../core/log.ts'
import { createCustody } from '../custody/custody.ts'
import { createPayouts } from '../outgoing/payouts.ts'
import type { SignerPort } from '../signer/protocol.ts'
import { tempoOf } from '../tempo.rules.ts'
import { createLife, type Life, mortalDatabase, mortalPart } from './mortal.ts'

export const NETWORK = 'devnet'
export const HOT_WALLET = devnetAddress('hotWallet')
export const COLD_WALLET = devnetAddress('coldWallet')
const LIFETIME_MS = 60_000

export interface Gateway {
  /** A look at the chain, a round of payments, and one of custody. Throws as they do. */
  live(): Promise<void>
  look(): Promise<boolean>
  pay(): Promise<void>
  keep(): Promise<void>
}

export interface GatewayOptions {
  readonly nodes?: readonly NodeClient[]
  readonly signer?: SignerPort | null
  readonly life?: Life
  readonly sweepFrom?: bigint
  readonly hotMaximum?: bigint
  readonly hotTarget?: bigint
}

/** What is the same for all of them. */
export function fixedParts(log: Log) {
  const { soundness, pace } = tempoOf(NETWORK)
  return {
    network: NETWORK,
    usdt: DEVNET.usdt,
    hot: HOT_WALLET,
    lifetimeMs: LIFETIME_MS,
    feeLimit: 100n * 10n ** 6n,
    soundness,
    pace,
    log,
  }
}

export function createGateway(
  world: {
    readonly clients: readonly NodeClient[]
    readonly gatewayDb: Connection
    readonly signer: SignerPort
    readonly log: Log
    readonly now: () => Date
  },
  options: GatewayOptions,
): Gateway {
  const life = options.life ?? createLife({ after: Number.POSITIVE_INFINITY, how: 'unsent' })
  const { log, now } = world
  const db = mortalDatabase(world.gatewayDb, life)
  const nodes = nodesOf((options.nodes ?? world.clients).map((node) => mortalPart(node, life)))
  const port = options.signer === undefined ? world.signer : options.signer
  const watch = createWatch()
  const { timing } = tempoOf(NETWORK)
  const wallets = {
    hot: HOT_WALLET,
    cold: COLD_WALLET,
    sweepFrom: options.sweepFrom ?? 10n ** 15n,
    hotMaximum: options.hotMaximum ?? 10n ** 15n,
    hotTarget: options.hotTarget ?? 0n,
  }
  const follower = createFollower({
    db,
    network: NETWORK,
    startAt: 'first',
    usdt: DEVNET.usdt,
    hot: HOT_WALLET,
    log,
  })
  const signerPart = port === null ? null : mortalPart(port, life)
  const parts = { ...fixedParts(log), db, nodes, signer: signerPart, view: watch.view }
  const payouts = createPayouts(parts)
  const custody = createCustody({ ...parts, wallets, timing: { ...timing, afterMoveMs: 0, moveMs: 0 } })
  const gateway: Gateway = {
    async look() {
      try {
        watch.saw(await follower.look(nodes), now())
        return true
      } catch (error) {
        if (life.dead) throw error
        watch.saw(null, now())
        log.error('look.failed', { error: String(error) })
        return false
      }
    },
    async pay() {
      await payouts.step(now())
    },
    async keep() {
      await custody.step(now())
    },
    async live() {
      if (await gateway.look()) await gateway.keep()
      await gateway.pay()
    },
  }
  return gateway
}

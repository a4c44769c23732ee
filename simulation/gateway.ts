/** The gateway and the signer as processes: they live for a number of words, and are started anew when they died. */
import type { NodeClient } from '@aval/tron'
import { createFollower, type Follower } from '../apps/gateway/src/chain/follower.ts'
import { type Nodes, nodesOf } from '../apps/gateway/src/chain/nodes.ts'
import type { ChainView } from '../apps/gateway/src/chain/standing.rules.ts'
import { type Custody, createCustody } from '../apps/gateway/src/custody/custody.ts'
import { registerWallets } from '../apps/gateway/src/custody/registering.ts'
import { createPayouts, type Payouts } from '../apps/gateway/src/outgoing/payouts.ts'
import { devnetKeys } from '../apps/gateway/src/signer/keys/devnet-keys.ts'
import { createKeyRing } from '../apps/gateway/src/signer/keys/key-ring.ts'
import type { SignerPort } from '../apps/gateway/src/signer/protocol.ts'
import { createSigner } from '../apps/gateway/src/signer/signer.ts'
import { createLife, Killed, type Life } from '../apps/gateway/src/testing/mortal.ts'
import type { Chance } from '../bench/random.ts'
import { mortal } from './mortal.ts'
import { PINS, type World } from './world.ts'

export interface Gateway {
  look(): Promise<string>
  pay(): Promise<string>
  custody(): Promise<string>
  /** Pins the company's wallets. */
  register(): Promise<string>
}

/** What a planted bug puts in the place of the real thing. */
export interface Parts {
  readonly nodes: (node: NodeClient) => NodeClient
  readonly signer: (signer: SignerPort) => SignerPort
}

const USDT = 1_000_000n
const LIFETIME_MS = 60_000
const PACE = { recheckMs: 2_000, capMs: 60_000, rebroadcastMs: 3_000 }
const TIMING = { readMs: 100_000, afterMoveMs: 20_000, moveMs: 0, retryMs: 30_000, addresses: 20 }
const AMOUNTS = { sweepFrom: 100n * USDT, hotMaximum: 6_000n * USDT, hotTarget: 3_000n * USDT }

const someLife = (chance: Chance, shortest: number, longest: number): Life =>
  createLife({
    after: shortest + chance.below(longest - shortest),
    how: chance.happens(0.5) ? 'unsent' : 'unanswered',
  })

/** The signer, and a new one in its place when it died. */
function createSignerProcess(world: World, dies: () => boolean): SignerPort {
  const keys = createKeyRing(devnetKeys())
  const limits = { dailyCap: 1_000_000n * USDT, feeLimit: 100n * USDT, fuel: 50n * USDT }
  let life: Life | null = null
  let port: SignerPort | null = null
  return {
    async sign(txid) {
      if (port === null || life === null || life.dead) {
        life = someLife(world.chance, 2, dies() ? 40 : 1_000_000)
        port = createSigner({ db: world.signerDb(life), keys, limits, log: world.log, now: world.now })
      }
      const reply = await port.sign(txid)
      return life.dead ? { signed: false, code: 'signer_unavailable', message: 'the signer is gone' } : reply
    },
  }
}

interface Process {
  readonly life: Life
  readonly follower: Follower
  readonly nodes: Nodes
  readonly payouts: Payouts
  readonly custody: Custody
  readonly register: () => Promise<boolean>
  view: ChainView | null
}

function startProcess(world: World, parts: Parts, signer: SignerPort, life: Life): Process {
  const db = world.gatewayDb(life)
  const nodes = nodesOf(
    world.nodes.map((node) => mortal(parts.nodes(node), life)),
    world.log,
  )
  const { network, usdt, hot, cold } = PINS
  const follower = createFollower({ db, network, startAt: 'first', usdt, hot, log: world.log })
  const process: { view: ChainView | null } = { view: null }
  const shared = {
    db,
    network,
    nodes,
    usdt,
    hot,
    feeLimit: 40n * USDT,
    lifetimeMs: LIFETIME_MS,
    view: () => process.view,
    soundness: { unread: 5, unsolid: 60, stillMs: 600_000, skewMs: null },
    log: world.log,
  }
  const carried = { ...shared, signer: mortal(signer, life), pace: PACE }
  const payouts = createPayouts(carried)
  const looked = { ...carried, timing: TIMING, wallets: { hot, cold, ...AMOUNTS } }
  const custody = createCustody(looked)
  const register = () => registerWallets(looked)
  return Object.assign(process, { life, follower, nodes, payouts, custody, register })
}

/** @param dies whether processes may die now: not while the world comes to rest */
export function createGateway(world: World, parts: Parts, dies: () => boolean): Gateway {
  const signer = parts.signer(createSignerProcess(world, dies))
  let running: Process | null = null

  const alive = (): Process => {
    if (running === null || running.life.dead)
      running = startProcess(world, parts, signer, someLife(world.chance, 5, dies() ? 600 : 100_000_000))
    return running
  }
  /** What fails is waited out, as the loops around these steps do; a killed process is started again. */
  const attempt = async (work: (process: Process) => Promise<string>): Promise<string> => {
    const process = alive()
    try {
      return await work(process)
    } catch (error) {
      if (process.life.dead || error instanceof Killed) throw new Killed('killed')
      const { name, code } = (error ?? {}) as { name?: string; code?: string }
      if (name !== 'NodeError' && name !== 'ChainFault' && name !== 'NodesSilent' && name !== 'CursorMoved')
        throw error
      return `waits: ${code ?? name}`
    }
  }
  return {
    look: () =>
      attempt(async (process) => {
        const before = process.view
        try {
          const { head, headId, headAt, solid, solidId, scanned } = await process.follower.look(process.nodes)
          const advancedAt = before?.headId === headId ? before.advancedAt : world.time
          const seen = { head, headId, headAt: headAt.getTime(), solid, solidId, scanned }
          process.view = { ...seen, advancedAt, failed: false }
          return `head ${head}, solid ${solid}, read ${scanned}`
        } catch (error) {
          if (before !== null) process.view = { ...before, failed: true }
          throw error
        }
      }),
    pay: () =>
      attempt(async ({ payouts }) => {
        const { busy } = await payouts.step(world.now())
        return busy ? 'busy' : 'done'
      }),
    register: () => attempt(async ({ register }) => ((await register()) ? 'pinned' : 'not yet')),
    custody: () =>
      attempt(async ({ custody }) => {
        await custody.step(world.now())
        return 'done'
      }),
  }
}

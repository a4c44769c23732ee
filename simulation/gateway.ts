/** The gateway and the signer as processes: they live for a number of words, and are started again when they died. */
import type { NodeClient } from '@aval/tron'
import { createChainMonitor } from '../apps/gateway/src/chain/health.rules.ts'
import { nodesOf } from '../apps/gateway/src/chain/nodes.ts'
import { createCustody, registerWallets } from '../apps/gateway/src/custody/custody.ts'
import { createFollower } from '../apps/gateway/src/ingest/follow.ts'
import { createSender } from '../apps/gateway/src/outgoing/send.ts'
import { createAcceptor } from '../apps/gateway/src/signer/approvals/accept.ts'
import { findRemembered } from '../apps/gateway/src/signer/approvals/approvals.sql.ts'
import { createJournal } from '../apps/gateway/src/signer/journal/journal.ts'
import { devnetKeys } from '../apps/gateway/src/signer/keys/devnet-keys.ts'
import { createKeyRing } from '../apps/gateway/src/signer/keys/key-ring.ts'
import { identityOf } from '../apps/gateway/src/signer/rounds.ts'
import { createSight } from '../apps/gateway/src/signer/sight/sight.ts'
import { createSigner } from '../apps/gateway/src/signer/signer.ts'
import type { SignerPort, SignerReply } from '../apps/gateway/src/signer/socket.ts'
import { Crashed, crashingPort, createLifetime, type Lifetime } from '../apps/gateway/src/testing/crashes.ts'
import type { Chance } from '../bench/random.ts'
import { PINS, type World } from './world.ts'

export type Gateway = ReturnType<typeof createGateway>

/** What a planted bug puts in the place of the real thing. */
export interface Parts {
  readonly nodes: (node: NodeClient) => NodeClient
  readonly signer: (signer: SignerPort) => SignerPort
}

const USDT = 1_000_000n
const LIFETIME_MS = 60_000
const RETRY = { recheckMs: 2_000, capMs: 60_000, rebroadcastMs: 3_000 }
const INTERVALS = { readMs: 100_000, afterMoveMs: 20_000, moveMs: 0, retryMs: 30_000, addresses: 20 }
const AMOUNTS = { sweepFrom: 100n * USDT, hotMaximum: 6_000n * USDT, hotTarget: 3_000n * USDT }

const keys = createKeyRing(devnetKeys())

const randomLifetime = (chance: Chance, shortest: number, longest: number): Lifetime =>
  createLifetime({
    after: shortest + chance.below(longest - shortest),
    how: chance.happens(0.5) ? 'unsent' : 'unanswered',
  })

/** The signer, and a new one in its place when it died. */
function createSignerProcess(world: World, dies: () => boolean) {
  const gone = { signed: false, code: 'signer_unavailable', message: 'the signer is gone' } as const
  let life: Lifetime | null = null
  let running: ReturnType<typeof startSigner> | null = null
  /** However many ask at once, one process is started. */
  const alive = async () => {
    if (running === null || life === null || life.crashed) {
      life = randomLifetime(world.chance, 2, dies() ? 40 : 1_000_000)
      running = startSigner(world, life)
    }
    return { life, ...(await running) }
  }
  return {
    async sign(txid: string): Promise<SignerReply> {
      try {
        const { life: its, signer } = await alive()
        const reply = await signer.sign(txid)
        return its.crashed ? gone : reply
      } catch (error) {
        if (error instanceof Crashed) return gone
        throw error
      }
    },
    /** Decides about the approvals that wait, and reads what became of earlier transfers. */
    async accept(): Promise<void> {
      try {
        const { acceptor, sight } = await alive()
        await acceptor.decideAll()
        await sight.step()
      } catch (error) {
        if (!(error instanceof Crashed)) throw error
      }
    },
  }
}

/** A new process: of the one before, only the journal is left. */
async function startSigner(world: World, life: Lifetime) {
  const { log, now, approvers } = world
  const db = world.signerDb(life)
  // A process that is gone writes no more.
  const append = (text: string) =>
    life.crashed ? Promise.reject(new Crashed('killed')) : world.journal.append(text)
  const journal = createJournal({ ...world.journal, append })
  const policy = () => approvers.policy
  const fault = await journal.open(await findRemembered(db), identityOf(keys, policy()), now().getTime())
  if (fault !== null) throw new Error(`the signer refuses everything: ${fault}`)
  const chain = { nodes: world.nodes.map(({ url }) => ({ url, headers: {} })), quorum: world.nodes.length }
  const connect = ({ url }: { readonly url: string }) => {
    const node = world.nodes.find((each) => each.url === url)
    if (node === undefined) throw new Error(`there is no node at ${url}`)
    return crashingPort(node, life)
  }
  const looking = {
    keys,
    policy: () => ({ ...policy(), chain }),
    devnetUrl: null,
    journal,
    log,
    now,
    connect,
  }
  const sight = createSight(looking)
  const limits = { feeLimit: 100n * USDT, topUp: 50n * USDT }
  return {
    signer: createSigner({ db, keys, policy, journal, sight, limits, log, now }),
    sight,
    acceptor: createAcceptor({ db, network: PINS.network, policy, journal, log, now }),
  }
}

type Process = ReturnType<typeof startProcess>

function startProcess(world: World, parts: Parts, signer: SignerPort, life: Lifetime) {
  const db = world.gatewayDb(life)
  const nodes = nodesOf(
    world.nodes.map((node) => crashingPort(parts.nodes(node), life)),
    world.log,
  )
  const { network, usdt, hot, cold } = PINS
  const elapsed = () => world.time
  const follower = createFollower({ db, network, startAt: 'first', usdt, hot, log: world.log, elapsed })
  const monitor = createChainMonitor()
  const shared = {
    db,
    network,
    nodes,
    usdt,
    hot,
    feeLimit: 40n * USDT,
    lifetimeMs: LIFETIME_MS,
    status: monitor.status,
    healthLimits: { maxUnread: 5, maxUnsolid: 60, maxHeadAgeMs: 600_000, maxSkewMs: null },
    log: world.log,
  }
  const carried = { ...shared, signer: crashingPort(signer, life), retry: RETRY }
  const sender = createSender(carried)
  const kept = { ...carried, intervals: INTERVALS, wallets: { hot, cold, ...AMOUNTS } }
  const custody = createCustody(kept)
  const register = () => registerWallets(kept)
  return { life, follower, nodes, monitor, sender, custody, register }
}

/** @param dies whether processes may die now: not while the world comes to rest */
export function createGateway(world: World, parts: Parts, dies: () => boolean) {
  const signing = createSignerProcess(world, dies)
  const signer = parts.signer({ sign: signing.sign })
  let running: Process | null = null

  const alive = (): Process => {
    if (running === null || running.life.crashed)
      running = startProcess(
        world,
        parts,
        signer,
        randomLifetime(world.chance, 5, dies() ? 600 : 100_000_000),
      )
    return running
  }
  /** What fails is waited out, as the loops around these steps do; a killed process is started again. */
  const attempt = async (work: (process: Process) => Promise<string>): Promise<string> => {
    const process = alive()
    try {
      return await work(process)
    } catch (error) {
      if (process.life.crashed || error instanceof Crashed) throw new Crashed('killed')
      const { name, code } = (error ?? {}) as { name?: string; code?: string }
      if (name !== 'NodeError' && name !== 'ChainFault' && name !== 'TooFewNodes' && name !== 'CursorMoved')
        throw error
      return `waits: ${code ?? name}`
    }
  }
  return {
    look: () =>
      attempt(async ({ follower, monitor, nodes }) => {
        try {
          const reading = await follower.poll(nodes)
          monitor.update(reading, world.now())
          return `head ${reading.head}, solid ${reading.solid}, read ${reading.scanned}`
        } catch (error) {
          monitor.update(null, world.now())
          throw error
        }
      }),
    pay: () =>
      attempt(async ({ sender }) => {
        const { busy } = await sender.step(world.now())
        return busy ? 'busy' : 'done'
      }),
    /** The signer decides about the approvals that wait; it may die of it. */
    accept: signing.accept,
    /** Pins the company's wallets. */
    register: () => attempt(async ({ register }) => ((await register()) ? 'pinned' : 'not yet')),
    custody: () =>
      attempt(async ({ custody }) => {
        await custody.step(world.now())
        return 'done'
      }),
  }
}

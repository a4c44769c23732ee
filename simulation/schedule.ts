/** The steps that chance draws from, and what they need. */
import { Crashed, createLifetime, type Lifetime } from '../apps/gateway/src/testing/crashes.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import type { Chance } from '../bench/random.ts'
import { type Bug, partsOf, plant } from './bugs.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { figureDifferences } from './model/figures.ts'
import { forgetPool, healAll, troubleBroadcasts, troubleChain, troubleNode } from './steps/faults.ts'
import { askForCode, type CodeBook, cancel, deposit, invest, withdraw } from './steps/members.ts'
import { approveAll, decideSome } from './steps/operators.ts'
import { doAll, doSome, loseJobs } from './steps/worker.ts'
import { neverCrashes, PINS, type World } from './world.ts'

export interface Schedule {
  readonly world: World
  readonly codes: CodeBook
  /** Faults of the chain that are on. */
  readonly active: Set<string>
  readonly gateway: Gateway
  /** Ends all faults; from now on no process crashes. */
  heal(): Promise<void>
  /** A round of everybody, towards rest. */
  round(): Promise<void>
  ledgerFaults(): Promise<readonly string[]>
  /** What two pages show differently. */
  pageDifferences(): Promise<readonly string[]>
}

export interface Step {
  readonly name: string
  readonly weight: number
  /** It changes no row: an audit after it would find what the one before found. */
  readonly chainOnly?: true
  take(schedule: Schedule): Promise<string>
}

/** In which share of their steps server processes crash. */
const CRASH_SHARE = 0.15
const SECOND = 1_000

const server = (schedule: Schedule) =>
  schedule.world.server(randomLifetime(schedule.world.chance, CRASH_SHARE))

async function mine(world: World, blocks: number, seconds = 3): Promise<string> {
  for (let made = 0; made < blocks; made += 1) {
    world.time += seconds * SECOND
    await world.devnet.mine()
  }
  return `${blocks} blocks`
}

/** A process that still had to crash does; the next one lives on. */
async function outliving(work: () => Promise<string>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Crashed)) throw error
  }
}

export const STEPS: readonly Step[] = [
  {
    name: 'code',
    weight: 3,
    take: (schedule) => askForCode(schedule.world, server(schedule), schedule.codes),
  },
  {
    name: 'withdraw',
    weight: 16,
    take: (schedule) => withdraw(schedule.world, server(schedule), schedule.codes),
  },
  { name: 'cancel', weight: 4, take: (schedule) => cancel(schedule.world, server(schedule)) },
  { name: 'deposit', weight: 5, take: (schedule) => deposit(schedule.world, PINS.hot) },
  { name: 'invest', weight: 6, take: (schedule) => invest(schedule.world, server(schedule)) },
  {
    name: 'decide',
    weight: 14,
    take: (schedule) => decideSome(schedule.world, schedule.gateway, server(schedule)),
  },
  { name: 'mine', weight: 12, chainOnly: true, take: ({ world }) => mine(world, 1 + world.chance.below(4)) },
  { name: 'look', weight: 14, take: ({ gateway }) => gateway.look() },
  { name: 'pay', weight: 16, take: ({ gateway }) => gateway.pay() },
  { name: 'custody', weight: 4, take: ({ gateway }) => gateway.custody() },
  {
    name: 'job',
    weight: 12,
    take: ({ world }) => doSome(world, randomLifetime(world.chance, CRASH_SHARE)),
  },
  { name: 'lose jobs', weight: 1, take: ({ world }) => loseJobs(world) },
  { name: 'node', weight: 5, chainOnly: true, take: ({ world }) => troubleNode(world) },
  { name: 'broadcasts', weight: 2, chainOnly: true, take: ({ world }) => troubleBroadcasts(world) },
  { name: 'chain', weight: 2, chainOnly: true, take: ({ world, active }) => troubleChain(world, active) },
  { name: 'pool', weight: 1, chainOnly: true, take: ({ world }) => forgetPool(world) },
  {
    name: 'wait',
    weight: 4,
    chainOnly: true,
    async take({ world }) {
      const seconds = [5, 20, 70, 700][world.chance.below(4)] ?? 5
      world.time += seconds * SECOND
      return `${seconds} s`
    },
  },
]

export async function createSchedule(world: World, bug?: Bug): Promise<Schedule> {
  const codes: CodeBook = new Map()
  const active = new Set<string>()
  let mayCrash = false
  const gateway = createGateway(world, partsOf(world, bug), () => mayCrash)
  const round = async () => {
    await mine(world, 4, 10)
    for (const work of [gateway.look, gateway.pay, gateway.custody]) await outliving(work)
    await approveAll(world, gateway)
    await doAll(world, neverCrashes())
  }
  await plant(world, bug)
  mayCrash = true
  return {
    world,
    codes,
    active,
    gateway,
    async heal() {
      mayCrash = false
      await healAll(world, active)
    },
    round,
    pageDifferences: () => figureDifferences(world.server(neverCrashes()).db, world.now()),
    ledgerFaults: async () => (await checkLedger(world.server(neverCrashes()).db)).faults,
  }
}

/** More calls than any step makes. */
const LONGEST = 60

/** A process that crashes somewhere in the step in this share of all cases. */
export function randomLifetime(chance: Chance, share: number): Lifetime {
  const crashes = chance.happens(share)
  // Drawn in any case, so that what follows does not depend on whether this one crashes.
  const after = chance.below(LONGEST)
  const how = chance.happens(0.5) ? 'unsent' : 'unanswered'
  return createLifetime({ after: crashes ? after : Number.MAX_SAFE_INTEGER, how })
}

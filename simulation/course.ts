/** The steps that chance draws from, and what they need. */
import { Crashed } from '../apps/gateway/src/testing/crashes.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import { type Bug, partsOf, plant } from './bugs.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { someLifetime } from './lifetimes.ts'
import { forgetPool, healAll, troubleBroadcasts, troubleChain, troubleNode } from './steps/faults.ts'
import { askForCode, type CodeBook, cancel, deposit, withdraw } from './steps/members.ts'
import { approveAll, decideSome } from './steps/operators.ts'
import { doAll, doSome, loseJobs } from './steps/worker.ts'
import { immortal, PINS, type World } from './world.ts'

export interface Course {
  readonly world: World
  readonly codes: CodeBook
  /** Faults of the chain that are on. */
  readonly active: Set<string>
  readonly gateway: Gateway
  /** Ends all faults; from now on nobody is killed. */
  heal(): Promise<void>
  /** A round of everybody, towards rest. */
  round(): Promise<void>
  ledgerFaults(): Promise<readonly string[]>
}

export interface Step {
  readonly name: string
  readonly weight: number
  take(course: Course): Promise<string>
}

/** In which share of their steps server processes die. */
const DEATHS = 0.15
const SECOND = 1_000

const server = (course: Course) => course.world.server(someLifetime(course.world.chance, DEATHS))

async function mine(world: World, blocks: number, seconds = 3): Promise<string> {
  for (let made = 0; made < blocks; made += 1) {
    world.time += seconds * SECOND
    await world.devnet.mine()
  }
  return `${blocks} blocks`
}

/** A process that still had to die does; the next one lives on. */
async function outliving(work: () => Promise<string>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Crashed)) throw error
  }
}

export const STEPS: readonly Step[] = [
  { name: 'code', weight: 3, take: (course) => askForCode(course.world, server(course), course.codes) },
  { name: 'withdraw', weight: 16, take: (course) => withdraw(course.world, server(course), course.codes) },
  { name: 'cancel', weight: 4, take: (course) => cancel(course.world, server(course)) },
  { name: 'deposit', weight: 3, take: (course) => deposit(course.world, PINS.hot) },
  { name: 'decide', weight: 14, take: (course) => decideSome(course.world, server(course)) },
  { name: 'mine', weight: 12, take: ({ world }) => mine(world, 1 + world.chance.below(4)) },
  { name: 'look', weight: 14, take: ({ gateway }) => gateway.look() },
  { name: 'pay', weight: 16, take: ({ gateway }) => gateway.pay() },
  { name: 'custody', weight: 4, take: ({ gateway }) => gateway.custody() },
  {
    name: 'job',
    weight: 12,
    take: ({ world }) => doSome(world, someLifetime(world.chance, DEATHS)),
  },
  { name: 'lose jobs', weight: 1, take: ({ world }) => loseJobs(world) },
  { name: 'node', weight: 5, take: ({ world }) => troubleNode(world) },
  { name: 'broadcasts', weight: 2, take: ({ world }) => troubleBroadcasts(world) },
  { name: 'chain', weight: 2, take: ({ world, active }) => troubleChain(world, active) },
  { name: 'pool', weight: 1, take: ({ world }) => forgetPool(world) },
  {
    name: 'wait',
    weight: 4,
    async take({ world }) {
      const seconds = [5, 20, 70, 700][world.chance.below(4)] ?? 5
      world.time += seconds * SECOND
      return `${seconds} s`
    },
  },
]

export async function createCourse(world: World, bug?: Bug): Promise<Course> {
  const codes: CodeBook = new Map()
  const active = new Set<string>()
  let mayDie = false
  const gateway = createGateway(world, partsOf(world, bug), () => mayDie)
  const round = async () => {
    await mine(world, 4, 10)
    for (const work of [gateway.look, gateway.pay, gateway.custody]) await outliving(work)
    await approveAll(world, world.server(immortal()))
    await doAll(world, immortal())
  }
  await plant(world, bug)
  mayDie = true
  return {
    world,
    codes,
    active,
    gateway,
    async heal() {
      mayDie = false
      await healAll(world, active)
    },
    round,
    ledgerFaults: async () => (await checkLedger(world.server(immortal()).db)).faults,
  }
}

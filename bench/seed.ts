/**
 * Fills a new installation on the development chain with a network of any size, to look at: members, both trees, investments
 * with a clean ledger behind them, and the trees numbered. The chain itself knows nothing of their money: their deposit
 * addresses are none, so that nobody can pay to them and nothing is compared with the chain.
 */
import { connect } from '@aval/db'
import { DEFAULT_PLAN, dayAt, dayStart } from '@aval/plan'
import type { Config } from '../apps/server/src/config.ts'
import { systemClock } from '../apps/server/src/core/context.ts'
import { enlistOperators } from '../apps/server/src/features/demo/seeding.commands.ts'
import { numberTrees } from '../apps/server/src/features/genealogy/numbering.commands.ts'
import { hashPassword } from '../apps/server/src/features/identity/members/password-hash.ts'
import { ensureInstallation } from '../apps/server/src/features/identity/registration/installation.commands.ts'
import { ensureFirstPlan } from '../apps/server/src/features/plan-versions/plan-versions.commands.ts'
import { loadNetwork } from './load.ts'
import { generateNetwork, type Network } from './network.ts'

const DAY_MS = 86_400_000
const ROOT = 'aval'

export interface SeedOptions {
  readonly ownerUrl: string
  readonly config: Config
  readonly members: number
  readonly seed: number
  readonly password: string
  readonly now: Date
  readonly tell: (line: string) => void
}

export interface SeededSignIn {
  readonly role: 'member' | 'operator'
  readonly username: string
  readonly password: string
  readonly totp?: string
}

/** Everybody joined in the past year, and invested since the last midnight: no day is due, and none is made up. */
function datesBefore(now: Date) {
  const { timeZone } = DEFAULT_PLAN
  const midnight = dayStart(dayAt(now, timeZone), timeZone)
  const before = (days: number) => new Date(midnight.getTime() - days * DAY_MS)
  return { joined: [before(365), before(1)], earlier: [midnight, now], today: [now, now] } as const
}

/** The first thousand have invested as drawn, of all others one in ten: commissions for them are paid in a minute or two. */
const ALL_INVEST = 1_000
const ONE_IN = 10

function drawNetwork(members: number, seed: number): Network {
  const network = generateNetwork(members, 'power', seed)
  const principal = network.principal.map((index, id) => (id <= ALL_INVEST || id % ONE_IN === 0 ? index : 0))
  return { ...network, principal, todays: new Int32Array(0), todaysAmount: new Uint8Array(0) }
}

/** @throws when the database holds members already */
export async function seedNetwork(options: SeedOptions): Promise<SeededSignIn[]> {
  const { ownerUrl, config, members, password, now, tell } = options
  const network = drawNetwork(members, options.seed)
  const passwordHash = await hashPassword(password)
  await loadNetwork({
    ownerUrl,
    network,
    thin: false,
    passwordHash,
    dates: datesBefore(now),
    block: 1,
    root: ROOT,
    tell,
  })
  // As the owner: it does what people, operators and jobs do.
  const connection = connect(ownerUrl, 4, 'aval-seed')
  try {
    const context = { db: connection.db, clock: systemClock, config }
    await ensureInstallation(context)
    await ensureFirstPlan(connection.db)
    const operators = config.demo ? await enlistOperators(context, passwordHash) : []
    await numberTrees(connection.db, new Date())
    tell('  both trees are numbered')
    return [
      { role: 'member', username: ROOT, password },
      { role: 'member', username: `m${Math.min(members, 1000)}`, password },
      ...operators.map((operator) => ({ role: 'operator' as const, password, ...operator })),
    ]
  } finally {
    await connection.close()
  }
}

/** How long a registration takes in a network of this size: half under random sponsors, half under the deepest one. */
import type { Connection } from '@aval/db'
import type pg from 'pg'
import { registerMember } from '../apps/server/src/features/identity/registration/registration.commands.ts'
import { NOW } from './day.ts'
import { spreadOf, timed } from './measures.ts'
import { chanceFrom } from './random.ts'

/** Of each kind: the 99th percentile of a hundred is the second slowest. */
const EACH = 100
/** Not counted: statements are prepared and the key derivation is compiled by then. */
const WARM_UPS = 10

export type Registrations = Awaited<ReturnType<typeof measureRegistrations>>

/** The time of the whole command, the derivation of a deposit address (1 ms) included; the password is hashed beforehand. */
export async function measureRegistrations(
  { db, pool }: Connection,
  members: number,
  seed: number,
  called = 'late',
) {
  const chance = chanceFrom(seed)
  const deepest = await selectDeepest(pool)
  let count = 0
  const register = (sponsorId: bigint) => {
    count += 1
    const name = `${called}${count}`
    const member = {
      username: name,
      email: `${name}@bench.example`,
      passwordHash: 'none',
      locale: 'es',
    } as const
    return timed(() => registerMember(db, { ...member, sponsorId }, NOW))
  }
  const anybody = () => BigInt(1 + chance.below(members))
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await register(anybody())
  const random: number[] = []
  const deep: number[] = []
  for (let each = 0; each < EACH; each += 1) {
    random.push(await register(anybody()))
    deep.push(await register(deepest))
  }
  return {
    /** How many members there are more. */
    registered: count,
    all: spreadOf([...random, ...deep]),
    random: spreadOf(random),
    deepest: spreadOf(deep),
  }
}

/** The member furthest below the root in the sponsor tree. */
async function selectDeepest(pool: pg.Pool): Promise<bigint> {
  const { rows } = await pool.query<{ id: bigint }>(
    'SELECT member_id AS id FROM sponsorship ORDER BY depth DESC, member_id DESC LIMIT 1',
  )
  if (rows[0] === undefined) throw new Error('there are no members')
  return rows[0].id
}

/** The installation every run begins with: members with wallets, two operators, one session each. */
import { setImmediate } from 'node:timers/promises'
import { connect, inTransaction } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import { accountPrivateKey, addressFromPrivateKey, DEVNET, type TronAddress } from '@aval/tron'
import pg from 'pg'
import { storeAddresses } from '../apps/gateway/src/signer/addresses.sql.ts'
import { deriveAddresses } from '../apps/gateway/src/signer/addresses.ts'
import { devnetKeys } from '../apps/gateway/src/signer/keys/devnet-keys.ts'
import { createKeyRing } from '../apps/gateway/src/signer/keys/key-ring.ts'
import type { Config } from '../apps/server/src/config.ts'
import type { Context } from '../apps/server/src/core/context.ts'
import { ensureInstallation } from '../apps/server/src/features/identity/registration/installation.commands.ts'
import {
  createRoot,
  registerMember,
} from '../apps/server/src/features/identity/registration/registration.commands.ts'
import { assignTotpSecret } from '../apps/server/src/features/identity/second-factor/totp-setup.commands.ts'
import { openSession } from '../apps/server/src/features/identity/sessions/sessions.commands.ts'
import { ensureFirstPlan } from '../apps/server/src/features/plan-versions/plan-versions.commands.ts'
import { addressOf } from '../apps/server/src/testing/addresses.ts'
import { testConfig } from '../apps/server/src/testing/server.ts'
import { keepRows } from './beginning.ts'
import { asIs } from './bugs.ts'
import { createGateway } from './gateway.ts'
import { BEGINNING, type Connections, type Investor, type Person, type Template } from './people.ts'
import { doAll } from './steps/worker.ts'
import { createWorld, neverCrashes } from './world.ts'

const INVESTORS = 4
const SECRETS = ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU']

/** A wallet of a member's own, away from all addresses of the product. */
const walletOf = (index: number): TronAddress =>
  addressFromPrivateKey(accountPrivateKey(DEVNET.mnemonic, 7, index))

export async function makeTemplate(adminUrl: string): Promise<Template> {
  const database = await createTestDatabase(adminUrl)
  const config: Config = { ...testConfig(database.serverUrl), coolingHours: 0 }
  const connections: Connections = {
    owner: new pg.Pool({ connectionString: database.ownerUrl, max: 1 }),
    server: connect(planningOnce(database.serverUrl), 4),
    gateway: connect(planningOnce(database.gatewayUrl), 3),
    signer: connect(planningOnce(database.signerUrl), 2),
  }
  const { owner, server, gateway, signer } = connections
  // A closed connection ends a moment later; until then dropping the database by force reports an error on it.
  owner.on('error', () => undefined)
  const pools = [server.pool, gateway.pool, signer.pool]
  const drop = async () => {
    await Promise.all([owner, ...pools].map((pool) => pool.end()))
    await database.drop()
  }
  try {
    const people = await registerPeople(connections, config)
    const template = { connections, config, ...people, reset: async () => undefined, drop }
    await readBeginning(template)
    const restore = await keepRows(owner)
    return { ...template, reset: () => allReturned(pools).then(restore) }
  } catch (error) {
    await drop()
    throw error
  }
}

async function registerPeople({ server: { db }, owner, signer }: Connections, config: Config) {
  const now = new Date(BEGINNING)
  const context: Context = { db, clock: { now: async () => now }, config }
  await ensureInstallation(context)
  await storeAddresses(
    signer.db,
    0n,
    deriveAddresses(createKeyRing(devnetKeys()), 0n, 1n + BigInt(INVESTORS)),
  )
  await ensureFirstPlan(db)
  const password = { passwordHash: 'none', locale: 'es' } as const
  const sponsorId = await createRoot(db, { ...password, username: 'root', email: 'root@example.com' }, now)
  const register = async (username: string, isOperator: boolean): Promise<Person> => {
    const person = { ...password, username, email: `${username}@example.com`, sponsorId }
    const memberId = await registerMember(db, person, now)
    if (isOperator)
      await owner.query(`UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = $1`, [
        memberId,
      ])
    return signedIn(context, owner, memberId, isOperator)
  }
  const investors: Investor[] = []
  for (let index = 0; index < INVESTORS; index += 1) {
    const person = await register(`member${index}`, false)
    const wallet = walletOf(index)
    await owner.query('UPDATE member SET usdt_wallet = $1, email_proven_at = joined_at WHERE id = $2', [
      wallet,
      person.memberId,
    ])
    const deposits = await addressOf(db, person.memberId)
    investors.push({ ...person, wallet, deposits: deposits as TronAddress })
  }
  const operators: Person[] = []
  for (const [index, secret] of SECRETS.entries()) {
    const person = await register(`operator${index}`, true)
    await assignTotpSecret(context, person.memberId, secret, now)
    operators.push(person)
  }
  return { investors, operators, company: (await addressOf(db, 0n)) as TronAddress }
}

/** A prepared statement is planned once a connection, and not again for its first values. */
const planningOnce = (url: string): string => `${url}?options=-c%20plan_cache_mode%3Dforce_generic_plan`

/** What a process had asked before it crashed is answered, or rolled back, a moment later. */
async function allReturned(pools: readonly pg.Pool[]): Promise<void> {
  while (pools.some((pool) => pool.idleCount < pool.totalCount)) await setImmediate()
}

/** Reads that chain, and credits what came in. */
async function readBeginning(template: Template): Promise<void> {
  const world = await createWorld(template, 0)
  try {
    const gateway = createGateway(world, asIs, () => false)
    await gateway.look()
    await gateway.register()
    await doAll(world, neverCrashes())
  } finally {
    await world.close()
  }
}

async function signedIn(
  context: Context,
  owner: pg.Pool,
  memberId: bigint,
  secondFactor: boolean,
): Promise<Person> {
  const device = { userAgent: `browser of ${memberId}`, ip: '127.0.0.1' }
  await inTransaction(context.db, (tx) =>
    openSession(context, tx, { memberId, userAgent: device.userAgent, secondFactor }, new Date(BEGINNING)),
  )
  const { rows } = await owner.query<{ id: string }>('SELECT id FROM session WHERE member_id = $1', [
    memberId,
  ])
  return { memberId, sessionId: rows[0]?.id ?? '', device }
}

/** The installation every run begins with: members with wallets, two operators, one session each. Cloned for each seed. */
import { connect, inTransaction } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import { accountPrivateKey, addressFromPrivateKey, DEVNET, type TronAddress } from '@aval/tron'
import pg from 'pg'
import type { Config } from '../apps/server/src/config.ts'
import type { Context } from '../apps/server/src/core/context.ts'
import { ensureInstallation } from '../apps/server/src/features/identity/registration/installation.commands.ts'
import {
  createRoot,
  registerMember,
} from '../apps/server/src/features/identity/registration/registration.commands.ts'
import { assignTotpSecret } from '../apps/server/src/features/identity/second-factor/totp-setup.commands.ts'
import { openSession } from '../apps/server/src/features/identity/sessions/sessions.commands.ts'
import { depositAddressOf } from '../apps/server/src/features/investments/investments.queries.ts'
import { ensureFirstPlan } from '../apps/server/src/features/plan-versions/plan-versions.commands.ts'
import { testConfig } from '../apps/server/src/testing/server.ts'
import { asIs } from './bugs.ts'
import { createGateway } from './gateway.ts'
import { BEGINNING, type Investor, type Person, type Template } from './people.ts'
import { doAll } from './steps/worker.ts'
import { neverCrashes, watch } from './world.ts'

const INVESTORS = 4
const SECRETS = ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU']

/** A wallet of a member's own, away from all addresses of the product. */
const walletOf = (index: number): TronAddress =>
  addressFromPrivateKey(accountPrivateKey(DEVNET.mnemonic, 7, index))

export async function makeTemplate(adminUrl: string): Promise<Template> {
  const database = await createTestDatabase(adminUrl)
  const config: Config = { ...testConfig(database.serverUrl), coolingHours: 0 }
  const now = new Date(BEGINNING)
  const connection = connect(database.serverUrl, 2)
  const context: Context = { db: connection.db, clock: { now: async () => now }, config }
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  try {
    await ensureInstallation(context)
    await ensureFirstPlan(connection.db)
    const password = { passwordHash: 'none', locale: 'es' } as const
    const rootId = await createRoot(
      connection.db,
      { ...password, username: 'root', email: 'root@example.com' },
      now,
    )
    const people = async (name: string, count: number, isOperator: boolean): Promise<Person[]> => {
      const made: Person[] = []
      for (let index = 0; index < count; index += 1) {
        const username = `${name}${index}`
        const email = `${username}@example.com`
        const memberId = await registerMember(
          connection.db,
          { ...password, username, email, isOperator, sponsorId: rootId },
          now,
        )
        made.push(await signedIn(context, owner, memberId, isOperator))
      }
      return made
    }
    const investors: Investor[] = []
    for (const [index, person] of (await people('member', INVESTORS, false)).entries()) {
      const wallet = walletOf(index)
      await owner.query('UPDATE member SET usdt_wallet = $1 WHERE id = $2', [wallet, person.memberId])
      const deposits = await depositAddressOf(connection.db, person.memberId)
      investors.push({ ...person, wallet, deposits: deposits as TronAddress })
    }
    const operators: Person[] = []
    for (const [index, person] of (await people('operator', SECRETS.length, true)).entries()) {
      const secret = SECRETS[index] ?? ''
      await assignTotpSecret(context, person.memberId, secret, now)
      operators.push(person)
    }
    const company = (await depositAddressOf(connection.db, 0n)) as TronAddress
    const template = { database, config, investors, operators, company, drop: () => database.drop() }
    await readBeginning(template)
    return template
  } finally {
    await owner.end()
    await connection.close()
  }
}

/** Reads that chain, and credits what came in: done once, and cloned with the rest. */
async function readBeginning(template: Template): Promise<void> {
  const world = await watch(template, new URL(template.database.ownerUrl).pathname.slice(1), 0)
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
  owner: pg.Client,
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

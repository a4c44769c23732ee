import { connect, type Database } from '@aval/db'
import { createTestDatabase, type TestDatabase } from '@aval/db/testing'
import { afterEach, expect, inject, it } from 'vitest'
import { registerMember } from '../apps/server/src/features/identity/registration/registration.commands.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import { createTestServer, join } from '../apps/server/src/testing/server.ts'
import { LOAD_DATES, NOW, payDay } from './day.ts'
import { loadNetwork } from './load.ts'
import { generateNetwork, SHAPES } from './network.ts'
import { type NetworkOptions, prepareNetwork } from './prepare-network.ts'
import { startAuditor } from './processes.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const tell = () => undefined

async function loadedDatabase(
  options: Pick<NetworkOptions, 'network' | 'thin' | 'history'>,
): Promise<TestDatabase & { db: Database }> {
  const database = await createTestDatabase(inject('ownerUrl'))
  closing.push(() => database.drop())
  const auditor = await startAuditor(database.auditorUrl)
  closing.push(auditor.stop)
  await prepareNetwork({ ...database, ...options, tell })
  const server = connect(database.serverUrl)
  closing.push(() => server.close())
  return { ...database, db: server.db }
}

/** Both trees as they are stored. */
async function treesOf(db: Database) {
  const [sponsorship, placement, chains] = await Promise.all([
    db
      .selectFrom('sponsorship')
      .select(['member_id', 'sponsor_id', 'depth', 'is_master'])
      .orderBy('member_id')
      .execute(),
    db.selectFrom('placement').selectAll().orderBy('member_id').execute(),
    db.selectFrom('placement_chain').selectAll().orderBy('head_id').orderBy('side').execute(),
  ])
  return { sponsorship, placement, chains }
}

it.each(SHAPES)('a loaded %s stands as if its members had registered one by one', async (shape) => {
  const network = generateNetwork(60, shape, 3)
  const server = await createTestServer(inject('ownerUrl'), [])
  closing.push(() => server.close())
  for (const sponsorId of network.sponsor.subarray(2)) await join(server, {}, BigInt(sponsorId))
  const { db } = await loadedDatabase({ network, thin: true, history: 'marked' })
  const grown = await treesOf(server.context.db)
  expect(grown.placement).toHaveLength(60)
  expect(await treesOf(db)).toEqual(grown)
})

it.each(['open', 'paid'] as const)(
  'a whole network whose history is %s keeps a clean ledger, before and after it is paid, and goes on growing',
  async (history) => {
    const network = generateNetwork(1_500, 'power', 1)
    const { db } = await loadedDatabase({ network, thin: false, history })
    expect((await checkLedger(db)).faults).toEqual([])
    await payDay(db, NOW)
    const { faults, counts } = await checkLedger(db)
    expect(faults).toEqual([])
    expect(counts['members']).toBe(1_500)
    const active = network.principal.filter((index, id) => index > 0 || network.todays.includes(id)).length
    const paid = await db.selectFrom('member_balance').select('member_id').where('earned', '>', 0n).execute()
    expect(paid).toHaveLength(active)
    await expect(registerOne(db)).resolves.toBe(1_501n)
  },
)

function registerOne(db: Database): Promise<bigint> {
  const late = {
    username: 'late',
    email: 'late@bench.example',
    passwordHash: 'x',
    locale: 'es',
    sponsorId: 7n,
  } as const
  return registerMember(db, late, NOW)
}

it('refuses a database that holds members', async () => {
  const network = generateNetwork(100, 'star', 1)
  const { ownerUrl } = await loadedDatabase({ network, thin: true, history: 'marked' })
  const again = loadNetwork({ ownerUrl, network, thin: true, dates: LOAD_DATES, tell })
  await expect(again).rejects.toThrow(/holds members already/)
})

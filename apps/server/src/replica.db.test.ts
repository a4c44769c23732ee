/** An API with a replica: a real stand-by that follows the log of the database on which money moves. */
import { connect, PATIENT } from '@aval/db'
import { startEphemeral } from '@aval/db/ephemeral'
import { startReplica } from '@aval/db/testing/replica'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { query } from './core/query.sql.ts'
import { openReplica } from './core/replica.ts'
import { startedWith } from './features/identity/testing/member-fixture.ts'
import { declaredRoutes } from './testing/declared-routes.ts'
import { createMoneyFixture, type MoneyFixture } from './testing/money-fixture.ts'
import {
  type Client,
  clientOf,
  operatorClient,
  PROBLEM,
  signedIn,
  type TestServer,
} from './testing/server.ts'

const WITHIN = { timeout: 240_000, interval: 20 }

let money: MoneyFixture
/** Waits for the replica as long as it takes: what it answers does not depend on how fast the machine is. */
let patient: TestServer
/** Waits as in the product. */
let api: TestServer
let replica: Awaited<ReturnType<typeof startReplica>>
let standby: ReturnType<typeof connect>
/** The superuser, on the primary. */
let owner: ReturnType<typeof connect>
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const flags = ['wal_level=replica', 'max_wal_senders=4', 'synchronous_commit=on', 'wal_keep_size=128MB']
  flags.push('archive_mode=on', 'archive_command=true')
  const primary = await startEphemeral({ flags })
  ends.unshift(() => primary.stop())
  replica = await startReplica(primary.superuserUrl)
  ends.unshift(() => replica.stop())
  money = await createMoneyFixture(primary.url, '2026-05-03T15:00:00Z')
  ends.unshift(() => money.close())
  owner = connect(primary.superuserUrl, 1)
  ends.unshift(() => owner.close())
  standby = connect(replica.superuserUrl, 1)
  ends.unshift(() => standby.close())
  const { username, password, pathname } = new URL(money.server.database.apiUrl)
  const url = Object.assign(new URL(replica.superuserUrl), { username, password, pathname }).href
  patient = await startedWith(money.server, {}, { replica: openReplica(url, 60_000, PATIENT) })
  ends.unshift(() => patient.close())
  api = await startedWith(money.server, {}, { replica: openReplica(url) })
  ends.unshift(() => api.close())
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** How many reads each of them has answered. */
async function answered(at: TestServer) {
  const { values } = (await at.api.metrics.getSingleMetric('replica_reads_total')?.get()) ?? { values: [] }
  const by = (name: string) => values.find(({ labels }) => labels['by'] === name)?.value ?? 0
  return { replica: by('replica'), primary: by('primary') }
}
/** The database of this file is made while the replica is there, which has to hear of it first. */
async function untilItAnswers(at: TestServer): Promise<void> {
  const reader = await signedIn(at, await money.member())
  await vi.waitFor(async () => {
    await reader.get('core/dashboard/')
    expect((await answered(at)).replica).toBeGreaterThan(0)
  }, WITHIN)
}
const availableTo = async (reader: Client) => (await reader.get('core/dashboard/')).json().holdings.available

/** Calls that ask for more than an address says. */
const ASKED: Readonly<Record<string, string>> = {
  'GET /operator/members/:id/tree/path/': 'operator/members/1/tree/path/?id=O-1&view=binary',
  'GET /operator/search/': 'operator/search/?q=member',
  'GET /tree/search/': 'tree/search/?q=member&view=binary',
  'GET /tree/path/': 'tree/path/?id=O-1&view=binary',
}

/** Every call that a replica may answer, compared with what the primary does. @returns how many there are */
async function compareCalls(at: TestServer, ana: bigint): Promise<number> {
  const [member, operator] = [await signedIn(at, ana), await operatorClient(at)]
  const calls = (await declaredRoutes()).filter(({ replica }) => replica === true)
  for (const { call, access } of calls) {
    const path = ASKED[call] ?? call.slice('GET /'.length).replace(':year', '2026').replaceAll(/:\w+/g, '1')
    const { headers, get } = access === 'operator' ? operator : member
    const answer = await get(path, PROBLEM)
    const fromPrimary = await clientOf(money.server, headers).get(path, PROBLEM)
    expect([call, answer.statusCode, answer.body]).toEqual([call, fromPrimary.statusCode, fromPrimary.body])
  }
  return calls.length
}

it('answers every call that it may, as the primary does', async () => {
  const ana = await money.member()
  await money.invest(await money.member(ana), '500')
  await money.receive(ana, '40')
  await untilItAnswers(patient)
  const before = await answered(patient)
  const calls = await compareCalls(patient, ana)
  expect(calls).toBeGreaterThan(25)
  expect(await answered(patient)).toEqual({ ...before, replica: before.replica + calls })
})

it('shows at once what was just done, time after time', async () => {
  const id = await money.member()
  const ana = await signedIn(patient, id)
  const { primary } = await answered(patient)
  for (let count = 1; count <= 20; count += 1) {
    await money.receive(id, '1')
    expect(await availableTo(ana)).toBe(`${count}.00`)
  }
  expect(await answered(patient)).toMatchObject({ primary })
})

it('never answers with less than was there when the call began: what it has not replayed the primary answers', async () => {
  const id = await money.member()
  const ana = await signedIn(api, id)
  await untilItAnswers(api)
  const before = await answered(api)
  await query(standby.db)`SELECT pg_wal_replay_pause()`
  await money.receive(id, '25')
  expect(await availableTo(ana)).toBe('25.00')
  const calls = await compareCalls(api, id)
  expect(await answered(api)).toEqual({ ...before, primary: before.primary + 1 + calls })
  await query(standby.db)`SELECT pg_wal_replay_resume()`
  await vi.waitFor(async () => {
    expect(await availableTo(ana)).toBe('25.00')
    expect((await answered(api)).replica).toBeGreaterThan(before.replica)
  }, WITHIN)
})

it('Prometheus sees until when the log is in the archive, and with who receives it', async () => {
  const metric = api.api.metrics.getSingleMetric('aval_log_shipped_timestamp_seconds')
  const shipped = async () =>
    new Map((await metric?.get())?.values.map(({ labels, value }) => [labels['to'], value] as const))
  const { db } = owner
  expect([...(await shipped()).keys()]).toEqual(['archive'])
  await query(db)`SELECT pg_create_physical_replication_slot('aval_backup', true)`
  const before = await shipped()
  await money.receive(await money.member(), '1')
  const behind = await shipped()
  expect(behind.get('aval_backup')).toBe(before.get('aval_backup'))
  await query(db)`SELECT pg_switch_wal()`
  await vi.waitFor(async () => {
    await query(db)`SELECT pg_replication_slot_advance('aval_backup', pg_current_wal_flush_lsn())`
    const now = await shipped()
    expect(now.get('aval_backup')).toBeGreaterThan(behind.get('aval_backup') ?? Number.POSITIVE_INFINITY)
    expect(now.get('archive')).toBeGreaterThan(behind.get('archive') ?? Number.POSITIVE_INFINITY)
  }, WITHIN)
  await query(db)`SELECT pg_drop_replication_slot('aval_backup')`
  expect([...(await shipped()).keys()]).toEqual(['archive'])
})

it('is done without once it is gone', async () => {
  const ana = await signedIn(patient, await money.member())
  const { primary } = await answered(patient)
  await replica.stop()
  expect(await availableTo(ana)).toBe('0.00')
  expect(await answered(patient)).toMatchObject({ primary: primary + 1 })
})

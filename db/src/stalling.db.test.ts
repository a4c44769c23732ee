import pg from 'pg'
import { afterAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { endStalling } from './stalling.ts'
import { createTestDatabase } from './testing.ts'

const database = await createTestDatabase(inject('ownerUrl'))
const owner = new pg.Client({ connectionString: database.ownerUrl })
await owner.connect()
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const AT_ONCE = { waited: 0, working: 0, idle: 0 }
const NEVER = { waited: 3_600, working: 3_600, idle: 3_600 }
/** Ends what hangs. */
const PATIENTLY = { timeout: 240_000, interval: 20 }
const SERVER_ENDED_IT = '57P01'

/** A session of a program, ended with the test. `broken` is how the server ended it. */
async function open(url: string) {
  const client = new pg.Client({ connectionString: url })
  const broken = new Promise<string | undefined>((resolve) => {
    client.on('error', (error: Error & { code?: string }) => {
      if (error.code !== undefined) resolve(error.code)
    })
  })
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  const pid = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
  return { client, pid, broken }
}

/** Who has taken a program over waits for nothing and is not timed. */
async function openTaken(url: string) {
  const session = await open(url)
  await session.client.query(
    'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0',
  )
  return session
}

/** Asks for the lock. Answers when it waits; `got` when it has it. */
async function askFor(client: pg.Client, pid: number | undefined) {
  const got = client.query('SELECT pg_advisory_xact_lock(1)')
  await vi.waitFor(async () => {
    const { rows } = await owner.query(
      'SELECT wait_event_type AS type FROM pg_stat_activity WHERE pid = $1',
      [pid],
    )
    expect(rows).toEqual([{ type: 'Lock' }])
  }, PATIENTLY)
  return { got }
}

it.each([['apiUrl'], ['workerUrl'], ['gatewayUrl'], ['signerUrl'], ['approvalsUrl']] as const)(
  'a program signs in with limits: %s',
  async (name) => {
    const { client } = await open(database[name])
    const { rows } = await client.query(
      "SELECT name, setting || unit AS value FROM pg_settings WHERE name ~ '^(statement|lock|idle_in_tr.*)_timeout$' ORDER BY name",
    )
    expect(rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', value: '60000ms' },
      { name: 'lock_timeout', value: '20000ms' },
      { name: 'statement_timeout', value: '60000ms' },
    ])
  },
)

describe('a session that keeps others waiting is ended', () => {
  it.each([
    ['in a transaction that does nothing', 'BEGIN; SELECT pg_advisory_xact_lock(1)'],
    ['with a lock outside of any transaction', 'SELECT pg_advisory_lock(1)'],
  ])('%s, and who waited goes on', async (_how, statement) => {
    const holder = await openTaken(database.apiUrl)
    const worker = await open(database.workerUrl)
    await holder.client.query(statement)
    const { got } = await askFor(worker.client, worker.pid)
    const ended = await endStalling(owner, { ...AT_ONCE, working: 3_600, idle: 3_600 })
    expect(ended).toEqual([{ pid: holder.pid, login: expect.stringMatching(/_api_login$/), why: 'blocks' }])
    expect(await holder.broken).toBe(SERVER_ENDED_IT)
    expect((await got).rowCount).toBe(1)
  })

  it('but not before others have waited long, and not a session of nobody’s program', async () => {
    const holder = await openTaken(database.apiUrl)
    const stranger = await openTaken(database.ownerUrl)
    const worker = await open(database.workerUrl)
    await stranger.client.query('BEGIN; SELECT pg_advisory_xact_lock(1)')
    await holder.client.query('BEGIN')
    const { got } = await askFor(worker.client, worker.pid)
    expect(await endStalling(owner, NEVER)).toEqual([])
    expect(await endStalling(owner, { ...AT_ONCE, idle: 3_600 })).toEqual([])
    await stranger.client.query('ROLLBACK')
    await got
  })
})

it('a transaction that stays open and does nothing is ended', async () => {
  const idle = await openTaken(database.gatewayUrl)
  await idle.client.query('BEGIN; SELECT 1')
  expect(await endStalling(owner, { ...NEVER, idle: 0 })).toEqual([
    { pid: idle.pid, login: expect.stringMatching(/_gateway_login$/), why: 'idle' },
  ])
  expect(await idle.broken).toBe(SERVER_ENDED_IT)
})

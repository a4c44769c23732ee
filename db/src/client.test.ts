import { afterEach, describe, expect, it } from 'vitest'
import { openClient, openPool, primaryOf } from './client.ts'
import { DatabaseAway, IMPATIENT, type Patience } from './hosts.ts'
import { isOutage } from './outage.ts'
import { type Behaviour, type FakeServer, startFakeServer } from './testing/fake-server.ts'

/** Of a test in which nothing that is asked answers: how long makes no difference. */
const NONE: Patience = { slowMs: 20, silentMs: 20, firstMs: 20, mostMs: Number.POSITIVE_INFINITY }

const LONG: Patience = { slowMs: 60_000, silentMs: 60_000, firstMs: 60_000, mostMs: 60_000 }

const running: FakeServer[] = []
const pools: { end(): Promise<void> }[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end()
  for (const server of running.splice(0)) await server.stop().catch(() => undefined)
})

async function start(behaviour: Behaviour): Promise<FakeServer> {
  const server = await startFakeServer(behaviour)
  running.push(server)
  return server
}

const addressOf = (...servers: readonly FakeServer[]) =>
  `postgres://me:pass@${servers.map(({ host }) => host).join()}/book`

function poolOf(servers: readonly FakeServer[], patience?: Patience, max = 2) {
  const pool = openPool(addressOf(...servers), { max, ...(patience && { patience }) })
  pools.push(pool)
  return pool
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

/** Asks until it is answered. */
async function untilAnswered(pool: { query(text: string): Promise<unknown> }): Promise<void> {
  while ((await failureOf(pool.query('anything'))) !== null) await new Promise(setImmediate)
}

describe('of several hosts', () => {
  it('the one that takes writes is found, wherever it stands', async () => {
    const servers = [await start('silent'), await start('standby'), await start('primary')] as const
    await poolOf(servers).query('anything')
    expect(await primaryOf(addressOf(...servers))).toBe(addressOf(servers[2]))
  })

  it('one that is not there is passed over', async () => {
    const [gone, primary] = [await start('primary'), await start('primary')]
    await gone.stop()
    await poolOf([gone, primary]).query('anything')
  })

  it('the stand-by that was promoted is found when the primary is lost', async () => {
    const [one, two] = [await start('primary'), await start('standby')]
    const pool = poolOf([one, two])
    await pool.query('anything')
    two.become('primary')
    await one.stop()
    await untilAnswered(pool)
  })

  it('a session that waits at a host that is no primary any more is cut, and the next one is at the new one', async () => {
    const [one, two] = [await start('primary'), await start('standby')]
    const pool = poolOf([one, two], NONE)
    await pool.query('anything')
    one.become('hanging')
    const cut = await failureOf(pool.query('anything'))
    expect(isOutage(cut)).toBe(true)
    two.become('primary')
    one.become('silent')
    await untilAnswered(pool)
  })

  it('none that takes writes is an outage that names each', async () => {
    const [one, two] = [await start('standby'), await start('standby')]
    await two.stop()
    const error = await failureOf(poolOf([one, two]).query('anything'))
    expect(isOutage(error)).toBe(true)
    expect(String(error)).toContain(`${one.host} takes no writes`)
    expect(String(error)).toContain(`connect ECONNREFUSED ${two.host}`)
  })

  it('a wrong password is said as what it is', async () => {
    const [one, two] = [await start('wrong password'), await start('standby')]
    const error = await failureOf(poolOf([one, two]).query('anything'))
    expect(error).toMatchObject({ code: '28P01' })
    expect(isOutage(error)).toBe(false)
  })
})

describe('a database that hangs', () => {
  it('fails who waits for it, and who waits for a connection; then it is found again', async () => {
    const server = await start('hanging')
    const pool = poolOf([server], NONE)
    const failures = await Promise.all([1, 2, 3, 4, 5].map(() => failureOf(pool.query('anything'))))
    expect(failures.every(isOutage)).toBe(true)
    expect(failures[4]).toBeInstanceOf(DatabaseAway)
    server.become('primary')
    await untilAnswered(pool)
  })

  it('fails at once who comes later, until it is found again', async () => {
    const server = await start('hanging')
    const pool = poolOf([server], NONE)
    await failureOf(pool.query('anything'))
    server.become('silent')
    let failed = false
    void failureOf(pool.query('anything')).then(() => {
      failed = true
    })
    // Nothing can have been received meanwhile.
    await new Promise(setImmediate)
    expect(failed).toBe(true)
  })

  it('fails who connects to it', async () => {
    const client = openClient(addressOf(await start('silent')), { patience: NONE })
    expect(isOutage(await failureOf(client.connect()))).toBe(true)
  })

  it('answers calls within a second', () => {
    expect(IMPATIENT.slowMs + IMPATIENT.silentMs).toBeLessThanOrEqual(800)
  })

  it('is not what a slow query is taken for, which goes on', async () => {
    const server = await start('slow')
    const pool = poolOf([server], { ...LONG, slowMs: 1 })
    const slow = pool.query('anything')
    // Its session, and one on which the database is asked again and again.
    while (server.opened() < 2) await new Promise(setImmediate)
    await pool.query('SELECT')
    await pool.query('SELECT')
    expect(await Promise.race([slow, pool.query('SELECT').then(() => 'it goes on')])).toBe('it goes on')
    server.stop()
    expect(isOutage(await failureOf(slow))).toBe(true)
  })
})

it('a commit that waits for a stand-by, and a session whose packets are lost, are given up', async () => {
  const server = await start('slow')
  const pool = poolOf([server], { ...LONG, mostMs: 20 })
  expect(isOutage(await failureOf(pool.query('COMMIT')))).toBe(true)
  await pool.query('SELECT')
})

it('a session of a server that became a stand-by is thrown away', async () => {
  const server = await start('primary')
  const pool = poolOf([server], undefined, 1)
  await pool.query('anything')
  server.become('demoted')
  const session = await pool.connect()
  expect(isOutage(await failureOf(session.query('anything')))).toBe(true)
  session.release()
  await new Promise(setImmediate)
  server.become('primary')
  await untilAnswered(pool)
  expect(server.opened()).toBe(2)
})

it('one host that takes no writes is refused where the address asks for writes', async () => {
  const address = addressOf(await start('standby'))
  await openClient(address).connect()
  const asking = openClient(`${address}?target_session_attrs=read-write`).connect()
  expect(String(await failureOf(asking))).toContain('takes no writes')
})

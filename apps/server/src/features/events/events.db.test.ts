/** Streams of events over real connections, from a real PostgreSQL to the members who are signed in. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { memberEventData } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { micro } from '@aval/money'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { post } from '../../testing/ledger-fixture.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { accessOf } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { sessionsRoutes } from '../identity/sessions/sessions.routes.ts'
import { eventsRoutesOn } from './events.routes.ts'
import { MOST_STREAMS, PARTS, Streams } from './streams.ts'

const WITHIN = { timeout: 240_000, interval: 10 }

const clock = { now: Date.now() }
const streams = new Streams(() => clock.now)
const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z', [
  eventsRoutesOn(streams),
  sessionsRoutes,
])
const { server } = money
const address = await server.api.listen({ port: 0, host: '127.0.0.1' })
await isListening()

interface Heard {
  readonly answer: IncomingMessage
  /** The names of the events so far. */
  readonly names: string[]
  text: string
  ended: boolean
}
const opened: Heard[] = []
afterEach(async () => {
  for (const { answer } of opened.splice(0)) answer.destroy()
  await vi.waitFor(() => expect(streams.size).toBe(0), WITHIN)
  clock.now = Date.now()
})

async function isListening(): Promise<void> {
  await vi.waitFor(async () => {
    const rows = await query(server.owner.db)`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN member_notices' AND state = 'idle'`
    expect(rows).toHaveLength(1)
  }, WITHIN)
}

const headersOf = (access: string | null) => ({
  'accept-language': 'en',
  'accept-encoding': 'br, gzip',
  ...(access === null ? {} : { authorization: `Bearer ${access}` }),
})

function call(access: string | null, reads = true): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = headersOf(access)
    const asked = httpRequest(`${address}/api/core/events/`, { headers, agent: false }, (answer) => {
      answer.on('error', () => undefined)
      if (reads) answer.setEncoding('utf8')
      resolve(answer)
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** An open stream of this session, which has said its first word. */
async function open(access: string): Promise<Heard> {
  const answer = await call(access)
  const heard: Heard = { answer, names: [], text: '', ended: false }
  answer.on('data', (text: string) => {
    heard.text += text
    for (const [, name = '', data = ''] of text.matchAll(/^event: (\w+)\ndata: (.+)$/gm)) {
      memberEventData.strict().parse(JSON.parse(data))
      heard.names.push(name)
    }
  })
  answer.on('close', () => {
    heard.ended = true
  })
  opened.push(heard)
  await vi.waitFor(() => expect(heard.names[0]).toBe('refresh'), WITHIN)
  return heard
}

const hears = (heard: Heard, names: readonly string[]) =>
  vi.waitFor(() => expect(heard.names).toEqual(['refresh', ...names]), WITHIN)
const ends = (heard: Heard) => vi.waitFor(() => expect(heard.ended).toBe(true), WITHIN)

const session = async () => {
  const memberId = await money.member()
  return { memberId, access: await accessOf(server, memberId) }
}

describe('a stream', () => {
  it('is for members: without a session it is refused as every call is', async () => {
    const answer = await call(null)
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['content-type']).toContain('application/json')
    expect(JSON.parse(String((await answer.toArray()).join('')))).toMatch(/^[A-Z].+\.$/)
  })

  it('travels as it is written: nothing in between keeps, compresses or buffers it', async () => {
    const { answer, text } = await open((await session()).access)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(text).toBe('retry: 3000\nevent: refresh\ndata: {"within_ms":300}\n\n')
  })

  it('tells a member of a credit as soon as it is committed, and nobody else', async () => {
    const [ana, luis] = [await session(), await session()]
    const [hers, his] = [await open(ana.access), await open(luis.access)]
    await money.receive(ana.memberId, '25')
    await money.receive(luis.memberId, '25')
    // Notices come in the order of their commits: what the other got by mistake would stand before this.
    await query(
      server.owner.db,
    )`SELECT pg_notify('member_notices', ${`deposits ${ana.memberId},${luis.memberId}`})`
    await hears(hers, ['money', 'deposits'])
    await hears(his, ['money', 'deposits'])
    expect(hers.text).not.toContain('25')
  })

  it('reaches each stream of a member', async () => {
    const { memberId, access } = await session()
    const [one, other] = [await open(access), await open(await accessOf(server, memberId))]
    await money.receive(memberId, '1')
    await Promise.all([hears(one, ['money']), hears(other, ['money'])])
  })

  it('says nothing of what is rolled back', async () => {
    const { memberId, access } = await session()
    const heard = await open(access)
    const failing = inTransaction(server.owner.db, async (tx) => {
      const movements = [{ kind: 'deposit_to_balance', amount: micro(5n) }] as const
      await post(tx, { key: 'rolled back', kind: 'test', memberId, at: money.now, movements })
      throw new Error('after the posting')
    })
    await expect(failing).rejects.toThrow('after the posting')
    expect(heard.names).toEqual(['refresh'])
    await money.receive(memberId, '1')
    await hears(heard, ['money'])
  })

  it('stays alive by a comment, which every stream gets once in 25 seconds', async () => {
    const heard = await open((await session()).access)
    const { length } = heard.text
    for (let second = 0; second < PARTS; second += 1) streams.lookAfter()
    await vi.waitFor(() => expect(heard.text.slice(length)).toBe(': \n\n'), WITHIN)
  })
})

describe('a stream ends', () => {
  it('when the member opens the ninth: the first one, which is told so', async () => {
    const { memberId, access } = await session()
    const all: Heard[] = []
    for (let count = 0; count <= MOST_STREAMS; count += 1) all.push(await open(access))
    const [first, ...others] = all
    if (first === undefined) throw new Error('nothing was opened')
    await ends(first)
    expect(first.names).toEqual(['refresh', 'replaced'])
    await money.receive(memberId, '1')
    await Promise.all(others.map((heard) => hears(heard, ['money'])))
  })

  it('with its access token, at the next notice or look', async () => {
    const { memberId, access } = await session()
    const [told, silent] = [await open(access), await open((await session()).access)]
    clock.now += 10 * 60_000 - 5_000
    await money.receive(memberId, '1')
    await hears(told, ['money'])
    clock.now += 6_000
    await money.receive(memberId, '1')
    await ends(told)
    for (let second = 0; second < PARTS; second += 1) streams.lookAfter()
    await ends(silent)
    expect(told.names).toEqual(['refresh', 'money'])
  })

  it('when its session is ended elsewhere, and no other session’s', async () => {
    const { memberId, access } = await session()
    const [one, other] = [await open(access), await open(await accessOf(server, memberId))]
    const { sid } = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString())
    const owner = query(server.owner.db)
    await owner`UPDATE session SET ended_at = now(), ended_because = 'ended' WHERE id = ${sid}::uuid`
    await ends(one)
    await money.receive(memberId, '1')
    await hears(other, ['money'])
    expect((await call(access)).statusCode).toBe(401)
  })

  it('when its client does not read: nothing is kept for it', async () => {
    const { memberId, access } = await session()
    const answer = await call(access, false)
    answer.pause()
    const reading = await open(access)
    expect(streams.size).toBe(2)
    const notice = { kind: 'money', ids: Array.from({ length: 200 }, () => memberId) } as const
    for (let round = 0; streams.size > 1 && round < 20_000; round += 1) {
      await streams.tell(notice)
      await nextTurn()
    }
    expect(streams.size).toBe(1)
    expect(reading.ended).toBe(false)
    answer.destroy()
  })
})

describe('nothing is kept of a client', () => {
  /** Asks, and leaves: when the request is on its way, with the head of the answer, or with its first word. */
  const leave = (access: string, moment: number) =>
    new Promise<number>((resolve) => {
      let status = 0
      const asked = httpRequest(`${address}/api/core/events/`, { headers: headersOf(access), agent: false })
      const go = () => void asked.destroy()
      asked.on('error', () => undefined)
      asked.on('close', () => resolve(status))
      if (moment === 0) asked.on('finish', go)
      asked.on('response', (answer) => {
        status = answer.statusCode ?? 0
        answer.on('error', () => undefined)
        if (moment === 1) go()
        else answer.once('data', go)
      })
      asked.end()
    })
  const connections = promisify(server.api.server.getConnections.bind(server.api.server))

  it('that leaves at any moment, a thousand times in a row', async () => {
    const { access } = await session()
    const statuses: number[] = []
    for (let round = 0; round < 100; round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => leave(access, n % 3)))))
    // No call is answered any more once its connection is gone.
    await vi.waitFor(async () => expect(await connections()).toBe(0), WITHIN)
    expect(streams.size).toBe(0)
    expect(streams.holders(null)).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(600)
    expect(new Set(statuses)).toEqual(new Set([0, 200]))
  })
})

it('after the listening connection was lost all streams refresh, and those of ended sessions end', async () => {
  const [kept, revoked] = [await session(), await session()]
  const [hers, his] = [await open(kept.access), await open(revoked.access)]
  // Told to nobody: the notice is as lost as the connection.
  await inTransaction(server.owner.db, async (tx) => {
    await query(tx)`ALTER TABLE session DISABLE TRIGGER session_tells`
    await query(
      tx,
    )`UPDATE session SET ended_at = now(), ended_because = 'ended' WHERE member_id = ${revoked.memberId}`
    await query(tx)`ALTER TABLE session ENABLE TRIGGER session_tells`
  })
  const cut = await query(server.owner.db)`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query = 'LISTEN member_notices'`
  expect(cut).toHaveLength(1)
  await hears(hers, ['refresh'])
  await ends(his)
  await money.receive(kept.memberId, '1')
  await hears(hers, ['refresh', 'money'])
})

it('a server that stops ends its streams, and does not wait for them', async () => {
  const heard = await open((await session()).access)
  await server.api.close()
  await ends(heard)
  expect(streams.size).toBe(0)
})

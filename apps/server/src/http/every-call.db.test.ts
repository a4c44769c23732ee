/** Every call that the server describes, misused in every way: right status, a sentence, nothing of ours in it. */
import { connect } from '@aval/db'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { signAccess } from '../core/access-token.ts'
import { countOf } from '../core/query.sql.ts'
import { sessionIn } from '../features/identity/testing/member-fixture.ts'
import { ensureFirstPlan } from '../features/plan-versions/plan-versions.commands.ts'
import { features, parts } from '../features.ts'
import { callsIn, type DescribedCall, describeApi } from '../testing/described-api.ts'
import { accessOf, createTestServer, freshCode, join } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'
import { buildServer } from './server.ts'

type Call = Pick<DescribedCall, 'method' | 'path'> & { readonly hasBody?: boolean; readonly isOpen?: boolean }

/** Read from the server's own description, so that a new call is misused here from its first day. */
const calls = callsIn(await describeApi()).map(({ method, path, operation }) => ({
  method,
  path,
  isOpen: operation.security.length === 0,
  hasBody: operation.requestBody !== undefined,
  isPaged: operation.parameters?.some(({ name }) => name === 'page') ?? false,
}))
const named = (list: readonly Call[]) => list.map((call) => [`${call.method} ${call.path}`, call] as const)
const closed = calls.filter(({ isOpen }) => !isOpen)
const withBody = calls.filter(({ hasBody }) => hasBody)

const server = await suiteFixture(createTestServer)
await ensureFirstPlan(server.context.db)
const memberId = await join(server)
const member = await accessOf(server, memberId)
/** A member of whom there are lists. */
const listed = String(memberId)
const asking: Call = { method: 'POST', path: '/api/support/messages/' }
await send(asking, { access: member, payload: '{"text":"Hola"}' })
const operator = await accessOf(server, await join(server, { isOperator: true }))
const long = new Date(Date.now() - 11 * 60_000)
const expired = await signAccess(
  server.context.config.jwtKey,
  { memberId, sessionId: sessionIn(member) },
  long,
)

/** So that what is refused is refused for what is wrong with it, not for want of a code. */
const operatorsCode = () => freshCode(server, { authorization: `Bearer ${operator}` })

function send(call: Call, options: { access?: string; payload?: string; search?: string; param?: string }) {
  const path = call.path.replaceAll(/\{\w+\}/g, options.param ?? '999999')
  // An open call takes no token, but for signing out, which would end the session that the others are called with.
  const access = call.isOpen ? undefined : options.access
  return server.call({
    method: call.method,
    url: `${path}${options.search ?? ''}`,
    headers: {
      'accept-language': 'en',
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      ...(options.payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.payload === undefined ? {} : { payload: options.payload }),
  })
}

function expectSentence(answer: LightMyRequestResponse, status: number | readonly number[]): void {
  expect([status].flat()).toContain(answer.statusCode)
  const sentence: unknown = answer.json()
  expect(typeof sentence).toBe('string')
  expect(sentence).toMatch(/^[A-Z].+\.$/)
}

describe('the calls for members', () => {
  it('are found in the description', () => {
    expect(closed.length).toBeGreaterThan(5)
    expect(withBody.length).toBeGreaterThan(4)
  })

  it.each(named(closed))('%s refuses strangers and expired tokens', async (_name, call) => {
    expectSentence(await send(call, {}), 401)
    expectSentence(await send(call, { access: 'null' }), 401)
    expectSentence(await send(call, { access: expired }), 401)
    expectSentence(await send(call, { payload: '{'.repeat(100) }), 401)
  })
})

/** Numbers and texts of others, of nobody, and of no kind at all. */
const PARAMS = [
  '0',
  '-1',
  '99999999999999999999999',
  "1'--",
  '%00',
  '%F0%9F%92%A9',
  'null',
  '..%2f..',
  'x'.repeat(150),
]

describe('every call with something in its path', () => {
  it.each(named(calls.filter(({ path }) => path.includes('{'))))(
    '%s finds nothing there',
    async (_name, call) => {
      for (const param of PARAMS) {
        const answer = await send(call, {
          access: operator,
          param,
          ...(call.hasBody ? { payload: JSON.stringify({ otp: await operatorsCode() }) } : {}),
        })
        if (answer.statusCode < 300) continue
        expectSentence(answer, [400, 403, 404, 422])
      }
    },
  )
})

const BODIES: Readonly<Record<string, string>> = {
  null: 'null',
  'a list': '[]',
  'a text': '"x"',
  'a number': '1',
  'half of something': '{"amount":',
  'a poisoned prototype': '{"__proto__":{"isOperator":true}}',
  'deep nesting': `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
}
const WRONG: readonly unknown[] = [null, true, -1, 1e308, [], {}, '', '\u0000', 'x'.repeat(5000), { $gt: '' }]

describe('every call with a body', () => {
  it.each(named(withBody))('%s refuses what is no object of its kind', async (_name, call) => {
    for (const [name, payload] of Object.entries(BODIES)) {
      // What a call without obligatory fields makes of nothing is its own affair; it never breaks.
      const answer = await send(call, { access: operator, payload })
      expect(answer.statusCode, name).toBeLessThan(500)
      if (answer.statusCode >= 400) expectSentence(answer, [400, 401, 403, 404, 409, 422])
    }
  })

  it.each(named(withBody))('%s refuses values of the wrong kind, field by field', async (_name, call) => {
    const fields = 'amount txn_id username email password password2 captcha refresh payPasive'.split(' ')
    for (const value of WRONG) {
      const payload = JSON.stringify({
        otp: await operatorsCode(),
        ...Object.fromEntries(fields.map((field) => [field, value])),
      })
      const answer = await send(call, { access: operator, payload })
      expect(answer.statusCode, payload.slice(0, 40)).toBeLessThan(500)
      if (answer.statusCode >= 300) expectSentence(answer, [400, 401, 403, 404, 409, 422])
    }
  })

  it.each(named(withBody))('%s refuses 10 MB', async (_name, call) => {
    const payload = `{"amount":"${'x'.repeat(10_000_000)}"}`
    expectSentence(await send(call, { access: operator, payload }), 413)
  })
})

describe('every list', () => {
  it.each(named(calls.filter(({ isPaged }) => isPaged)))(
    '%s has pages from 1 to its last',
    async (_name, call) => {
      const get = (search: string) => send(call, { access: operator, search, param: listed })
      const first = await get('')
      expect(first).toAnswer(200)
      expect(first.json()).toMatchObject({ links: { previous: null }, total_pages: expect.any(Number) })
      for (const search of ['page=0', 'page=x', 'page=1.0', 'page=-1', 'page=1&page=1', 'page_size=101'])
        expectSentence(await get(`?${search}`), 400)
      for (const page of ['999999999', '10000000000', '9'.repeat(400)])
        expectSentence(await get(`?page=${page}`), 404)
    },
  )
})

describe('every call that is asked for by GET', () => {
  it('changes nothing: it answers the same where nothing can be written', async () => {
    const { database, context } = server
    const readOnly = connect(`${database.apiUrl}?options=-c%20default_transaction_read_only%3Don`)
    const owner = connect(database.ownerUrl)
    await sql`UPDATE session SET started_at = started_at - interval '2 minutes'`.execute(owner.db)
    await owner.close()
    const api = await buildServer({ ...context, db: readOnly.db }, features, parts)
    // Of an operator who has done nothing for so long that a call is noted.
    const due = { url: '/api/operator/waiting/', headers: { authorization: `Bearer ${operator}` } }
    expect((await api.inject(due)).statusCode).toBe(200)
    // What leaves as a file enters the audit trail first, and does not leave without.
    const others = /\/core\/events\/$|\/export\/$/
    const gets = calls.filter(({ method, path }) => method === 'GET' && !others.test(path))
    for (const { path, isOpen } of gets)
      for (const access of isOpen ? [null] : [member, operator]) {
        const request = {
          url: path.replaceAll(/\{\w+\}/g, listed),
          headers: access === null ? {} : { authorization: `Bearer ${access}` },
        }
        const [written, read] = [await server.call(request), await api.inject(request)]
        expect.soft(read.statusCode, path).toBe(written.statusCode)
      }
    expect(gets.length).toBeGreaterThan(30)
    await api.close()
    await readOnly.close()
  })
})

const STATEMENTS = ["'; DELETE FROM member; --", "' OR '1'='1", '" OR 1=1 --', '$1', '%', "\\'; SELECT 1"]

describe('every call that takes a text', () => {
  it.each(named(calls))('%s takes SQL for words', async (_name, call) => {
    const members = () => countOf(server.context.db)`member`
    const before = await members()
    for (const text of STATEMENTS) {
      const names = [
        'username',
        'email',
        'text',
        'reason',
        'txn_id',
        'wallet_address',
        'search',
        'token',
        'id',
      ]
      const body = { otp: await operatorsCode(), ...Object.fromEntries(names.map((name) => [name, text])) }
      const typed = encodeURIComponent(text)
      const answer = await send(call, {
        access: operator,
        param: typed,
        search: `?search=${typed}&q=${typed}&to=${typed}&from=${typed}&state=${typed}&username=${typed}`,
        ...(call.hasBody ? { payload: JSON.stringify(body) } : {}),
      })
      expect(answer.statusCode, text).toBeLessThan(500)
    }
    expect(await members()).toBe(before)
  })
})

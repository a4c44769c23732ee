/** Every decision that the server describes, without a code, with a wrong one, and with one that was used. */
import { messageObject } from '@aval/contract'
import { DEFAULT_PLAN } from '@aval/plan'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { countOf, query } from '../core/query.sql.ts'
import { callsIn, describeApi } from '../testing/described-api.ts'
import { createMoneyFixture } from '../testing/money-fixture.ts'
import { type Client, freshCode, type Headers, operatorClient, PROBLEM, signedIn } from '../testing/server.ts'
import { soundSuiteFixture } from '../testing/suite.ts'
import { route } from './route.ts'

/** A body for each, whole but for its code: what is refused below is refused for that alone. */
const BODIES: Readonly<Record<string, object>> = {
  '/api/operator/pools/{pool}/fund/': { amount: '1' },
  '/api/operator/payments/stop/': { reason: 'A worry.' },
  '/api/operator/payments/resume/': { id: 999_999, reason: 'Looked into it.' },
  '/api/operator/runs/{id}/release/': {},
  '/api/operator/runs/{id}/prorate/': { note: 'A note.' },
  '/api/operator/runs/{id}/cancel/': {},
  '/api/operator/decisions/{id}/withdraw/': {},
  '/api/operator/elevation/': {},
  '/api/operator/members/{member}/end-sessions/': { reason: 'A stolen phone.' },
  '/api/operator/operators/{member}/invite/': { role: 'support', reason: 'Starts on Monday.' },
  '/api/operator/operators/{member}/role/': { from: 'support', role: 'admin', reason: 'Grew.' },
  '/api/operator/operators/{member}/dismiss/': { reason: 'Has left.' },
  '/api/operator/invitations/{id}/withdraw/': { reason: 'A mistake.' },
  '/api/operator/members/{member}/freeze/': { reason: 'A doubt.' },
  '/api/operator/members/{member}/unfreeze/': { reason: 'No doubt.' },
  '/api/operator/members/{member}/fundator/': { fundator: true, reason: 'Agreed.' },
  '/api/operator/members/{member}/extra-points/': { percent: '1.5', was: '0', reason: 'Agreed.' },
  '/api/operator/members/{member}/close/': { username: 'ana', reason: 'Asked for.' },
  '/api/operator/members/{member}/release/': { identified: 'A face on a call.', reason: 'Lost.' },
  '/api/operator/members/{member}/release/agree/': {},
  '/api/operator/members/{member}/release/refuse/': {},
  '/api/operator/members/{member}/email/': { email: 'new@example.com', reason: 'A typo.' },
  '/api/operator/members/{member}/email/confirm/': { email: 'new@example.com', code: '1234567' },
  '/api/operator/members/{member}/phone/': { phone: '+584140000001', was: '', reason: 'A typo.' },
  '/api/operator/rates/': { day: '2026-05-05', percentage: '0.1', reason: 'A slow day.' },
  '/api/operator/plans/': { starts_on: '2026-06-01', document: DEFAULT_PLAN },
  '/api/operator/investments/{id}/reversal/': { reason: 'A mistake.' },
  '/api/operator/withdrawals/decide/': { decision: 'refuse', ids: [999_999], reason: 'A note.' },
  '/api/operator/reserves/explain/': {
    address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
    difference: '-1',
    reason: 'Burnt.',
  },
}

/** A code within the last 15 minutes stands for one of their own: several a minute are written in a conversation. */
const ELEVATED: Readonly<Record<string, object>> = {
  '/api/operator/members/{member}/view/': { reason: 'A question.' },
  '/api/operator/members/{member}/mails/{mail}/resend/': {},
  '/api/operator/support/{member}/answer/': { text: 'Hello.' },
  '/api/operator/support/{member}/close/': {},
  '/api/operator/support/{member}/assign/': { operator: null, from: null },
  '/api/operator/support/templates/': { name: 'Hello', text_es: 'Hola', text_en: 'Hello' },
  '/api/operator/support/templates/{template}/': {
    ...{ name: 'Hello', text_es: 'Hola', text_en: 'Hello' },
    version: 1,
  },
  '/api/operator/support/templates/{template}/remove/': { version: 1 },
  '/api/operator/members/{id}/notes/': { text: 'A note.' },
}
/** They only say what was seen, or what comes by mail; and have the trail verified, which changes nothing in it. */
const WITHOUT_A_CODE = [
  '/api/operator/support/{member}/read/',
  '/api/operator/transfers/{txid}/{position}/review/',
  '/api/operator/audit/verify/',
  '/api/operator/notifications/read/',
  '/api/operator/notifications/settings/',
  // What is computed again, or computed beforehand, is read and changes nothing.
  '/api/operator/runs/{id}/replays/',
  '/api/operator/plan-previews/',
]

const acts = callsIn(await describeApi())
  .filter(({ method, path }) => path.startsWith('/api/operator/') && method !== 'GET')
  .map(({ method, path }) => [method, path] as const)
const decisions = acts.filter(([, path]) => !(path in ELEVATED) && !WITHOUT_A_CODE.includes(path))

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
let operator: Client
beforeEach(async () => {
  // A new one each time: ten wrong codes are all that one may send.
  operator = await operatorClient(money.server)
})

function send(path: string, code: object, headers: Headers = {}) {
  // Nothing of that number is there, which only a caller with the code finds out.
  const call = path
    .replace('/api/', '')
    .replace('{pool}', 'profit')
    .replaceAll(/\{\w+\}/g, '999999')
  return operator.post(call, { ...BODIES[path], ...ELEVATED[path], ...code }, { ...PROBLEM, ...headers })
}
/** Whose session it is. */
const memberOf = ({ headers }: Client): bigint =>
  BigInt(JSON.parse(Buffer.from(headers['authorization']?.split('.')[1] ?? '', 'base64url').toString()).sub)
const auditCount = () => countOf(money.db)`audit_event`
const code = () => freshCode(money.server, operator.headers)

describe('every decision of an operator', () => {
  it('is known here with a body that is whole', () => {
    expect(decisions.map(([, path]) => path).filter((path) => BODIES[path] === undefined)).toEqual([])
    expect(decisions.length).toBeGreaterThanOrEqual(7)
  })

  it.each(decisions)('%s %s looks at nothing before it has seen a fresh code', async (_method, path) => {
    const audited = await auditCount()
    expect(await send(path, {})).toRefuse(403, 'otp_required')
    expect(await send(path, { otp: '' })).toRefuse(403, 'otp_required')
    expect(await send(path, { otp: '000000' })).toRefuse(403, 'otp_invalid')
    expect(await auditCount()).toBe(audited + 3)
    const otp = await code()
    const passed = await send(path, { otp })
    expect(passed.json().code ?? 'done').not.toMatch(/^otp|^two_factor|^input|^field/)
    // Used up, whether or not it was refused for something else.
    expect(await send(path, { otp })).toRefuse(403, 'otp_invalid')
  })
})

describe('what an operator does without a code of its own', () => {
  it.each(Object.keys(ELEVATED))('%s takes one of the last 15 minutes, in this session', async (path) => {
    // What the code let through: done, or about what is not there.
    const through = [
      '404 support_thread_not_found',
      '404 support_template_not_found',
      '404 not_found',
      '201 undefined',
      '404 member_not_found',
      '404 mail_not_found',
    ]
    const outcome = async () => {
      const answer = await send(path, {})
      return `${answer.statusCode} ${answer.json().code}`
    }
    expect(await outcome()).toBe('403 elevation_required')
    expect(await send(path, { otp: await code() })).toRefuse(403, 'elevation_required')
    const other = operator
    operator = await signedIn(money.server, memberOf(other))
    expect(await send('/api/operator/elevation/', { otp: await code() })).toAnswer(200)
    expect(through).toContain(await outcome())
    // Another session of the same operator has confirmed nothing.
    const own = operator
    operator = other
    expect(await outcome()).toBe('403 elevation_required')
    operator = own
    await query(money.db)`UPDATE session SET elevated_until = elevated_until - interval '15 minutes'`
    expect(await outcome()).toBe('403 elevation_required')
  })

  it('is only what is listed here', () => {
    const calls = [...Object.keys(BODIES), ...Object.keys(ELEVATED), ...WITHOUT_A_CODE]
    expect(acts.map(([, path]) => path).sort()).toEqual(calls.sort())
  })

  it.each([
    ['an act that says nothing', 'POST /operator/probe/', 'operator', undefined],
    ['a member’s call with a step-up', 'POST /probe/', 'member', 'recent'],
    ['a read with a step-up', 'GET /operator/probe/', 'operator', 'none'],
  ] as const)('%s cannot even be declared', (_what, call, access, stepUp) => {
    const declare = () =>
      route({
        call,
        summary: '',
        tags: [],
        access,
        ...(access === 'operator' ? { ability: 'console.use' } : {}),
        response: { 200: messageObject },
        handler: () => ({ message: '' }),
        ...(stepUp === undefined ? {} : { stepUp }),
      })
    expect(declare).toThrow('has to say which code it takes')
  })
})

it('a code for one decision is none for another', async () => {
  const otp = await code()
  expect(await send('/api/operator/rates/', { otp })).toAnswer(200)
  expect(await send('/api/operator/plans/', { otp })).toRefuse(403, 'otp_invalid')
})

it('a decision sent again under its key, with the code it came with or a fresh one, is answered as before', async () => {
  const keyed = { 'idempotency-key': 'rate-once' }
  const otp = await code()
  const rate = (code: object) => send('/api/operator/rates/', code, keyed)
  const [first, same] = await Promise.all([rate({ otp }), rate({ otp })])
  const fresh = await rate({ otp: await code() })
  expect([first.statusCode, same.statusCode, fresh.statusCode]).toEqual([200, 200, 200])
  expect([same.json(), fresh.json()]).toEqual([first.json(), first.json()])
  expect(await rate({})).toRefuse(403, 'otp_required')
})

it('wrong codes count wherever they are tried: no address hides them', async () => {
  const codes: string[] = []
  for (const id of ['1', '%00', '%F0%9F%92%A9', 'x'.repeat(150), '5', '6', '7', '8', '9', '10', '11']) {
    const answer = await operator.post(`operator/runs/${id}/release/`, { otp: '000000' }, PROBLEM)
    codes.push(`${answer.statusCode} ${answer.json().code}`)
  }
  expect(codes).toEqual([...Array(10).fill('403 otp_invalid'), '429 too_many_requests'])
})

it('what was decided stands in the audit trail, with who decided it', async () => {
  const otp = await code()
  const before = await auditCount()
  expect(await send('/api/operator/rates/', { otp })).toAnswer(200)
  expect(await auditCount()).toBe(before + 1)
  const [last] = await query(money.db)`SELECT * FROM audit_event ORDER BY id DESC LIMIT 1`
  expect(last).toMatchObject({
    action: 'rate.declare',
    outcome: 'done',
    subject: 'day:2026-05-05',
    details: { percentage: '0.1' },
  })
})

it('a decision that is refused at its commit is not in the trail as done, nor is anything else of it', async () => {
  const onOwner = (statement: string) => sql.raw(statement).execute(money.owner)
  await onOwner(`CREATE FUNCTION fail_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
    CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON declared_rate DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION fail_at_commit()`)
  const rate = (otp: string | undefined) =>
    send('/api/operator/rates/', { otp }, { 'idempotency-key': 'at-commit' })
  const first = await code()
  const before = await auditCount()
  const rates = await countOf(money.db)`declared_rate`
  expect(await rate(first)).toAnswer(500)
  expect([await auditCount(), await countOf(money.db)`declared_rate`]).toEqual([before, rates])
  await onOwner('DROP TRIGGER fails ON declared_rate; DROP FUNCTION fail_at_commit()')
  // The same key can be used again: no answer was kept either.
  const again = await code()
  const then = await auditCount()
  expect(await rate(again)).toAnswer(200)
  expect(await auditCount()).toBe(then + 1)
})

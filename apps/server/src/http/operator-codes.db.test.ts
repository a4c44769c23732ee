/** Every decision that the server describes, without a code, with a wrong one, and with one that was used. */
import { DEFAULT_PLAN } from '@aval/plan'
import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, it } from 'vitest'
import { callsIn, type DescribedCall, describeApi } from '../testing/described-api.ts'
import { createMoneyFixture } from '../testing/money-fixture.ts'
import { freshCode, operatorAccess } from '../testing/server.ts'
import { soundSuiteFixture } from '../testing/suite.ts'

/** A body for each, whole but for its code: what is refused below is refused for that alone. */
const BODIES: Readonly<Record<string, object>> = {
  '/api/operator/pools/{pool}/fund/': { amount: '1' },
  '/api/operator/runs/{id}/release/': {},
  '/api/operator/runs/{id}/prorate/': { note: 'A note.' },
  '/api/operator/runs/{id}/cancel/': {},
  '/api/operator/rates/': { day: '2026-05-05', percentage: '0.1' },
  '/api/operator/plans/': { starts_on: '2026-06-01', document: DEFAULT_PLAN },
  '/api/operator/investments/{id}/reversal/': { reason: 'A mistake.' },
  '/api/operator/withdrawals/decide/': { decision: 'approve', ids: [999_999] },
  '/api/operator/reserves/explain/': {
    address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
    difference: '-1',
    reason: 'Burnt.',
  },
}

/** Answering a member moves nothing: who may do it has signed in with a code, and needs no further one. */
const WITHOUT_A_CODE = '/api/operator/support/'

const decisions = callsIn(await describeApi())
  .filter(({ method, path }) => path.startsWith('/api/operator/') && method !== 'GET')
  .filter(({ path }) => !path.startsWith(WITHOUT_A_CODE))
  .map(({ method, path }) => [method, path] as const)

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
let operator: { authorization: string }
beforeEach(async () => {
  // Another one each time: ten wrong codes are all that one is heard with.
  operator = await operatorAccess(money.server)
})

function send(method: DescribedCall['method'], path: string, code: object, headers: object = {}) {
  // Nothing of that number is there: only who passes the code learns so.
  const url = path.replace('{pool}', 'profit').replaceAll(/\{\w+\}/g, '999999')
  const payload = { ...BODIES[path], ...code }
  return money.server.call({
    method,
    url,
    headers: { accept: 'application/problem+json', ...operator, ...headers },
    payload,
  })
}
const outcomeOf = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().code]
const auditCount = async () =>
  (await money.server.context.db.selectFrom('audit_event').select('id').execute()).length

describe('every decision of an operator', () => {
  it('is known here with a body that is whole', () => {
    expect(decisions.map(([, path]) => path).filter((path) => BODIES[path] === undefined)).toEqual([])
    expect(decisions.length).toBeGreaterThanOrEqual(7)
  })

  it.each(decisions)('%s %s looks at nothing before it has seen a fresh code', async (method, path) => {
    const audited = await auditCount()
    expect(outcomeOf(await send(method, path, {}))).toEqual([403, 'otp_required'])
    expect(outcomeOf(await send(method, path, { otp: '' }))).toEqual([403, 'otp_required'])
    expect(outcomeOf(await send(method, path, { otp: '000000' }))).toEqual([403, 'otp_invalid'])
    expect(await auditCount()).toBe(audited + 3)
    const otp = await freshCode(money.server, operator)
    const passed = await send(method, path, { otp })
    expect(passed.json().code ?? 'done').not.toMatch(/^otp|^two_factor|^input|^field/)
    // Used up, whether or not it was refused for something else.
    expect(outcomeOf(await send(method, path, { otp }))).toEqual([403, 'otp_invalid'])
  })
})

it('a code for one decision is none for another', async () => {
  const otp = await freshCode(money.server, operator)
  expect(await send('POST', '/api/operator/rates/', { otp })).toAnswer(200)
  expect(outcomeOf(await send('POST', '/api/operator/plans/', { otp }))).toEqual([403, 'otp_invalid'])
})

it('a decision sent again under its key, with the code it came with or a fresh one, is answered as before', async () => {
  const keyed = { 'idempotency-key': 'rate-once' }
  const otp = await freshCode(money.server, operator)
  const rate = (code: object) => send('POST', '/api/operator/rates/', code, keyed)
  const [first, same] = await Promise.all([rate({ otp }), rate({ otp })])
  const fresh = await rate({ otp: await freshCode(money.server, operator) })
  expect([first.statusCode, same.statusCode, fresh.statusCode]).toEqual([200, 200, 200])
  expect([same.json(), fresh.json()]).toEqual([first.json(), first.json()])
  expect(outcomeOf(await rate({}))).toEqual([403, 'otp_required'])
})

it('wrong codes count wherever they are tried: no address hides them', async () => {
  const other = await operatorAccess(money.server)
  const guess = (id: string) =>
    money.server.call({
      method: 'POST',
      url: `/api/operator/runs/${id}/release/`,
      headers: { accept: 'application/problem+json', ...other },
      payload: { otp: '000000' },
    })
  const answers = []
  for (const id of ['1', '%00', '%F0%9F%92%A9', 'x'.repeat(150), '5', '6', '7', '8', '9', '10', '11'])
    answers.push(outcomeOf(await guess(id)))
  expect(answers).toEqual([...Array(10).fill([403, 'otp_invalid']), [429, 'too_many_requests']])
})

it('what was decided stands in the audit trail, with who decided it', async () => {
  const before = await auditCount()
  expect(
    await send('POST', '/api/operator/rates/', { otp: await freshCode(money.server, operator) }),
  ).toAnswer(200)
  const trail = money.server.context.db.selectFrom('audit_event').selectAll().orderBy('id', 'desc')
  expect(await auditCount()).toBe(before + 1)
  expect(await trail.executeTakeFirst()).toMatchObject({
    action: 'rate.declare',
    outcome: 'done',
    subject: 'day:2026-05-05',
    details: { percentage: '0.1' },
  })
})

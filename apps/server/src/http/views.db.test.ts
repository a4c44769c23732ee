/** An operator who sees an account as its member does: reads, and nothing else. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { query } from '../core/query.sql.ts'
import { sessionIn } from '../features/identity/testing/member-fixture.ts'
import { ensureFirstPlan } from '../features/plan-versions/plan-versions.commands.ts'
import { declaredRoutes } from '../testing/declared-routes.ts'
import { clientOf, createTestServer, join, operatorClient, PROBLEM, signedIn } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
await ensureFirstPlan(db)
const ana = await join(server, { username: 'ana' })
const member = await signedIn(server, ana)
await member.post('support/messages/', { text: 'Hello' })
const olga = await operatorClient(server, { username: 'olga', operatorRole: 'support' })
const reason = 'She says that a payment is missing.'

const view = (id: bigint, by = olga) => by.post(`operator/members/${id}/view/`, { reason }, PROBLEM)
await olga.decide('operator/elevation/')
const begun = await view(ana)
const seen = clientOf(server, { ...PROBLEM, authorization: `Bearer ${begun.json().access}` })
const calls = await declaredRoutes()
const pathOf = (call: string) => (call.split(' ')[1] ?? '').replaceAll(/:\w+/g, '999999').slice(1)
const trail = (action: string) =>
  query<{ actor: string; details: Record<string, string> }>(
    db,
  )`SELECT m.username AS actor, e.details FROM audit_event e
    JOIN member m ON m.id = e.actor_id WHERE e.action = ${action} AND e.subject = ${`member:${ana}`} ORDER BY e.id`

describe('a view', () => {
  it('shows what the member sees, for 15 minutes, and the trail says why and what was read', async () => {
    expect(begun).toAnswer(200)
    expect((await seen.get('auth/user/')).json()).toEqual((await member.get('auth/user/')).json())
    for (const path of ['core/dashboard/', 'withdrawals/terms/', 'support/messages/', 'support/messages/'])
      expect((await seen.get(path)).json()).toEqual((await member.get(path)).json())
    expect(await trail('member.view')).toMatchObject([{ actor: 'olga', details: { reason } }])
    const read = (await trail('member.view_page')).map(({ actor, details }) => `${actor} ${details['call']}`)
    expect(read).toContain('olga GET /api/core/dashboard/')
    expect(new Set(read).size).toBe(read.length)
    const [row] = await query<{ minutes: number }>(
      db,
    )`SELECT extract(epoch FROM ends_at - begun_at)::int / 60 AS minutes FROM member_view`
    expect(row?.minutes).toBe(15)
  })

  it.each(calls.filter(({ call }) => !call.startsWith('GET ')).map(({ call }) => [call]))(
    'refuses %s',
    async (call) => {
      const answer = await server.call({
        method: call.split(' ')[0] as 'POST',
        url: `/api/${pathOf(call)}`,
        headers: { ...seen.headers, 'content-type': 'application/json' },
        payload: '{}',
      })
      expect(answer).toRefuse(403, 'read_only_view')
    },
  )

  it('answers no call of operators, and none about what opens the account', async () => {
    const closed = calls.filter(
      ({ call, access, notInViews }) => call.startsWith('GET ') && (access === 'operator' || notInViews),
    )
    expect(closed.map(({ call }) => call)).toEqual(
      expect.arrayContaining(['GET /auth/two-factor/', 'GET /auth/passkeys/', 'GET /auth/member-key/']),
    )
    for (const { call } of closed) expect(await seen.get(pathOf(call))).toRefuse(403, 'read_only_view')
  })

  it('is no sign-in of the member: no session, no device, no act, nothing in the security log', async () => {
    await seen.get('core/dashboard/')
    const [row] = await query<object>(db)`SELECT
      (SELECT count(*)::int FROM session WHERE member_id = ${ana}) AS sessions,
      (SELECT count(*)::int FROM known_device WHERE member_id = ${ana}) AS devices,
      (SELECT count(*)::int FROM security_event WHERE member_id = ${ana}) AS events,
      (SELECT max(acted_at) FROM session WHERE member_id = ${ana}) AS acted`
    expect(row).toEqual({ sessions: 1, devices: 0, events: 0, acted: null })
    const { results } = (await seen.get('auth/sessions/')).json()
    expect(results).toMatchObject([{ current: false }])
  })

  it('is refused of an operator, of oneself and of nobody', async () => {
    expect(await view(await join(server, { isOperator: true }))).toRefuse(403, 'member_is_above')
    expect(await view(await join(server, { operatorRole: 'support' }))).toRefuse(409, 'member_is_operator')
    expect(await view(999_999n)).toRefuse(404, 'member_not_found')
    const [{ id }] = (await query<{ id: bigint }>(db)`SELECT id FROM member WHERE username = 'olga'`) as [
      { id: bigint },
    ]
    expect(await view(id)).toRefuse(403, 'own_account')
    const without = await operatorClient(server)
    expect(await view(ana, without)).toRefuse(403, 'elevation_required')
  })

  it('is over after its time, with the operator’s role or session, and when the member becomes an operator', async () => {
    const set = (table: string, column: string, value: string, where: string) =>
      sql.raw(`UPDATE ${table} SET ${column} = ${value} WHERE ${where}`).execute(server.owner.db)
    const isOver = async () => (await seen.get('core/dashboard/')).statusCode === 401
    expect(await isOver()).toBe(false)
    const session = `id = '${sessionIn(olga.headers['authorization'] ?? '')}'`
    for (const [table, column, value, before, where] of [
      ['member_view', 'ends_at', "begun_at + interval '1 ms'", "begun_at + interval '15 minutes'", 'true'],
      ['member', 'operator_role', "'treasurer'", "'support'", "username = 'olga'"],
      ['member', '(is_operator, operator_role)', "(true, 'admin')", '(false, NULL)', "username = 'ana'"],
      ['session', 'started_at', "now() - interval '9 hours'", 'now()', session],
      ['session', 'ended_at', 'now()', 'NULL', session],
    ] as const) {
      await set(table, column, value, where)
      expect(await isOver(), column).toBe(true)
      await set(table, column, before, where)
      expect(await isOver(), column).toBe(false)
    }
  })

  it('is good as no access token, nor is one good as a view', async () => {
    const [header, ...rest] = String(begun.json().access).split('.')
    const [plain] = (member.headers['authorization'] ?? '').slice(7).split('.')
    const other = clientOf(server, { ...PROBLEM, authorization: `Bearer ${[plain, ...rest].join('.')}` })
    expect(await other.get('core/dashboard/')).toRefuse(401, 'not_signed_in')
    const [, ...access] = (member.headers['authorization'] ?? '').slice(7).split('.')
    const forged = clientOf(server, { ...PROBLEM, authorization: `Bearer ${[header, ...access].join('.')}` })
    expect(await forged.get('core/dashboard/')).toRefuse(401, 'not_signed_in')
  })
})

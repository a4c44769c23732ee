/** Every call of operators, by every role, a member and nobody, against the tables written here. */
import { ABILITY_NAMES, OPERATOR_ROLES, type OperatorRole } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { query } from '../core/query.sql.ts'
import { declaredRoutes } from '../testing/declared-routes.ts'
import { accessOf, createTestServer, join, PROBLEM } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'
import { route } from './route.ts'

/** Who may make which call. Every operator reads what is not listed; a call that changes something is listed. */
const CALLS_OF_ROLES = {
  'support treasurer compliance admin': `
    POST /operator/elevation/
    POST /operator/members/:id/notes/
    POST /operator/notifications/read/
    POST /operator/notifications/settings/
    POST /operator/runs/:id/replays/
    POST /operator/transfers/:txid/:position/review/`,
  'support compliance admin': `
    POST /operator/members/:member/email/
    POST /operator/members/:member/email/confirm/
    POST /operator/members/:member/end-sessions/
    POST /operator/members/:member/mails/:mail/resend/
    POST /operator/members/:member/phone/
    POST /operator/members/:member/release/
    POST /operator/members/:member/release/agree/
    POST /operator/members/:member/release/refuse/
    POST /operator/members/:member/view/
    POST /operator/support/:member/answer/
    POST /operator/support/:member/assign/
    POST /operator/support/:member/close/
    POST /operator/support/:member/read/
    POST /operator/support/templates/
    POST /operator/support/templates/:template/
    POST /operator/support/templates/:template/remove/`,
  'treasurer compliance admin': `
    GET /operator/investments/export/
    GET /operator/members/:id/movements/export/
    GET /operator/members/export/
    GET /operator/pools/fundings/
    GET /operator/pools/fundings/export/
    GET /operator/reserves/
    GET /operator/runs/:id/items/export/
    GET /operator/support/export/
    GET /operator/today/
    GET /operator/transfers/export/
    GET /operator/treasury/
    GET /operator/withdrawals/export/
    POST /operator/payments/stop/
    POST /operator/reserves/explain/
    POST /operator/withdrawals/decide/`,
  'treasurer admin': `
    POST /operator/decisions/:id/withdraw/
    POST /operator/investments/:id/reversal/
    POST /operator/payments/resume/
    POST /operator/plan-previews/
    POST /operator/plans/
    POST /operator/pools/:pool/fund/
    POST /operator/rates/
    POST /operator/runs/:id/cancel/
    POST /operator/runs/:id/prorate/
    POST /operator/runs/:id/release/`,
  'compliance admin': `
    GET /operator/audit/
    GET /operator/audit/actions/
    GET /operator/audit/export/
    GET /operator/audit/verification/
    POST /operator/audit/verify/
    POST /operator/members/:member/close/
    POST /operator/members/:member/freeze/
    POST /operator/members/:member/unfreeze/`,
  admin: `
    GET /operator/members/:member/extra-points/
    GET /operator/operators/candidate/
    POST /operator/invitations/:id/withdraw/
    POST /operator/members/:member/extra-points/
    POST /operator/members/:member/fundator/
    POST /operator/operators/:member/dismiss/
    POST /operator/operators/:member/invite/
    POST /operator/operators/:member/role/`,
}
const listed = new Map(
  Object.entries(CALLS_OF_ROLES).flatMap(([roles, list]) =>
    list
      .trim()
      .split(/\s*\n\s*/)
      .map((call) => [call, roles.split(' ')] as const),
  ),
)

/** What the console hears that a role may do, beyond what every operator may. */
const ABILITIES_OF_EVERYBODY = [
  ...['console.use', 'members.read', 'members.note', 'withdrawals.read', 'deposits.read', 'deposits.review'],
  ...['investments.read', 'runs.read', 'plan.read', 'decisions.read', 'support.read', 'operators.read'],
]
const ABILITIES_OF_ROLES: Readonly<Record<Exclude<OperatorRole, 'admin'>, readonly string[]>> = {
  support: ['members.help', 'members.impersonate', 'members.release', 'support.answer'],
  treasurer: [
    ...['members.export', 'withdrawals.refuse', 'investments.reverse', 'runs.decide', 'treasury.read'],
    ...['treasury.fund', 'treasury.explain', 'payments.stop', 'payments.resume', 'plan.propose'],
    'decisions.withdraw',
  ],
  compliance: [
    ...['members.export', 'members.help', 'members.impersonate', 'members.release', 'members.freeze'],
    ...['members.close', 'withdrawals.refuse', 'treasury.read', 'treasury.explain', 'payments.stop'],
    ...['support.answer', 'audit.read'],
  ],
}

const server = await suiteFixture(createTestServer)
const calls = (await declaredRoutes()).filter(({ access }) => access === 'operator')

const member = await accessOf(server, await join(server))
const operators = new Map<OperatorRole, string>()
for (const operatorRole of OPERATOR_ROLES)
  operators.set(operatorRole, await accessOf(server, await join(server, { operatorRole })))

/** With a body that no call takes: who may make the call hears of that, or of what is not there, and nothing happens. */
async function codeOf(call: string, access: string | null | undefined): Promise<string | null> {
  const [method = '', path = ''] = call.split(' ')
  const answer = await server.call({
    method: method as 'GET' | 'POST',
    url: `/api${path.replaceAll(/:\w+/g, '999999')}`,
    headers: {
      ...PROBLEM,
      ...(access ? { authorization: `Bearer ${access}` } : {}),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { payload: '[]' }),
  })
  return answer.statusCode < 400 ? null : answer.json().code
}

describe('the table of calls', () => {
  it('has no call that there is not, and every one that changes something', () => {
    const names = calls.map(({ call }) => call as string)
    expect([...listed.keys()].filter((call) => !names.includes(call))).toEqual([])
    expect(names.filter((call) => !call.startsWith('GET ') && !listed.has(call))).toEqual([])
  })

  it.each(calls.map(({ call }) => call))('decides on %s', async (call) => {
    expect(await codeOf(call, null)).toBe('not_signed_in')
    expect(await codeOf(call, member)).toBe('not_allowed')
    const allowed: string[] = []
    for (const [role, access] of operators)
      if ((await codeOf(call, access)) !== 'role_not_allowed') allowed.push(role)
    expect(allowed).toEqual(listed.get(call) ?? OPERATOR_ROLES)
  })
})

it('a call of operators that names no ability does not start, nor a call of members that names one', () => {
  const declared = { call: 'GET /operator/new/', summary: 'x', tags: [], response: {}, handler: () => null }
  expect(() => route({ ...declared, access: 'operator' } as never)).toThrow('which ability')
  expect(() => route({ ...declared, access: 'member', ability: 'members.read' } as never)).toThrow(
    'which ability',
  )
})

it('a role that is taken away counts from the next call on', async () => {
  const id = await join(server, { operatorRole: 'treasurer' })
  const access = await accessOf(server, id)
  expect(await codeOf('GET /operator/today/', access)).toBeNull()
  await query(server.owner.db)`UPDATE member SET operator_role = 'support' WHERE id = ${id}`
  expect(await codeOf('GET /operator/today/', access)).toBe('role_not_allowed')
})

it.each(OPERATOR_ROLES)('tells an operator what the role allows: %s', async (role) => {
  const answer = await server.call({
    url: '/api/operator/me/',
    headers: { authorization: `Bearer ${operators.get(role)}` },
  })
  const expected = role === 'admin' ? ABILITY_NAMES : [...ABILITIES_OF_EVERYBODY, ...ABILITIES_OF_ROLES[role]]
  expect(answer.json().role).toBe(role)
  expect(answer.json().abilities.toSorted()).toEqual(expected.toSorted())
})

/** Every call of operators, by every role, a member and nobody: the table of abilities decides, and a call that is not in it does not start. */
import { ABILITY_NAMES, may, OPERATOR_ROLES, type OperatorRole } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { query } from '../core/query.sql.ts'
import { declaredRoutes } from '../testing/declared-routes.ts'
import { accessOf, createTestServer, join, PROBLEM } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'
import { type Described, route } from './route.ts'

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
const abilityOf = ({ call, ability }: Described) => {
  if (ability === undefined) throw new Error(`${call} has no ability`)
  return ability
}

describe('the table of abilities', () => {
  it('lets admins do everything', () => {
    expect(ABILITY_NAMES.filter((ability) => !may('admin', ability))).toEqual([])
  })

  it('has no ability that no call takes', () => {
    const taken = new Set(calls.map(abilityOf))
    expect(ABILITY_NAMES.filter((ability) => !taken.has(ability))).toEqual([])
  })

  it.each(calls.map((call) => [call.call, call] as const))('decides on %s', async (_name, declared) => {
    const { call } = declared
    expect(await codeOf(call, null)).toBe('not_signed_in')
    expect(await codeOf(call, member)).toBe('not_allowed')
    for (const [role, access] of operators) {
      const isRefused = (await codeOf(call, access)) === 'role_not_allowed'
      expect(isRefused, role).toBe(!may(role, abilityOf(declared)))
    }
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

it('tells an operator what the role allows', async () => {
  const answer = await server.call({
    url: '/api/operator/me/',
    headers: { authorization: `Bearer ${operators.get('support')}` },
  })
  expect(answer.json()).toMatchObject({ role: 'support' })
  expect(answer.json().abilities).toContain('support.answer')
  expect(answer.json().abilities).not.toContain('treasury.fund')
})

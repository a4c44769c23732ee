import {
  ABILITY_NAMES,
  elevationBody,
  endSessionsBody,
  may,
  messageObject,
  operatorSelf,
} from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { say } from '../../../core/messages.ts'
import { route, routes } from '../../../http/route.ts'
import { elevate } from './elevation.commands.ts'
import { endSessionsOf } from './end-sessions.commands.ts'

const operator = { access: 'operator', tags: ['operator'] } as const

export const operatorsOperatorRoutes = routes({
  showSelf: route({
    ...operator,
    call: 'GET /operator/me/',
    ability: 'console.use',
    summary: 'Role of the operator who calls, and what it allows',
    response: { 200: operatorSelf },
    handler: (_input, { caller: { username, role } }) => {
      if (role === null) throw new Error('an operator has a role')
      return { username, role, abilities: ABILITY_NAMES.filter((ability) => may(role, ability)) }
    },
  }),
  elevate: route({
    ...operator,
    call: 'POST /operator/elevation/',
    ability: 'console.use',
    summary: 'Lets a code stand for answers to members, in this session, for 15 minutes',
    body: elevationBody,
    response: { 200: messageObject },
    transaction: 'idempotent',
    decision: () => ({ action: 'session.elevate', subject: 'session:own' }),
    handler: async (_input, call) => {
      await elevate(call.tx, call.caller, call.systemNow)
      return { message: say(call.locale, 'elevated') }
    },
  }),
  endSessionsOfMember: route({
    ...operator,
    call: 'POST /operator/members/:member/end-sessions/',
    ability: 'members.help',
    summary: 'Ends every session of a member, who is told by e-mail',
    params: z.object({ member: z.string() }),
    body: endSessionsBody,
    response: { 200: messageObject },
    transaction: 'idempotent',
    decision: ({ params, body: { reason } }) => ({
      action: 'member.end_sessions',
      subject: `member:${params.member}`,
      details: { reason },
    }),
    refuses: ['member_not_found'],
    handler: async ({ params }, call) => {
      const count = await endSessionsOf(call, call.tx, readId(params.member), call.systemNow)
      return {
        message: say(call.locale, count === 0 ? 'member_had_no_sessions' : 'member_sessions_ended', {
          count,
        }),
      }
    },
  }),
})

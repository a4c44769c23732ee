import {
  ABILITY_NAMES,
  abilityTable,
  elevationBody,
  endSessionsBody,
  inviteOperatorBody,
  may,
  operatorCandidate,
  operatorReasonBody,
  operatorRoleBody,
  operatorSelf,
  operatorsPage,
} from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { say } from '../../../core/messages.ts'
import { operator, operatorAct, route, routes } from '../../../http/route.ts'
import { changeRole, dismissBy, invite, withdrawInvitation } from './changes.commands.ts'
import { elevate } from './elevation.commands.ts'
import { endSessionsOf } from './end-sessions.commands.ts'
import { findCandidate, readOperators, abilityTable as tableOfAbilities } from './operators.queries.ts'

const ofMember = z.object({ member: z.string() })

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
    ...operatorAct,
    call: 'POST /operator/elevation/',
    ability: 'console.use',
    summary: 'Lets a code stand for answers to members, in this session, for 15 minutes',
    body: elevationBody,
    decision: () => ({ action: 'session.elevate', subject: 'session:own' }),
    handler: async (_input, call) => {
      await elevate(call.tx, call.caller, call.systemNow)
      return { message: say(call.locale, 'elevated') }
    },
  }),
  endSessionsOfMember: route({
    ...operatorAct,
    call: 'POST /operator/members/:member/end-sessions/',
    ability: 'members.help',
    summary: 'Ends every session of a member, who is told by e-mail',
    params: z.object({ member: z.string() }),
    body: endSessionsBody,
    decision: ({ params, body: { reason } }) => ({
      action: 'member.end_sessions',
      subject: `member:${params.member}`,
      details: { reason },
    }),
    refuses: ['member_not_found', 'member_is_above'],
    handler: async ({ params }, call) => {
      const whose = { memberId: readId(params.member), operatorId: call.caller.memberId }
      const count = await endSessionsOf(call, call.tx, whose, call.systemNow)
      return {
        message: say(call.reader, count === 0 ? 'member_had_no_sessions' : 'member_sessions_ended', {
          count,
        }),
      }
    },
  }),
  listOperators: route({
    ...operator,
    call: 'GET /operator/operators/',
    ability: 'operators.read',
    summary: 'Who works for the company, and whom admins invited',
    response: { 200: operatorsPage },
    handler: (_input, { db, caller, systemNow }) => readOperators(db, caller, systemNow),
  }),
  readAbilities: route({
    ...operator,
    call: 'GET /operator/abilities/',
    ability: 'operators.read',
    summary: 'What each role may do',
    response: { 200: abilityTable },
    handler: () => tableOfAbilities(),
  }),
  findCandidate: route({
    ...operator,
    call: 'GET /operator/operators/candidate/',
    ability: 'operators.manage',
    summary: 'Whom a username or an e-mail means, before an invitation',
    query: z.object({ name: z.string().trim().min(1, 'field_required').max(254) }),
    response: { 200: operatorCandidate },
    refuses: ['member_not_found'],
    handler: ({ query }, { db, caller, systemNow }) => findCandidate(db, caller, query.name, systemNow),
  }),
  inviteOperator: route({
    ...operatorAct,
    call: 'POST /operator/operators/:member/invite/',
    ability: 'operators.manage',
    summary: 'Invites a member to work for the company; it counts once the member accepts',
    params: ofMember,
    body: inviteOperatorBody,
    decision: ({ params, body: { role, reason } }) => ({
      action: 'operator.invite',
      subject: `member:${params.member}`,
      details: { role, reason },
    }),
    refuses: [
      'member_not_found',
      'operator_own',
      'operator_already',
      'operator_former',
      'operator_change_waits',
    ],
    handler: async ({ params, body: { role } }, call) => {
      const { memberId: by } = call.caller
      await invite(call.tx, { by, memberId: readId(params.member), role }, call.systemNow)
      return { message: say(call.locale, 'operator_invited') }
    },
  }),
  changeOperatorRole: route({
    ...operatorAct,
    call: 'POST /operator/operators/:member/role/',
    ability: 'operators.manage',
    summary: 'Gives an operator another role',
    params: ofMember,
    body: operatorRoleBody,
    decision: ({ params, body: { from, role, reason } }) => ({
      action: 'operator.change_role',
      subject: `member:${params.member}`,
      details: { before: from, after: role, reason },
    }),
    refuses: [
      'operator_not_found',
      'operator_own',
      'operator_changed',
      'operator_last_admin',
      'operator_change_waits',
    ],
    handler: async ({ params, body: { from, role } }, call) => {
      const { memberId: by } = call.caller
      await changeRole(call.tx, { by, memberId: readId(params.member), from, role }, call.systemNow)
      return { message: say(call.locale, 'operator_role_asked') }
    },
  }),
  dismissOperator: route({
    ...operatorAct,
    call: 'POST /operator/operators/:member/dismiss/',
    ability: 'operators.manage',
    summary: 'Takes the rights of an operator, and ends every session',
    params: ofMember,
    body: operatorReasonBody,
    decision: ({ params, body: { reason } }) => ({
      action: 'operator.dismiss',
      subject: `member:${params.member}`,
      details: { reason },
    }),
    refuses: ['operator_not_found', 'operator_own', 'operator_last_admin'],
    handler: async ({ params }, call) => {
      const { memberId: by, username: byName } = call.caller
      await dismissBy(call.tx, { by, byName, memberId: readId(params.member) }, call.systemNow)
      return { message: say(call.locale, 'operator_dismissed') }
    },
  }),
  withdrawInvitation: route({
    ...operatorAct,
    call: 'POST /operator/invitations/:id/withdraw/',
    ability: 'operators.manage',
    summary: 'Takes an invitation back that its member has not accepted',
    params: z.object({ id: z.string() }),
    body: operatorReasonBody,
    decision: ({ params, body: { reason } }) => ({
      action: 'operator.withdraw_invitation',
      subject: `invitation:${params.id}`,
      details: { reason },
    }),
    refuses: ['invitation_ended'],
    handler: async ({ params }, call) => {
      const { memberId: by, username: byName } = call.caller
      await withdrawInvitation(call.tx, { by, byName, id: readId(params.id) }, call.systemNow)
      return { message: say(call.locale, 'invitation_withdrawn') }
    },
  }),
})

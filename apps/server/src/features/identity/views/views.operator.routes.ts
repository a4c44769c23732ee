import { memberView, viewBody } from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { route, routes } from '../../../http/route.ts'
import { beginView } from './views.commands.ts'

export const viewsOperatorRoutes = routes({
  viewMember: route({
    access: 'operator',
    tags: ['operator'],
    call: 'POST /operator/members/:member/view/',
    ability: 'members.impersonate',
    // The answer is a token: it is stored under no Idempotency-Key.
    stepUp: 'recent',
    summary: 'Opens the member’s own pages for reading, for 15 minutes',
    params: z.object({ member: z.string() }),
    body: viewBody,
    response: { 200: memberView },
    limits: [{ limit: 'codes', by: 'member' }],
    refuses: ['own_account', 'member_not_found', 'member_closed', 'member_is_above', 'member_is_operator'],
    handler: ({ params, body: { reason } }, call) => {
      const { memberId: operatorId, sessionId } = call.caller
      const view = { memberId: readId(params.member), operatorId, sessionId, reason }
      return beginView(call, view, call.systemNow)
    },
  }),
})

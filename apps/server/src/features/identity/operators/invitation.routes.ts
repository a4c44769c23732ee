/** A member answers an invitation to work for the company. */
import { acceptInvitationBody, messageObject, offeredRole, operatorInvitationBody } from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { actorOf } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { acceptInvitation } from './changes.commands.ts'
import { readOffer } from './operators.queries.ts'

const member = { access: 'member', tags: ['accounts'] } as const

export const invitationRoutes = routes({
  readInvitation: route({
    ...member,
    call: 'POST /auth/operator-invitation/',
    summary: 'What the link of an invitation offers the member',
    body: operatorInvitationBody,
    response: { 200: offeredRole },
    limits: [{ limit: 'codeTries', by: 'member' }],
    refuses: ['invitation_ended'],
    handler: ({ body }, call) => readOffer(call.db, call.caller.memberId, body.token, call.systemNow),
  }),
  acceptInvitation: route({
    ...member,
    call: 'POST /auth/operator-invitation/accept/',
    summary: 'Accepts an invitation, with password and code; every session ends',
    body: acceptInvitationBody,
    response: { 200: messageObject },
    limits: [{ limit: 'passwordTries', by: 'member', resetOnSuccess: true }],
    audit: { action: 'operator.accept' },
    refuses: [
      'invitation_ended',
      'two_factor_off',
      'current_password_wrong',
      'otp_required',
      'otp_invalid',
      'too_many_requests',
    ],
    handler: async ({ body }, call) => {
      const { token, current_password: current, otp = null } = body
      await acceptInvitation(call, actorOf(call), { token, current, otp }, call.systemNow)
      return { message: say(call.locale, 'invitation_accepted') }
    },
  }),
})

import { messageObject } from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import { route, routes } from '../../http/route.ts'
import { resendMail } from './resending.commands.ts'

export const resendingOperatorRoutes = routes({
  resendMail: route({
    access: 'operator',
    ability: 'members.help',
    stepUp: 'recent',
    tags: ['operator'],
    call: 'POST /operator/members/:member/mails/:mail/resend/',
    summary: 'Sends a mail to its member once more',
    params: z.object({ member: z.string(), mail: z.string() }),
    response: { 200: messageObject },
    transaction: 'idempotent',
    limits: [{ limit: 'codes', by: ({ params: { member } }) => member }],
    refuses: ['mail_not_found', 'mail_waits', 'mail_not_again'],
    handler: async ({ params }, call) => {
      const wanted = { memberId: readId(params.member), id: readId(params.mail) }
      await resendMail(call.tx, { ...wanted, operatorId: call.caller.memberId }, call.systemNow)
      return { message: say(call.locale, 'mail_was_sent_again') }
    },
  }),
})

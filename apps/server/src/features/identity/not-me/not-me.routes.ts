import { messageObject, notMeBody } from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { route, routes } from '../../../http/route.ts'
import { reportNotMe, type StopForMember } from './not-me.commands.ts'

/** @param stops what other features stop for the member */
export const notMeRoutes = (stops: readonly StopForMember[]) =>
  routes(
    route({
      access: 'public',
      tags: ['accounts'],
      method: 'POST',
      path: '/auth/not-me/',
      operationId: 'reportNotMe',
      summary: 'Say, with the link of an e-mail, that it was somebody else: sessions end and money stays in',
      body: notMeBody,
      response: { 200: messageObject },
      limits: [{ limit: 'notMe', by: 'address' }],
      refuses: ['link_invalid'],
      handler: async ({ body }, call) => {
        await reportNotMe(call, stops, body.token, call.device, call.systemNow)
        return { message: say(call.locale, 'not_me_done') }
      },
    }),
  )

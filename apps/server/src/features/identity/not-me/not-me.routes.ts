import { messageObject, notMeBody } from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { route, routes } from '../../../http/route.ts'
import { reportNotMe, type StopForMember } from './not-me.commands.ts'

/** @param stops what other features stop for the member */
export const notMeRoutes = (stops: readonly StopForMember[]) =>
  routes({
    reportNotMe: route({
      access: 'public',
      tags: ['accounts'],
      call: 'POST /auth/not-me/',
      summary:
        'Reports a change that the member did not make, by the link of an e-mail: sessions end and no money leaves',
      body: notMeBody,
      response: { 200: messageObject },
      limits: [{ limit: 'notMe', by: 'address' }],
      refuses: ['link_invalid'],
      handler: async ({ body }, call) => {
        await reportNotMe(call, stops, body.token, call.device, call.systemNow)
        return { message: say(call.locale, 'not_me_done') }
      },
    }),
  })

import { messageObject, notMeBody } from '@aval/contract'
import { deviceOf } from '../../../core/device.ts'
import { say } from '../../../core/messages.ts'
import type { FeatureRoutes } from '../../../http/api.ts'
import { localeOf } from '../../../http/language.ts'
import { clientOf, createRateLimit } from '../../../http/rate-limits.ts'
import { reportNotMe, type StopForMember } from './not-me.commands.ts'

/** @param stops what other features stop for the member */
export const notMeRoutes =
  (stops: readonly StopForMember[]): FeatureRoutes =>
  (api, context) => {
    const calls = createRateLimit(context.config.limits.notMe)
    api.post(
      '/auth/not-me/',
      {
        config: { access: 'public' },
        schema: {
          tags: ['accounts'],
          summary:
            'Say, with the link of an e-mail, that it was somebody else: sessions end and money stays in',
          body: notMeBody,
          response: { 200: messageObject },
        },
      },
      async (request) => {
        await calls.take(clientOf(request.ip))
        await reportNotMe(context, stops, request.body.token, deviceOf(request), new Date())
        return { message: say(localeOf(request), 'not_me_done') }
      },
    )
  }

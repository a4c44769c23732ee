import {
  changePasswordBody,
  messageObject,
  messageText,
  resetPasswordBody,
  resetSendBody,
} from '@aval/contract'
import type { Context } from '../../../core/context.ts'
import { deviceOf } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { say } from '../../../core/messages.ts'
import { jsonText } from '../../../http/answer.ts'
import type { Api, FeatureRoutes } from '../../../http/api.ts'
import { readFormBodies } from '../../../http/form-body.ts'
import { localeOf } from '../../../http/language.ts'
import { clientOf, createRateLimit } from '../../../http/rate-limits.ts'
import { actorOf } from '../sessions/actor.ts'
import { changePassword, requestReset, resetPassword } from './passwords.commands.ts'

const open = { access: 'public' } as const
const tags = ['accounts']

function changeRoute(api: Api, context: Context): void {
  const tries = createRateLimit(context.config.limits.passwordTries)
  api.post(
    '/auth/user/change-password/',
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Change the password; all other sessions end',
        consumes: ['application/json', 'multipart/form-data'],
        body: changePasswordBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      const actor = actorOf(request)
      const { current_password: current, password: next } = request.body
      await tries.take(String(actor.memberId))
      await changePassword(context, actor, { current, next }, new Date())
      await tries.forgive(String(actor.memberId))
      return { message: say(localeOf(request), 'password_saved') }
    },
  )
}

function resetRoutes(api: Api, context: Context): void {
  const { limits } = context.config
  const sentTo = createRateLimit(limits.resetsByEmail)
  const sentFrom = createRateLimit(limits.resetsByAddress)
  const tried = createRateLimit(limits.resetTries)

  api.post(
    '/auth/reset-password/send/',
    {
      config: open,
      schema: {
        tags,
        summary: 'E-mail a code for a new password; the answer does not tell whether the address is known',
        body: resetSendBody,
        response: { 200: messageText },
      },
    },
    async (request, reply) => {
      const { email } = request.body
      await sentFrom.take(clientOf(request.ip))
      await sentTo.take(fold(email))
      await requestReset(context, { email, device: deviceOf(request) }, new Date())
      return jsonText(reply, say(localeOf(request), 'reset_sent'))
    },
  )

  api.post(
    '/auth/reset-password/',
    {
      config: open,
      schema: {
        tags,
        summary: 'Set a new password with the e-mailed code; all sessions end',
        body: resetPasswordBody,
        response: { 200: messageText },
      },
    },
    async (request, reply) => {
      const { email, otp: code, password } = request.body
      await tried.take(clientOf(request.ip))
      await resetPassword(context, { email, device: deviceOf(request) }, { code, password }, new Date())
      return jsonText(reply, say(localeOf(request), 'password_was_reset'))
    },
  )
}

export const passwordsRoutes: FeatureRoutes = (api, context) => {
  resetRoutes(api, context)
  api.register(async (scope) => {
    const own: Api = scope.withTypeProvider()
    await readFormBodies(own)
    changeRoute(own, context)
  })
}

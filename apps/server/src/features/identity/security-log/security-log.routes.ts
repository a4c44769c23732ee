import {
  accountSecurity,
  changePasswordBody,
  messageObject,
  messageText,
  notMeBody,
  resetPasswordBody,
  resetSendBody,
} from '@aval/contract'
import type { Context } from '../../../core/context.ts'
import { deviceOf } from '../../../core/device.ts'
import { say } from '../../../core/messages.ts'
import { callerOf } from '../../../http/access.ts'
import { jsonText } from '../../../http/answer.ts'
import type { Api, FeatureRoutes } from '../../../http/api.ts'
import { readFormBodies } from '../../../http/form-body.ts'
import { localeOf } from '../../../http/language.ts'
import { clientOf, createRateLimit } from '../../../http/rate-limits.ts'
import { sayNotMe } from '../not-me/not-me.commands.ts'
import { changePassword } from '../passwords/passwords.commands.ts'
import { askForReset, resetPassword } from '../passwords/reset.commands.ts'
import { fold } from '../registration/registration.rules.ts'
import { moneyLock } from './security-log.commands.ts'

const open = { access: 'public' } as const
const tags = ['accounts']

function passwordRoute(api: Api, context: Context): void {
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
      const { memberId, sessionId } = callerOf(request)
      const { current_password: current, password: next } = request.body
      await tries.take(String(memberId))
      const self = { memberId, sessionId, device: deviceOf(request) }
      await changePassword(context, self, { current, next }, new Date())
      await tries.forgive(String(memberId))
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
      await askForReset(context, { email, device: deviceOf(request) }, new Date())
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

function notMeRoute(api: Api, context: Context): void {
  const calls = createRateLimit(context.config.limits.notMe)
  api.post(
    '/auth/not-me/',
    {
      config: open,
      schema: {
        tags,
        summary:
          'Say, with the link of an e-mail, that it was somebody else: sessions end and money stays in',
        body: notMeBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      await calls.take(clientOf(request.ip))
      await sayNotMe(context, request.body.token, deviceOf(request), new Date())
      return { message: say(localeOf(request), 'not_me_done') }
    },
  )
}

function standingRoute(api: Api, context: Context): void {
  api.get(
    '/auth/security/',
    {
      config: { access: 'member' },
      schema: { tags, summary: 'What keeps money in for now', response: { 200: accountSecurity } },
    },
    async (request) => {
      const { db, config } = context
      const lock = await moneyLock(db, callerOf(request).memberId, config, new Date())
      return {
        locked: lock?.because === 'not_me',
        cools_until: lock?.because === 'cooling' ? lock.until.toISOString() : null,
        cooling_hours: config.coolingHours,
      }
    },
  )
}

export const securityRoutes: FeatureRoutes = (api, context) => {
  resetRoutes(api, context)
  notMeRoute(api, context)
  standingRoute(api, context)
  api.register(async (scope) => {
    const own: Api = scope.withTypeProvider()
    await readFormBodies(own)
    passwordRoute(own, context)
  })
}

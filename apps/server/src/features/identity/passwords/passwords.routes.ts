import {
  changePasswordBody,
  messageObject,
  messageText,
  resetByLinkBody,
  resetPasswordBody,
  resetSendBody,
} from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { actorOf } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { withMailState } from '../../mail/mail.queries.ts'
import { NEW_PASSWORD_REFUSALS } from './new-password.ts'
import { changePassword } from './passwords.commands.ts'
import { requestReset, resetPassword, resetPasswordByLink } from './resets.commands.ts'

const visitor = { access: 'public', tags: ['accounts'] } as const

export const passwordsRoutes = routes({
  requestPasswordReset: route({
    ...visitor,
    call: 'POST /auth/reset-password/send/',
    summary:
      'E-mail a code and a link for a new password; the answer does not tell whether the address is known',
    body: resetSendBody,
    response: { 200: messageText },
    // How many e-mails one member gets is the job's to say: a stranger who asks leaves nobody without one.
    limits: [{ limit: 'resetsByAddress', by: 'address' }],
    handler: async ({ body }, call) => {
      await requestReset(call, { email: body.email, device: call.device }, call.systemNow)
      return withMailState(call.db, call.reader, say(call.locale, 'reset_sent'), call.systemNow)
    },
  }),
  resetPassword: route({
    ...visitor,
    call: 'POST /auth/reset-password/',
    summary: 'Set a new password with the e-mailed code; all sessions end',
    body: resetPasswordBody,
    response: { 200: messageText },
    limits: [{ limit: 'resetTries', by: 'address' }],
    refuses: ['reset_refused', 'password_same', ...NEW_PASSWORD_REFUSALS],
    handler: async ({ body }, call) => {
      const { email, otp: code, password } = body
      await resetPassword(call, { email, device: call.device }, { code, password }, call.systemNow)
      return say(call.locale, 'password_was_reset')
    },
  }),
  resetPasswordByLink: route({
    ...visitor,
    call: 'POST /auth/reset-password/link/',
    summary: 'Set a new password with the link of the e-mail; all sessions end',
    body: resetByLinkBody,
    response: { 200: messageText },
    limits: [{ limit: 'resetTries', by: 'address' }],
    refuses: ['reset_link_invalid', 'password_same', ...NEW_PASSWORD_REFUSALS],
    handler: async ({ body: { token, password } }, call) => {
      await resetPasswordByLink(call, { token, password }, call.device, call.systemNow)
      return say(call.locale, 'password_was_reset')
    },
  }),
  changePassword: route({
    access: 'member',
    tags: ['accounts'],
    call: 'POST /auth/user/change-password/',
    summary: 'Change the password; all other sessions end',
    forms: true,
    body: changePasswordBody,
    response: { 200: messageObject },
    limits: [{ limit: 'passwordTries', by: 'member', resetOnSuccess: true }],
    refuses: [
      'current_password_wrong',
      'password_same',
      ...NEW_PASSWORD_REFUSALS,
      'otp_required',
      'otp_invalid',
      'too_many_requests',
    ],
    handler: async ({ body }, call) => {
      const { current_password: current, password: next, otp = null } = body
      await changePassword(call, actorOf(call), { current, next, otp }, call.systemNow)
      return { message: say(call.locale, 'password_saved') }
    },
  }),
})

import {
  messageObject,
  recoveryCodes,
  twoFactor,
  twoFactorCodeBody,
  twoFactorSetup,
  twoFactorSetupBody,
} from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { actorOf } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { findSecondFactor } from './second-factor.queries.ts'
import {
  beginTotpSetup,
  confirmTotpSetup,
  disableSecondFactor,
  renewRecoveryCodes,
} from './totp-setup.commands.ts'

const member = { access: 'member', tags: ['accounts'] } as const

export const secondFactorRoutes = routes({
  getSecondFactor: route({
    ...member,
    call: 'GET /auth/two-factor/',
    notInViews: true,
    summary: 'Whether two-factor is on',
    response: { 200: twoFactor },
    handler: (_input, { db, caller }) => findSecondFactor(db, caller.memberId, caller.isOperator),
  }),
  beginTotpSetup: route({
    ...member,
    call: 'POST /auth/two-factor/setup/',
    summary:
      'Makes a secret for an authenticator app, with the password; it counts once a code of it was confirmed',
    body: twoFactorSetupBody,
    response: { 200: twoFactorSetup },
    limits: [{ limit: 'passwordTries', by: 'member', resetOnSuccess: true }],
    refuses: ['current_password_wrong', 'two_factor_on'],
    handler: ({ body }, call) =>
      beginTotpSetup(call, call.caller.memberId, body.current_password, call.systemNow),
  }),
  confirmTotpSetup: route({
    ...member,
    call: 'POST /auth/two-factor/confirm/',
    summary: 'Turns two-factor on; every other session ends',
    body: twoFactorCodeBody,
    response: { 200: recoveryCodes },
    refuses: [
      'two_factor_on',
      'two_factor_off',
      'two_factor_required',
      'otp_required',
      'otp_invalid',
      'too_many_requests',
    ],
    handler: async ({ body }, call) => ({
      recovery_codes: await confirmTotpSetup(call, actorOf(call), body.code, call.systemNow),
    }),
  }),
  renewRecoveryCodes: route({
    ...member,
    call: 'POST /auth/two-factor/recovery-codes/',
    summary: 'Makes new recovery codes, with a code of the app; the ones before are over',
    body: twoFactorCodeBody,
    response: { 200: recoveryCodes },
    refuses: ['two_factor_off', 'otp_required', 'otp_invalid', 'too_many_requests'],
    handler: async ({ body }, call) => ({
      recovery_codes: await renewRecoveryCodes(call, actorOf(call), body.code, call.systemNow),
    }),
  }),
  disableSecondFactor: route({
    ...member,
    call: 'POST /auth/two-factor/disable/',
    summary: 'Turns two-factor off, with a code or a recovery code',
    body: twoFactorCodeBody,
    response: { 200: messageObject },
    refuses: ['two_factor_off', 'two_factor_obligatory', 'otp_required', 'otp_invalid', 'too_many_requests'],
    handler: async ({ body }, call) => {
      await disableSecondFactor(call, actorOf(call), body.code, call.systemNow)
      return { message: say(call.locale, 'two_factor_turned_off') }
    },
  }),
})

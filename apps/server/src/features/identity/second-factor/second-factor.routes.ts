import { messageObject, recoveryCodes, twoFactor, twoFactorCodeBody, twoFactorSetup } from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { route, routes } from '../../../http/route.ts'
import { actorOf } from '../sessions/actor.ts'
import { findSecondFactor } from './second-factor.queries.ts'
import {
  beginTotpSetup,
  confirmTotpSetup,
  disableSecondFactor,
  renewRecoveryCodes,
} from './totp-setup.commands.ts'

const member = { access: 'member', tags: ['accounts'] } as const

const stateRoute = route({
  ...member,
  method: 'GET',
  path: '/auth/two-factor/',
  operationId: 'getSecondFactor',
  summary: 'Whether two-factor is on',
  response: { 200: twoFactor },
  handler: (_input, { db, caller }) => findSecondFactor(db, caller.memberId, caller.isOperator),
})

const setupRoute = route({
  ...member,
  method: 'POST',
  path: '/auth/two-factor/setup/',
  operationId: 'beginTotpSetup',
  summary: 'Makes a secret for an authenticator app; it counts once a code of it was confirmed',
  response: { 200: twoFactorSetup },
  refuses: ['two_factor_on'],
  handler: (_input, call) => beginTotpSetup(call, call.caller.memberId, call.systemNow),
})

const confirmRoute = route({
  ...member,
  method: 'POST',
  path: '/auth/two-factor/confirm/',
  operationId: 'confirmTotpSetup',
  summary: 'Turns two-factor on; every other session ends',
  body: twoFactorCodeBody,
  response: { 200: recoveryCodes },
  refuses: ['two_factor_on', 'two_factor_off', 'otp_required', 'otp_invalid', 'too_many_requests'],
  handler: async ({ body }, call) => ({
    recovery_codes: await confirmTotpSetup(call, actorOf(call), body.code, call.systemNow),
  }),
})

const recoveryCodesRoute = route({
  ...member,
  method: 'POST',
  path: '/auth/two-factor/recovery-codes/',
  operationId: 'renewRecoveryCodes',
  summary: 'Makes new recovery codes, with a code of the app; the ones before are over',
  body: twoFactorCodeBody,
  response: { 200: recoveryCodes },
  refuses: ['two_factor_off', 'otp_required', 'otp_invalid', 'too_many_requests'],
  handler: async ({ body }, call) => ({
    recovery_codes: await renewRecoveryCodes(call, actorOf(call), body.code, call.systemNow),
  }),
})

const disableRoute = route({
  ...member,
  method: 'POST',
  path: '/auth/two-factor/disable/',
  operationId: 'disableSecondFactor',
  summary: 'Turns two-factor off, with a code or a recovery code',
  body: twoFactorCodeBody,
  response: { 200: messageObject },
  refuses: ['two_factor_off', 'two_factor_obligatory', 'otp_required', 'otp_invalid', 'too_many_requests'],
  handler: async ({ body }, call) => {
    await disableSecondFactor(call, actorOf(call), body.code, call.systemNow)
    return { message: say(call.locale, 'two_factor_turned_off') }
  },
})

export const secondFactorRoutes = routes(
  stateRoute,
  setupRoute,
  confirmRoute,
  recoveryCodesRoute,
  disableRoute,
)

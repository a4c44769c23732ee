import {
  messageObject,
  otpBody,
  recoveryCodes,
  tokenPair,
  twoFactor,
  twoFactorCodeBody,
  twoFactorSetup,
} from '@aval/contract'
import type { Context } from '../../../core/context.ts'
import { deviceOf } from '../../../core/device.ts'
import { say } from '../../../core/messages.ts'
import { callerOf } from '../../../http/access.ts'
import type { Api } from '../../../http/api.ts'
import { localeOf } from '../../../http/language.ts'
import { clientOf, createRateLimit } from '../../../http/rate-limits.ts'
import { signInWithCode } from '../sessions/sessions.commands.ts'
import {
  confirmSetUp,
  type Owner,
  readTwoFactor,
  renewRecoveryCodes,
  setUp,
  turnOff,
} from './totp-setup.commands.ts'

const open = { access: 'public' } as const
const config = { access: 'member' } as const
const tags = ['accounts']

/** Sessions and codes live by the system's time. */
const systemNow = () => new Date()

function ownerOf(request: Parameters<typeof deviceOf>[0] & Parameters<typeof callerOf>[0]): Owner {
  const { memberId, sessionId } = callerOf(request)
  return { memberId, sessionId, ...deviceOf(request) }
}

function secondStepRoute(api: Api, context: Context): void {
  const byAddress = createRateLimit(context.config.limits.signInByAddress)
  api.post(
    '/auth/otp/',
    {
      config: open,
      schema: {
        tags,
        summary: 'The second step of a sign-in: a code, or a recovery code',
        body: otpBody,
        response: { 200: tokenPair },
      },
    },
    async (request) => {
      await byAddress.take(clientOf(request.ip))
      const { otp_token: token, code } = request.body
      return signInWithCode(context, { token, code, device: deviceOf(request) }, systemNow())
    },
  )
}

export function twoFactorRoutes(api: Api, context: Context): void {
  secondStepRoute(api, context)
  settingUpRoutes(api, context)
  settledRoutes(api, context)
}

/** Until it is on. */
function settingUpRoutes(api: Api, context: Context): void {
  api.get(
    '/auth/two-factor/',
    { config, schema: { tags, summary: 'Whether two-factor is on', response: { 200: twoFactor } } },
    async (request) => {
      const { memberId, isOperator } = callerOf(request)
      return readTwoFactor(context.db, memberId, isOperator)
    },
  )

  api.post(
    '/auth/two-factor/setup/',
    {
      config,
      schema: {
        tags,
        summary: 'Makes a secret for an authenticator app; it counts once a code of it was confirmed',
        response: { 200: twoFactorSetup },
      },
    },
    async (request) => setUp(context, callerOf(request).memberId, systemNow()),
  )

  api.post(
    '/auth/two-factor/confirm/',
    {
      config,
      schema: {
        tags,
        summary: 'Turns two-factor on; every other session ends',
        body: twoFactorCodeBody,
        response: { 200: recoveryCodes },
      },
    },
    async (request) => ({
      recovery_codes: await confirmSetUp(context, ownerOf(request), request.body.code, systemNow()),
    }),
  )
}

/** Once it is on. */
function settledRoutes(api: Api, context: Context): void {
  api.post(
    '/auth/two-factor/recovery-codes/',
    {
      config,
      schema: {
        tags,
        summary: 'Makes new recovery codes, with a code of the app; the ones before are over',
        body: twoFactorCodeBody,
        response: { 200: recoveryCodes },
      },
    },
    async (request) => ({
      recovery_codes: await renewRecoveryCodes(context, ownerOf(request), request.body.code, systemNow()),
    }),
  )

  api.post(
    '/auth/two-factor/disable/',
    {
      config,
      schema: {
        tags,
        summary: 'Turns two-factor off, with a code or a recovery code',
        body: twoFactorCodeBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      await turnOff(context, ownerOf(request), request.body.code, systemNow())
      return { message: say(localeOf(request), 'two_factor_turned_off') }
    },
  )
}

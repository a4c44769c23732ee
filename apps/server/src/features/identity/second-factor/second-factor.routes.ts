import { messageObject, recoveryCodes, twoFactor, twoFactorCodeBody, twoFactorSetup } from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { callerOf } from '../../../http/access.ts'
import type { FeatureRoutes } from '../../../http/api.ts'
import { localeOf } from '../../../http/language.ts'
import { actorOf } from '../sessions/actor.ts'
import { findSecondFactor } from './second-factor.queries.ts'
import {
  beginTotpSetup,
  confirmTotpSetup,
  disableSecondFactor,
  renewRecoveryCodes,
} from './totp-setup.commands.ts'

const config = { access: 'member' } as const
const tags = ['accounts']

export const secondFactorRoutes: FeatureRoutes = (api, context) => {
  api.get(
    '/auth/two-factor/',
    { config, schema: { tags, summary: 'Whether two-factor is on', response: { 200: twoFactor } } },
    async (request) => {
      const { memberId, isOperator } = callerOf(request)
      return findSecondFactor(context.db, memberId, isOperator)
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
    async (request) => beginTotpSetup(context, callerOf(request).memberId, new Date()),
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
      recovery_codes: await confirmTotpSetup(context, actorOf(request), request.body.code, new Date()),
    }),
  )

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
      recovery_codes: await renewRecoveryCodes(context, actorOf(request), request.body.code, new Date()),
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
      await disableSecondFactor(context, actorOf(request), request.body.code, new Date())
      return { message: say(localeOf(request), 'two_factor_turned_off') }
    },
  )
}

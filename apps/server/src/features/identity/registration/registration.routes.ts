import {
  availability,
  availabilityBody,
  captchaChallenge,
  inviter,
  registerBody,
  tokenPair,
} from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { deviceOf } from '../../../core/device.ts'
import type { Api, FeatureRoutes } from '../../../http/api.ts'
import { localeOf } from '../../../http/language.ts'
import { clientOf, createRateLimit } from '../../../http/rate-limits.ts'
import { makeChallenge } from './captcha.commands.ts'
import { register } from './registration.commands.ts'
import { findAvailability, findInviter } from './registration.queries.ts'

const open = { access: 'public' } as const
const refCodeParams = z.object({ ref_code: z.string() })
const tags = ['accounts']

function visitorRoutes(api: Api, context: Context): void {
  const { limits } = context.config
  const registrations = createRateLimit(limits.registration)
  const captchas = createRateLimit(limits.captcha)
  const lookups = createRateLimit(limits.lookup)

  api.get(
    '/auth/captcha/',
    {
      config: open,
      schema: { tags, summary: 'A proof of work to solve', response: { 200: captchaChallenge } },
    },
    async (request) => {
      await captchas.take(clientOf(request.ip))
      return { ...(await makeChallenge(context, new Date())) }
    },
  )

  api.get(
    '/auth/inviter/:ref_code/',
    {
      config: open,
      schema: {
        tags,
        summary: 'Who stands behind a registration link',
        params: refCodeParams,
        response: { 200: inviter },
      },
    },
    async (request) => {
      await lookups.take(clientOf(request.ip))
      return findInviter(context.db, request.params.ref_code)
    },
  )

  api.post(
    '/auth/register/:ref_code/',
    {
      config: open,
      schema: {
        tags,
        summary: 'Register; 0 as the code means that nobody referred',
        params: refCodeParams,
        body: registerBody,
        response: { 201: tokenPair },
      },
    },
    async (request, reply) => {
      await registrations.take(clientOf(request.ip))
      const visitor = {
        refCode: request.params.ref_code,
        body: request.body,
        locale: localeOf(request),
        device: deviceOf(request),
      }
      reply.code(201)
      return register(context, visitor, new Date())
    },
  )
}

/** Needs no captcha, unlike registering, so its limit is low: too low to try a list of addresses. */
function availabilityRoute(api: Api, context: Context): void {
  const asked = createRateLimit(context.config.limits.availability)
  api.post(
    '/auth/availability/',
    {
      config: open,
      schema: {
        tags,
        summary: 'Whether a username or an e-mail is free, for a form that is being filled in',
        body: availabilityBody,
        response: { 200: availability },
      },
    },
    async (request) => {
      await asked.take(clientOf(request.ip))
      return findAvailability(context.db, request.body)
    },
  )
}

export const registrationRoutes: FeatureRoutes = (api, context) => {
  visitorRoutes(api, context)
  availabilityRoute(api, context)
}

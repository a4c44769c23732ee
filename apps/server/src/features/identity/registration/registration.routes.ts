import * as contract from '@aval/contract'
import { z } from 'zod'
import { route, routes } from '../../../http/route.ts'
import { NEW_PASSWORD_REFUSALS } from '../passwords/new-password.ts'
import { makeChallenge } from './captcha.commands.ts'
import { register } from './registration.commands.ts'
import { findAvailability, findInviter } from './registration.queries.ts'

const visitor = { access: 'public', tags: ['accounts'] } as const
const params = z.object({ ref_code: z.string() })

export const registrationRoutes = routes({
  createCaptcha: route({
    ...visitor,
    call: 'GET /auth/captcha/',
    summary: 'A proof of work to solve',
    response: { 200: contract.captchaChallenge },
    limits: [{ limit: 'captcha', by: 'address' }],
    handler: async (_input, call) => ({ ...(await makeChallenge(call, call.systemNow)) }),
  }),
  findInviter: route({
    ...visitor,
    call: 'GET /auth/inviter/:ref_code/',
    summary: 'Who stands behind a registration link',
    params,
    response: { 200: contract.inviter },
    limits: [{ limit: 'lookup', by: 'address' }],
    handler: ({ params }, { db }) => findInviter(db, params.ref_code),
  }),
  register: route({
    ...visitor,
    call: 'POST /auth/register/:ref_code/',
    summary: 'Register; 0 as the code means that nobody referred',
    params,
    body: contract.registerBody,
    response: { 201: contract.tokenPair },
    session: 'opens',
    limits: [{ limit: 'registration', by: 'address' }],
    refuses: [
      'captcha_invalid',
      'ref_code_unknown',
      'username_reserved',
      'username_taken',
      'email_taken',
      'name_link',
      'name_reserved',
      ...NEW_PASSWORD_REFUSALS,
    ],
    handler: async ({ params, body }, call) => {
      const { locale, region, device, deviceToken: known } = call
      const visitor = { refCode: params.ref_code, body, locale, region, device, deviceToken: known }
      const { pair, deviceToken } = await register(call, visitor, call.systemNow)
      call.keepDevice(deviceToken)
      return pair
    },
  }),
  /** Needs no captcha, unlike registering, so its limit is low: too low to try a list. */
  findAvailability: route({
    ...visitor,
    call: 'POST /auth/availability/',
    summary: 'Whether a username is free, for a form that is being filled in',
    body: contract.availabilityBody,
    response: { 200: contract.availability },
    limits: [{ limit: 'availability', by: 'address' }],
    handler: ({ body }, { db }) => findAvailability(db, body.username),
  }),
})

import {
  availability,
  availabilityBody,
  type CurrentUser,
  captchaChallenge,
  currentUser,
  inviter,
  LOCALES,
  refreshBody,
  registerBody,
  signInAnswer,
  signInBody,
  tokenPair,
} from '@aval/contract'
import { micro, microToJsonNumber } from '@aval/money'
import { z } from 'zod'
import { avatarUrl, drawAvatar, INITIALS, TONES } from '../../../core/avatar.ts'
import type { Context } from '../../../core/context.ts'
import { deviceOf } from '../../../core/device.ts'
import { callerOf } from '../../../http/access.ts'
import type { Api, FeatureRoutes } from '../../../http/api.ts'
import { localeOf } from '../../../http/language.ts'
import { clientOf, createRateLimit } from '../../../http/rate-limits.ts'
import { accountKey, refreshSession, signIn, signOut } from '../sessions/sessions.commands.ts'
import { makeChallenge } from './captcha.commands.ts'
import { findAvailability, register } from './registration.commands.ts'
import { findCurrentUser, findInviter } from './registration.queries.ts'

const open = { access: 'public' } as const
const refCodeParams = z.object({ ref_code: z.string() })
const tags = ['accounts']

/** Sessions and tokens live by the system's time; advancing the demo's clock signs nobody out. */
const systemNow = () => new Date()

function registrationRoutes(api: Api, context: Context): void {
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
      return { ...(await makeChallenge(context, systemNow())) }
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
      return register(context, visitor, systemNow())
    },
  )
}

/**
 * Registering tells what is taken, too, at the price of a proof of work a try; here one asks without, so few times that
 * no list of addresses is tried like this.
 */
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

function sessionRoutes(api: Api, context: Context): void {
  const { limits } = context.config
  const byAccount = createRateLimit(limits.signInByAccount)
  const byAddress = createRateLimit(limits.signInByAddress)
  const refreshes = createRateLimit(limits.refresh)

  api.post(
    '/auth/token/',
    {
      config: open,
      schema: {
        tags,
        summary: 'Sign in with an e-mail or a username',
        body: signInBody,
        response: { 200: signInAnswer },
      },
    },
    async (request) => {
      const client = clientOf(request.ip)
      const account = `${client} ${accountKey(request.body.email)}`
      await byAddress.take(client)
      await byAccount.take(account)
      const visitor = {
        login: request.body.email,
        password: request.body.password,
        ...deviceOf(request),
      }
      const answer = await signIn(context, visitor, systemNow())
      await byAccount.forgive(account)
      return answer
    },
  )

  api.post(
    '/auth/token/refresh/',
    {
      config: open,
      schema: {
        tags,
        summary: 'Exchange a refresh token',
        body: refreshBody.nullish(),
        response: { 200: tokenPair },
      },
    },
    async (request) => {
      await refreshes.take(clientOf(request.ip))
      return refreshSession(context, request.body?.refresh, systemNow())
    },
  )

  api.post(
    '/auth/logout/',
    {
      config: open,
      schema: { tags, summary: 'End the session', body: refreshBody.nullish(), response: { 204: z.null() } },
    },
    async (request, reply) => {
      await signOut(context, request.body?.refresh, systemNow())
      return reply.code(204).send(null)
    },
  )
}

function userRoutes(api: Api, context: Context): void {
  api.get(
    '/auth/user/',
    {
      config: { access: 'member' },
      schema: { tags, summary: 'The signed-in member', response: { 200: currentUser } },
    },
    async (request): Promise<CurrentUser> => {
      const user = await findCurrentUser(context.db, callerOf(request).memberId)
      return {
        id: Number(user.id),
        username: user.username,
        first_name: user.first_name,
        last_name: user.last_name,
        email: user.email,
        avatar: avatarUrl(context.config.publicUrl, user),
        ref_code: user.ref_code,
        phone_number: user.phone_number,
        usdt_wallet: user.usdt_wallet,
        is_fundator: user.is_fundator,
        balance: microToJsonNumber(micro(user.balance)),
        is_operator: user.is_operator,
        two_factor: user.two_factor === true,
        locale: LOCALES.find((locale) => locale === user.locale) ?? LOCALES[0],
      }
    },
  )

  api.get(
    '/avatars/:initials.svg',
    {
      config: open,
      schema: {
        hide: true,
        params: z.object({ initials: z.string().regex(INITIALS) }),
        querystring: z.object({ tone: z.string().regex(/^\d$/).transform(Number).optional() }),
      },
    },
    async (request, reply) => {
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400')
      return drawAvatar(request.params.initials, (request.query.tone ?? 0) % TONES)
    },
  )
}

export const accountsRoutes: FeatureRoutes = (api, context) => {
  registrationRoutes(api, context)
  availabilityRoute(api, context)
  sessionRoutes(api, context)
  userRoutes(api, context)
}

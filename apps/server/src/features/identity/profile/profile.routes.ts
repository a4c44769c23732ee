import { currentUser, messageText, type ProfileBody, profileBody } from '@aval/contract'
import { z } from 'zod'
import { drawAvatar, INITIALS, TONES } from '../../../core/avatar.ts'
import type { Context } from '../../../core/context.ts'
import { say } from '../../../core/messages.ts'
import { callerOf } from '../../../http/access.ts'
import { jsonText } from '../../../http/answer.ts'
import type { Api, FeatureRoutes } from '../../../http/api.ts'
import { readFormBodies } from '../../../http/form-body.ts'
import { localeOf } from '../../../http/language.ts'
import { createRateLimit } from '../../../http/rate-limits.ts'
import { actorOf } from '../sessions/actor.ts'
import { changeProfile, type ProfileOutcome } from './profile.commands.ts'
import { presentCurrentUser } from './profile.presenter.ts'
import { findAvatar, findCurrentUser } from './profile.queries.ts'
import type { ProfileChange } from './profile.rules.ts'

function changeOf(body: ProfileBody): ProfileChange {
  return {
    email: body.email,
    usdtWallet: body.usdt_wallet,
    firstName: body.first_name,
    lastName: body.last_name,
    phoneNumber: body.phone_number,
    locale: body.locale,
  }
}

function sentence(locale: ReturnType<typeof localeOf>, outcome: ProfileOutcome): string {
  if (outcome.kind === 'saved') return say(locale, 'profile_saved')
  return say(locale, `profile_code_sent_${outcome.change}`, { to: outcome.to })
}

function changeRoute(api: Api, context: Context): void {
  const { limits } = context.config
  const codesSent = createRateLimit(limits.codes)
  const codesTried = createRateLimit(limits.codeTries)
  const pictures = createRateLimit(limits.avatars)

  api.patch(
    '/auth/user/',
    {
      config: { access: 'member' },
      schema: {
        tags: ['accounts'],
        summary:
          'Change the profile; a new e-mail or wallet takes a code, which is e-mailed when none is sent',
        consumes: ['application/json', 'multipart/form-data'],
        body: profileBody,
        response: { 200: messageText },
      },
    },
    async (request, reply) => {
      const { body } = request
      const actor = actorOf(request)
      const key = String(actor.memberId)
      const picture = Buffer.isBuffer(body.avatar) && body.avatar.length > 0 ? body.avatar : null
      const code = body.secret_code ?? null
      if (code !== null) await codesTried.take(key)
      if (picture !== null) await pictures.take(key)
      const wanted = { change: changeOf(body), code, picture }
      const outcome = await changeProfile(context, actor, wanted, () => codesSent.take(key), new Date())
      return jsonText(reply, sentence(localeOf(request), outcome))
    },
  )
}

function readRoutes(api: Api, context: Context): void {
  api.get(
    '/auth/user/',
    {
      config: { access: 'member' },
      schema: { tags: ['accounts'], summary: 'The signed-in member', response: { 200: currentUser } },
    },
    async (request) => {
      const user = await findCurrentUser(context.db, callerOf(request).memberId)
      return presentCurrentUser(user, context.config.publicUrl)
    },
  )

  api.get(
    '/avatars/:initials.svg',
    {
      config: { access: 'public' },
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

  api.get(
    '/avatars/:member/:name.webp',
    {
      config: { access: 'public' },
      schema: {
        hide: true,
        params: z.object({
          member: z.string().regex(/^[1-9]\d{0,17}$/, 'not_found'),
          name: z.string().regex(/^[0-9a-f]{32}$/, 'not_found'),
        }),
      },
    },
    async (request, reply) => {
      const { member, name } = request.params
      const image = await findAvatar(context.db, BigInt(member), name)
      // Another picture has another name, so this one never changes.
      return reply
        .type('image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(image)
    },
  )
}

export const profileRoutes: FeatureRoutes = (api, context) => {
  readRoutes(api, context)
  api.register(async (scope) => {
    const own: Api = scope.withTypeProvider()
    await readFormBodies(own)
    changeRoute(own, context)
  })
}

import { messageText, type ProfileBody, profileBody } from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { deviceOf } from '../../../core/device.ts'
import { say } from '../../../core/messages.ts'
import { callerOf } from '../../../http/access.ts'
import { jsonText } from '../../../http/answer.ts'
import type { Api, FeatureRoutes } from '../../../http/api.ts'
import { readFormBodies } from '../../../http/form-body.ts'
import { localeOf } from '../../../http/language.ts'
import { createRateLimit } from '../../../http/rate-limits.ts'
import { changeProfile, findPortrait, type ProfileOutcome } from './profile.commands.ts'
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

const MESSAGES = {
  email: 'profile_code_sent_email',
  wallet: 'profile_code_sent_wallet',
  both: 'profile_code_sent_both',
} as const

function sentence(locale: ReturnType<typeof localeOf>, outcome: ProfileOutcome): string {
  if (outcome.kind === 'saved') return say(locale, 'profile_saved')
  return say(locale, MESSAGES[outcome.change], { to: outcome.to })
}

function profileRoute(api: Api, context: Context): void {
  const { limits } = context.config
  const made = createRateLimit(limits.codes)
  const tried = createRateLimit(limits.codeTries)
  const portraits = createRateLimit(limits.portraits)

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
      const { memberId, sessionId } = callerOf(request)
      const { body } = request
      const portrait = Buffer.isBuffer(body.avatar) && body.avatar.length > 0 ? body.avatar : null
      const code = body.secret_code ?? null
      if (code !== null) await tried.take(String(memberId))
      if (portrait !== null) await portraits.take(String(memberId))
      const outcome = await changeProfile(
        context,
        { memberId, sessionId, device: deviceOf(request) },
        { change: changeOf(body), code, portrait },
        () => made.take(String(memberId)),
        new Date(),
      )
      return jsonText(reply, sentence(localeOf(request), outcome))
    },
  )
}

function portraitRoute(api: Api, context: Context): void {
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
      const image = await findPortrait(context.db, BigInt(member), name)
      // Another picture has another name, so this one never changes.
      return reply
        .type('image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(image)
    },
  )
}

export const profileRoutes: FeatureRoutes = (api, context) => {
  portraitRoute(api, context)
  api.register(async (scope) => {
    const own: Api = scope.withTypeProvider()
    await readFormBodies(own)
    profileRoute(own, context)
  })
}

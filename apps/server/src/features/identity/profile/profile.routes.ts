import {
  confirmEmailBody,
  currentUser,
  memberWalletBody,
  messageText,
  type ProfileBody,
  profileBody,
} from '@aval/contract'
import { z } from 'zod'
import { drawAvatar, INITIALS, TONES } from '../../../core/avatar.ts'
import { say } from '../../../core/messages.ts'
import { actorOf } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { withMailState } from '../../mail/mail.queries.ts'
import { confirmEmail } from './confirm-email.commands.ts'
import { changeProfile, changeWallet } from './profile.commands.ts'
import { findAvatar, findCurrentUser } from './profile.queries.ts'

const member = { access: 'member', tags: ['accounts'] } as const
const picture = { access: 'public', tags: ['accounts'], hidden: true } as const

/** The uploaded picture; clients also send the field as text, which means nothing. */
const pictureIn = ({ avatar }: ProfileBody) => (Buffer.isBuffer(avatar) && avatar.length > 0 ? avatar : null)

export const profileRoutes = routes({
  getCurrentUser: route({
    ...member,
    call: 'GET /auth/user/',
    summary: 'The signed-in member',
    response: { 200: currentUser },
    handler: (_input, { db, caller, config }) => findCurrentUser(db, caller.memberId, config.publicUrl),
  }),
  getInitials: route({
    ...picture,
    call: 'GET /avatars/:initials.svg',
    summary: 'The initials of a member without a picture',
    params: z.object({ initials: z.string().regex(INITIALS) }),
    query: z.object({ tone: z.string().regex(/^\d$/).transform(Number).optional() }),
    response: { 200: z.string() },
    produces: 'image/svg+xml',
    handler: ({ params, query }, call) => {
      call.header('cache-control', 'public, max-age=86400')
      return drawAvatar(params.initials, (query.tone ?? 0) % TONES)
    },
  }),
  getAvatar: route({
    ...picture,
    call: 'GET /avatars/:member/:name.webp',
    summary: 'The picture of a member',
    params: z.object({
      member: z.string().regex(/^[1-9]\d{0,17}$/, 'not_found'),
      name: z.string().regex(/^[0-9a-f]{32}$/, 'not_found'),
    }),
    response: { 200: z.instanceof(Buffer) },
    produces: 'image/webp',
    handler: async ({ params }, call) => {
      const image = await findAvatar(call.db, BigInt(params.member), params.name)
      // Another picture has another name, so this one never changes.
      call.header('cache-control', 'public, max-age=31536000, immutable')
      return image
    },
  }),
  changeProfile: route({
    ...member,
    call: 'PATCH /auth/user/',
    summary: 'Changes the profile; a new e-mail or wallet takes a code, which is e-mailed when none is sent',
    forms: true,
    body: profileBody,
    response: { 200: messageText },
    limits: [
      {
        limit: 'codeTries',
        by: ({ body }, { caller }) => (body.secret_code === undefined ? null : String(caller?.memberId)),
      },
      {
        limit: 'avatars',
        by: ({ body }, { caller }) => (pictureIn(body) === null ? null : String(caller?.memberId)),
      },
      { limit: 'codes', by: 'member', onDemand: true },
    ],
    refuses: [
      'name_link',
      'name_reserved',
      'email_taken',
      'wallet_invalid',
      'wallet_ours',
      'image_invalid',
      'image_too_large',
      'code_expired',
      'code_wrong',
      'code_for_other',
      'passkey_required',
      'otp_required',
      'otp_invalid',
      'too_many_requests',
    ],
    handler: async ({ body }, call) => {
      const { secret_code: code = null, otp = null } = body
      const wanted = { change: body, code, otp, picture: pictureIn(body) }
      const outcome = await changeProfile(
        call,
        actorOf(call),
        wanted,
        () => call.take('codes'),
        call.systemNow,
      )
      if (outcome.kind === 'saved') return say(call.locale, 'profile_saved')
      const sentence = say(call.locale, `profile_code_sent_${outcome.change}`, { to: outcome.to })
      return withMailState(call.db, call.reader, sentence, call.systemNow)
    },
  }),
  confirmEmail: route({
    ...member,
    call: 'POST /auth/user/confirm-email/',
    summary: 'Proves the e-mail with the code that was sent to it; without one, it is sent',
    body: confirmEmailBody.nullish(),
    response: { 200: messageText },
    limits: [
      {
        limit: 'codeTries',
        by: ({ body }, { caller }) => (body?.secret_code === undefined ? null : String(caller?.memberId)),
      },
      { limit: 'codes', by: 'member', onDemand: true },
    ],
    refuses: ['code_expired', 'code_wrong', 'too_many_requests'],
    handler: async ({ body }, call) => {
      const code = body?.secret_code ?? null
      const outcome = await confirmEmail(call, actorOf(call), code, () => call.take('codes'), call.systemNow)
      if (outcome.kind === 'proven') return say(call.locale, 'email_confirmed')
      const sentence = say(call.locale, 'email_code_sent', { to: outcome.to })
      return withMailState(call.db, call.reader, sentence, call.systemNow)
    },
  }),
  changeWallet: route({
    ...member,
    call: 'POST /auth/user/wallet/',
    summary: 'Changes the wallet by the passkey that alone moves the member’s money',
    body: memberWalletBody,
    response: { 200: messageText },
    limits: [{ limit: 'codeTries', by: 'member' }],
    refuses: [
      'wallet_invalid',
      'wallet_ours',
      'passkey_only_off',
      'passkey_only_waiting',
      'passkey_expired',
      'passkey_invalid',
      'cooling',
    ],
    handler: async ({ body: { usdt_wallet: wallet, passkey } }, call) => {
      await changeWallet(call, actorOf(call), { wallet, passkey }, call.systemNow)
      return say(call.locale, 'profile_saved')
    },
  }),
})

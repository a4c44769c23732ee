import { memberKeyBody, memberKeyParts, memberKeyState, messageObject } from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { actorOf } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { cancelMemberKey, submitMemberKey } from './member-key.commands.ts'
import { readParts, readState } from './member-key.queries.ts'

const member = { access: 'member', tags: ['accounts'] } as const

export const memberKeyRoutes = routes({
  readMemberKey: route({
    ...member,
    call: 'GET /auth/member-key/',
    notInViews: true,
    summary: 'Whether only the member’s passkey moves money, and what waits for the signer',
    response: { 200: memberKeyState },
    handler: (_input, { db, caller, systemNow }) => readState(db, caller.memberId, systemNow),
  }),
  beginMemberKey: route({
    ...member,
    call: 'POST /auth/member-key/challenge/',
    summary: 'What an app computes the challenge for the member’s passkey from',
    response: { 200: memberKeyParts },
    limits: [{ limit: 'passkeyChallenges', by: 'member' }],
    refuses: ['passkeys_unavailable'],
    handler: (_input, call) => readParts(call, call.caller.memberId, call.systemNow),
  }),
  submitMemberKey: route({
    ...member,
    call: 'POST /auth/member-key/',
    summary: 'Switches on or off that only the member’s passkey moves money, or changes which one does',
    body: memberKeyBody,
    response: { 202: messageObject },
    limits: [{ limit: 'passwordTries', by: 'member' }],
    refuses: [
      'passkey_only_waiting',
      'passkey_only_on',
      'passkey_only_off',
      'withdrawals_open',
      'passkey_not_found',
      'passkey_expired',
      'passkey_invalid',
      'passkeys_unavailable',
      'cooling',
      'current_password_wrong',
      'otp_required',
      'otp_invalid',
    ],
    handler: async ({ body }, call) => {
      await submitMemberKey(call, actorOf(call), body, call.systemNow)
      const message = body.kind === 'recovered' ? 'member_key_lost' : 'member_key_submitted'
      return { message: say(call.locale, message) }
    },
  }),
  cancelMemberKey: route({
    ...member,
    call: 'POST /auth/member-key/cancel/',
    summary: 'Takes back that a passkey was lost, before operators have decided',
    response: { 200: messageObject },
    refuses: ['passkey_only_off'],
    handler: async (_input, call) => {
      await cancelMemberKey(call, actorOf(call), call.systemNow)
      return { message: say(call.locale, 'member_key_cancelled') }
    },
  }),
})

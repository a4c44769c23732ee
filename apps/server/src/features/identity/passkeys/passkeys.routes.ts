import {
  messageObject,
  passkeyBeginBody,
  passkeyBody,
  passkeyCreation,
  passkeyItem,
  passkeyRemoveBody,
  passkeyRenameBody,
  passkeys,
} from '@aval/contract'
import { say } from '../../../core/messages.ts'
import { actorOf } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys.commands.ts'
import { listPasskeys } from './passkeys.queries.ts'

const member = { access: 'member', tags: ['accounts'] } as const
const STEP_UP = [
  'current_password_wrong',
  'otp_required',
  'otp_invalid',
  'two_factor_required',
  'too_many_requests',
] as const

export const passkeysRoutes = routes({
  listPasskeys: route({
    ...member,
    call: 'GET /auth/passkeys/',
    notInViews: true,
    summary: 'The member’s passkeys, oldest first',
    response: { 200: passkeys },
    handler: (_input, { db, caller, config }) => listPasskeys(db, caller.memberId, config),
  }),
  beginPasskey: route({
    ...member,
    call: 'POST /auth/passkeys/begin/',
    summary: 'Begins to add a passkey: what the browser is asked for',
    body: passkeyBeginBody,
    response: { 200: passkeyCreation },
    limits: [{ limit: 'passwordTries', by: 'member' }],
    refuses: [...STEP_UP, 'passkeys_unavailable', 'too_many_passkeys'],
    handler: ({ body }, call) => {
      const proof = { current: body.current_password, otp: body.otp ?? null }
      return beginPasskey(call, actorOf(call), proof, call.systemNow)
    },
  }),
  addPasskey: route({
    ...member,
    call: 'POST /auth/passkeys/',
    summary: 'Adds a passkey; from then on it signs in',
    body: passkeyBody,
    response: { 200: passkeyItem },
    refuses: ['passkey_not_made', 'passkey_known', 'passkeys_unavailable', 'too_many_passkeys'],
    handler: ({ body: { credential, name = '' } }, call) =>
      addPasskey(call, actorOf(call), { credential, name }, call.systemNow),
  }),
  renamePasskey: route({
    ...member,
    call: 'POST /auth/passkeys/rename/',
    summary: 'Gives a passkey another name',
    body: passkeyRenameBody,
    response: { 200: messageObject },
    refuses: ['passkey_not_found'],
    handler: async ({ body }, call) => {
      await renamePasskey(call, call.caller.memberId, body)
      return { message: say(call.locale, 'passkey_renamed') }
    },
  }),
  removePasskey: route({
    ...member,
    call: 'POST /auth/passkeys/remove/',
    summary: 'Removes a passkey; every other session ends',
    body: passkeyRemoveBody,
    response: { 200: messageObject },
    limits: [{ limit: 'passwordTries', by: 'member' }],
    refuses: [...STEP_UP, 'passkey_not_found', 'passkey_pinned'],
    handler: async ({ body: { id, current_password: current, otp = null } }, call) => {
      await removePasskey(call, actorOf(call), { id, current, otp }, call.systemNow)
      return { message: say(call.locale, 'passkey_removed') }
    },
  }),
})

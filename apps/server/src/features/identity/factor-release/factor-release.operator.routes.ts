import { agreeBody, messageObject, releaseBody } from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { say } from '../../../core/messages.ts'
import type { OperatorCall } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { agreeToRelease, askRelease, refuseRelease } from './factor-release.commands.ts'

const act = {
  access: 'operator',
  ability: 'members.release',
  tags: ['operator'],
  params: z.object({ member: z.string() }),
  response: { 200: messageObject },
  transaction: 'idempotent',
} as const
const NOBODY = ['own_account', 'member_not_found', 'member_closed', 'member_is_above'] as const

const actOn = ({ member }: { readonly member: string }, { caller }: OperatorCall) => ({
  memberId: readId(member),
  operatorId: caller.memberId,
})

export const factorReleaseOperatorRoutes = routes({
  askRelease: route({
    ...act,
    call: 'POST /operator/members/:member/release/',
    summary: 'Asks to release a member’s second factor; another operator agrees within 48 hours',
    body: releaseBody,
    decision: ({ params, body: { reason, identified } }) => ({
      action: 'two_factor.ask_release',
      subject: `member:${params.member}`,
      details: { reason, identified },
    }),
    refuses: [...NOBODY, 'member_is_operator', 'two_factor_off', 'release_waits'],
    handler: async ({ params, body: { reason, identified } }, call) => {
      await askRelease(call, call.tx, { ...actOn(params, call), reason, identified }, call.systemNow)
      return { message: say(call.locale, 'release_was_asked') }
    },
  }),
  agreeToRelease: route({
    ...act,
    call: 'POST /operator/members/:member/release/agree/',
    summary: 'Agrees to release a second factor that another operator asked to release',
    body: agreeBody,
    decision: ({ params }) => ({
      action: 'two_factor.release',
      subject: `member:${params.member}`,
      details: { before: { second_factor: true }, after: { second_factor: false } },
    }),
    refuses: [...NOBODY, 'member_is_operator', 'two_factor_off', 'release_needs_another', 'release_ended'],
    handler: async ({ params }, call) => {
      const username = await agreeToRelease(call, call.tx, actOn(params, call), call.systemNow)
      const hours = call.config.coolingHours
      return { message: say(call.reader, 'release_was_agreed', { username, hours, count: hours }) }
    },
  }),
  refuseRelease: route({
    ...act,
    call: 'POST /operator/members/:member/release/refuse/',
    summary: 'Refuses to release a second factor, or takes the own request back',
    body: agreeBody,
    decision: ({ params }) => ({
      action: 'two_factor.refuse_release',
      subject: `member:${params.member}`,
    }),
    refuses: [...NOBODY, 'release_ended'],
    handler: async ({ params }, call) => {
      const username = await refuseRelease(call.tx, actOn(params, call), call.systemNow)
      return { message: say(call.locale, 'release_was_refused', { username }) }
    },
  }),
})

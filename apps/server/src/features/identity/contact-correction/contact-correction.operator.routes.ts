import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { say } from '../../../core/messages.ts'
import type { OperatorCall } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { withMailState } from '../../mail/mail.queries.ts'
import { askForEmail, correctEmail, correctPhone } from './contact-correction.commands.ts'

const act = {
  access: 'operator',
  ability: 'members.help',
  tags: ['operator'],
  params: z.object({ member: z.string() }),
  response: { 200: contract.messageObject },
  transaction: 'idempotent',
} as const
const REFUSED = [
  'own_account',
  'member_not_found',
  'member_closed',
  'member_is_above',
  'member_is_operator',
  'member_frozen',
] as const

const actOn = ({ member }: { readonly member: string }, { caller }: OperatorCall) => ({
  memberId: readId(member),
  operatorId: caller.memberId,
})
/** Codes made for one member, by all operators together. */
const perMember = ({ params }: { readonly params: { readonly member: string } }) => params.member

export const contactCorrectionOperatorRoutes = routes({
  askForEmail: route({
    ...act,
    call: 'POST /operator/members/:member/email/',
    summary: 'E-mails a code to the address that a member’s is to be corrected to; nothing changes',
    body: contract.askForEmailBody,
    limits: [{ limit: 'codes', by: perMember }],
    decision: ({ params, body: { reason, email } }) => ({
      action: 'member.ask_email',
      subject: `member:${params.member}`,
      details: { reason, email },
    }),
    refuses: [...REFUSED, 'email_taken', 'email_unchanged'],
    handler: async ({ params, body: { email } }, call) => {
      await askForEmail(call, call.tx, { ...actOn(params, call), email }, call.systemNow)
      const sentence = say(call.locale, 'correction_code_sent', { email })
      return { message: await withMailState(call.db, call.reader, sentence, call.systemNow) }
    },
  }),
  correctEmail: route({
    ...act,
    call: 'POST /operator/members/:member/email/confirm/',
    summary: 'Corrects a member’s e-mail, with the code that came to the new mailbox',
    body: contract.correctEmailBody,
    limits: [{ limit: 'codeTries', by: perMember }],
    decision: ({ params, body: { email } }) => ({
      action: 'member.correct_email',
      subject: `member:${params.member}`,
      details: { after: { email } },
    }),
    refuses: [...REFUSED, 'code_expired', 'code_wrong', 'code_for_other', 'email_taken'],
    handler: async ({ params, body: { email, code } }, call) => {
      const wanted = { ...actOn(params, call), email, code }
      const username = await correctEmail(call, call.tx, wanted, call.systemNow)
      return { message: say(call.locale, 'email_was_corrected', { username }) }
    },
  }),
  correctPhone: route({
    ...act,
    call: 'POST /operator/members/:member/phone/',
    summary: 'Corrects a member’s phone number',
    body: contract.correctPhoneBody,
    decision: ({ params, body: { reason, phone, was } }) => ({
      action: 'member.correct_phone',
      subject: `member:${params.member}`,
      details: { reason, before: { phone: was }, after: { phone } },
    }),
    refuses: [...REFUSED, 'phone_moved'],
    handler: async ({ params, body: { phone, was } }, call) => {
      const wanted = { ...actOn(params, call), phone, was }
      const username = await correctPhone(call, call.tx, wanted, call.systemNow)
      return { message: say(call.locale, 'phone_was_corrected', { username }) }
    },
  }),
})

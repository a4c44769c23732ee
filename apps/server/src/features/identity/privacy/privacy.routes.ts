import { Readable } from 'node:stream'
import { accountClosing, closeAccountBody, downloadBody, messageObject, privacyTerms } from '@aval/contract'
import { z } from 'zod'
import { say } from '../../../core/messages.ts'
import { actorOf, type MemberCall } from '../../../http/call.ts'
import { route, routes } from '../../../http/route.ts'
import { closeAccount } from './closing.commands.ts'
import { presentClosing } from './closing.presenter.ts'
import { closingRefused, leftIn } from './closing.queries.ts'
import { allowDownload } from './own-data.commands.ts'
import { jsonOf, zipOf } from './own-data.queries.ts'
import type { Proof } from './proof.commands.ts'
import { keptFor } from './terms.queries.ts'

const member = { access: 'member', tags: ['privacy'] } as const
const PROOF = ['current_password_wrong', 'otp_required', 'otp_invalid', 'too_many_requests'] as const
const download = {
  ...member,
  body: downloadBody,
  limits: [
    { limit: 'passwordTries', by: 'member', resetOnSuccess: true },
    { limit: 'downloads', by: 'member', onDemand: true },
  ],
  refuses: PROOF,
} as const

const proofIn = (body: z.output<typeof downloadBody>): Proof => ({
  current: body.current_password,
  otp: body.otp ?? null,
})

async function beginDownload(call: MemberCall, proof: Proof, extension: 'json' | 'zip'): Promise<void> {
  await allowDownload(call, actorOf(call), proof, () => call.take('downloads'), call.systemNow)
  const day = call.systemNow.toISOString().slice(0, 10)
  call.header('content-disposition', `attachment; filename="aval-${day}.${extension}"`)
}

export const privacyRoutes = routes({
  readPrivacyTerms: route({
    access: 'public',
    tags: ['privacy'],
    call: 'GET /privacy/terms/',
    summary: 'How long what is kept of members is kept',
    response: { 200: privacyTerms },
    handler: (_input, { config }) => keptFor(config),
  }),
  downloadJson: route({
    ...download,
    call: 'POST /privacy/data/json/',
    summary: 'Everything that is kept about the member, as JSON',
    response: { 200: z.instanceof(Readable) },
    produces: 'application/json; charset=utf-8',
    handler: async ({ body }, call) => {
      await beginDownload(call, proofIn(body), 'json')
      return Readable.from(jsonOf(call.db, call.caller.memberId, call.systemNow))
    },
  }),
  downloadCsv: route({
    ...download,
    call: 'POST /privacy/data/csv/',
    summary: 'The same as a ZIP archive of CSV files',
    response: { 200: z.instanceof(Readable) },
    produces: 'application/zip',
    handler: async ({ body }, call) => {
      await beginDownload(call, proofIn(body), 'zip')
      return Readable.from(zipOf(call.db, call.caller.memberId))
    },
  }),
  readClosing: route({
    ...member,
    call: 'GET /privacy/closing/',
    summary: 'What keeps the account open, and for how long what is kept after closing it',
    response: { 200: accountClosing },
    handler: async (_input, { db, caller, config, reader, now }) => {
      const left = await leftIn(db, caller.memberId, await now())
      const refused = await closingRefused(db, caller)
      return presentClosing({ left, refused, years_kept: config.retentionYears }, reader)
    },
  }),
  closeAccount: route({
    ...member,
    call: 'POST /privacy/closing/',
    summary: 'Closes the account for good; all sessions end',
    body: closeAccountBody,
    response: { 200: messageObject },
    limits: [{ limit: 'passwordTries', by: 'member', resetOnSuccess: true }],
    refuses: [
      'account_of_operator',
      'account_of_company',
      'account_name_wrong',
      'account_not_empty',
      ...PROOF,
    ],
    handler: async ({ body }, call) => {
      const { caller } = call
      const actor = { ...actorOf(call), isOperator: caller.isOperator, username: caller.username }
      await closeAccount(call, actor, { ...proofIn(body), username: body.username }, call.systemNow)
      return { message: say(call.locale, 'account_closed') }
    },
  }),
})

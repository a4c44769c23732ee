import {
  messageText,
  pageOf,
  pageQuery,
  withdrawal,
  withdrawalBody,
  withdrawalCodeBody,
  withdrawalTerms,
  withdrawalTermsQuery,
} from '@aval/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { deviceOf } from '../../core/device.ts'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { callerOf } from '../../http/access.ts'
import { jsonText } from '../../http/answer.ts'
import { auditRefusals } from '../../http/audited.ts'
import { attemptOf, idempotently } from '../../http/idempotency.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { createRateLimit } from '../../http/rate-limits.ts'
import type { Api } from '../../http/server.ts'
import { cancelWithdrawal } from './endings.commands.ts'
import { listWithdrawals, readWithdrawal, viewNow } from './listing.commands.ts'
import { readTerms } from './terms.commands.ts'
import { type Asking, requestWithdrawal, sendCode } from './withdrawals.commands.ts'
import { presentTerms, presentWithdrawal } from './withdrawals.presenter.ts'

const config = { access: 'member' } as const
const tags = ['withdrawals']
const params = z.object({ id: z.string() })

async function askingOf(context: Context, request: FastifyRequest): Promise<Asking> {
  const { memberId, sessionId } = callerOf(request)
  const now = await context.clock.now()
  return { memberId, sessionId, device: deviceOf(request), now, systemNow: new Date() }
}

/** None, or both: a code for an amount to any wallet is one that nobody asks for. @throws Refusal `field_required` */
function pairOf(body: z.output<typeof withdrawalCodeBody> | null | undefined) {
  const { amount, wallet_address: wallet } = body ?? {}
  if (amount === undefined && wallet === undefined) return null
  const missing = amount === undefined ? 'amount' : 'wallet_address'
  if (amount === undefined || wallet === undefined)
    throw new Refusal('field_required', { field: missing }, [
      { path: missing, key: 'field_required', params: { field: missing } },
    ])
  return { amount, wallet }
}

function codeRoute(api: Api, context: Context): void {
  const made = createRateLimit(context.config.limits.codes)
  api.post(
    '/withdrawals/withdrawals/create-code/',
    {
      config,
      schema: {
        tags,
        summary:
          'E-mails a secret code for a withdrawal: for any amount, or for one amount to one wallet alone',
        body: withdrawalCodeBody.nullish(),
        response: { 200: messageText },
      },
    },
    async (request, reply) => {
      const { memberId } = callerOf(request)
      const pair = pairOf(request.body)
      await made.take(String(memberId))
      const asking = await askingOf(context, request)
      const { body } = await idempotently(context, request, memberId, async (tx) => {
        const to = await sendCode(context, tx, asking, pair)
        return { status: 200 as const, body: say(localeOf(request), 'withdrawal_code_sent', { to }) }
      })
      return jsonText(reply, body)
    },
  )
}

function requestRoute(api: Api, context: Context): void {
  const tried = createRateLimit(context.config.limits.codeTries)
  api.post(
    '/withdrawals/withdrawals/',
    {
      config,
      onError: auditRefusals(context, 'withdrawal.request', ['amount', 'wallet_address']),
      schema: {
        tags,
        summary: 'Asks for a withdrawal, which holds its whole amount at once',
        body: withdrawalBody,
        response: { 201: withdrawal },
      },
    },
    async (request, reply) => {
      const { memberId } = callerOf(request)
      const { amount, wallet_address: wallet, used_code: code, otp = null } = request.body
      await tried.take(String(memberId))
      const asking = await askingOf(context, request)
      const view = await viewNow(context)
      const codes = { code, otp, attempt: attemptOf(request) }
      const { body } = await idempotently(context, request, memberId, async (tx) => {
        const id = await requestWithdrawal(context, tx, { ...asking, amount, wallet }, codes)
        const row = await readWithdrawal(tx, memberId, id)
        return {
          status: 201 as const,
          body: presentWithdrawal(context.config, row, view, localeOf(request)),
        }
      })
      return reply.code(201).send(body)
    },
  )
}

function cancelRoute(api: Api, context: Context): void {
  api.post(
    '/withdrawals/withdrawals/:id/cancel/',
    {
      config,
      onError: auditRefusals(context, 'withdrawal.cancel'),
      schema: {
        tags,
        summary: 'Takes a withdrawal back while nobody has decided it',
        params,
        response: { 200: withdrawal },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      const id = readId(request.params.id)
      const view = await viewNow(context)
      const { body } = await idempotently(context, request, memberId, async (tx) => {
        await cancelWithdrawal(tx, { memberId, id, now: view.now, systemNow: new Date() })
        const row = await readWithdrawal(tx, memberId, id)
        return {
          status: 200 as const,
          body: presentWithdrawal(context.config, row, view, localeOf(request)),
        }
      })
      return body
    },
  )
}

function readingRoutes(api: Api, context: Context): void {
  api.get(
    '/withdrawals/withdrawals/',
    {
      config,
      schema: {
        tags,
        summary: 'Withdrawals, newest first',
        querystring: pageQuery,
        response: { 200: pageOf(withdrawal) },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const { memberId } = callerOf(request)
      const view = await viewNow(context)
      const { rows, count } = await listWithdrawals(context.db, memberId, pageSize, offset)
      const locale = localeOf(request)
      return presentPage(request, {
        count,
        results: rows.map((row) => presentWithdrawal(context.config, row, view, locale)),
      })
    },
  )

  api.get(
    '/withdrawals/withdrawals/:id/',
    {
      config,
      schema: { tags, summary: 'How far one withdrawal is', params, response: { 200: withdrawal } },
    },
    async (request) => {
      const view = await viewNow(context)
      const row = await readWithdrawal(context.db, callerOf(request).memberId, readId(request.params.id))
      return presentWithdrawal(context.config, row, view, localeOf(request))
    },
  )

  api.get(
    '/withdrawals/terms/',
    {
      config,
      schema: {
        tags,
        summary: 'What a member needs to know before asking for a withdrawal',
        querystring: withdrawalTermsQuery,
        response: { 200: withdrawalTerms },
      },
    },
    async (request) => {
      const terms = await readTerms(context, callerOf(request).memberId, request.query.amount ?? null)
      return presentTerms(terms, localeOf(request))
    },
  )
}

export function withdrawalsRoutes(api: Api, context: Context): void {
  codeRoute(api, context)
  requestRoute(api, context)
  cancelRoute(api, context)
  readingRoutes(api, context)
}

import {
  decideWithdrawalsBody,
  messageObject,
  pageOf,
  queuedWithdrawal,
  withdrawalDossier,
  withdrawalsQuery,
} from '@aval/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import { callerOf } from '../../http/access.ts'
import type { Api } from '../../http/api.ts'
import { auditRefusals } from '../../http/audited.ts'
import { decide as confirmed } from '../../http/decision.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { decide } from '../withdrawals/deciding.commands.ts'
import { viewAt } from '../withdrawals/listing.commands.ts'
import { listQueue, readDossier } from './operator-withdrawals.commands.ts'
import { type Looking, presentDossier, presentQueued } from './operator-withdrawals.presenter.ts'

const config = { access: 'operator' } as const
const tags = ['operator']

async function lookingOf(context: Context, request: FastifyRequest): Promise<Looking> {
  return {
    config: context.config,
    view: await viewAt(context.db, await context.clock.now()),
    operatorId: callerOf(request).memberId,
    locale: localeOf(request),
  }
}

function decidingRoute(api: Api, context: Context): void {
  api.post(
    '/operator/withdrawals/decide/',
    {
      config,
      onError: auditRefusals(context, 'withdrawal.decide', ['decision']),
      schema: {
        tags,
        summary: 'Approves or refuses withdrawals, all of them or none, with one code',
        body: decideWithdrawalsBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      const { decision, ids, reason = '' } = request.body
      const { memberId: operatorId } = callerOf(request)
      const now = await context.clock.now()
      const subject = `withdrawals:${ids.join()}`
      const named = { action: 'withdrawal.decide', subject, details: { decision } }
      return confirmed(context, request, named, async (tx) => {
        const told = { decision, ids: ids.map(BigInt), reason }
        const count = await decide(tx, told, { operatorId, now, systemNow: new Date() })
        const key = decision === 'approve' ? 'withdrawals_approved' : 'withdrawals_refused'
        return { status: 200 as const, body: { message: say(localeOf(request), key, { count }) } }
      })
    },
  )
}

export function operatorWithdrawalsRoutes(api: Api, context: Context): void {
  api.get(
    '/operator/withdrawals/',
    {
      config,
      schema: {
        tags,
        summary: 'Withdrawals to decide, oldest first; closed ones newest first',
        querystring: withdrawalsQuery,
        response: { 200: pageOf(queuedWithdrawal) },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const looking = await lookingOf(context, request)
      const { rows, count } = await listQueue(context.db, request.query.state ?? null, pageSize, offset)
      return presentPage(request, { count, results: rows.map((row) => presentQueued(row, looking)) })
    },
  )

  api.get(
    '/operator/withdrawals/:id/',
    {
      config,
      schema: {
        tags,
        summary: 'One withdrawal with its member’s history',
        params: z.object({ id: z.string() }),
        response: { 200: withdrawalDossier },
      },
    },
    async (request) => {
      const looking = await lookingOf(context, request)
      return presentDossier(await readDossier(context, readId(request.params.id)), looking)
    },
  )

  decidingRoute(api, context)
}

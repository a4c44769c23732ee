import { operatorInvestment, pageOf, pageQuery, reversal, reverseBody } from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { readId } from '../../../core/ids.ts'
import { callerOf } from '../../../http/access.ts'
import type { Api } from '../../../http/api.ts'
import { decide } from '../../../http/decision.ts'
import { localeOf } from '../../../http/language.ts'
import { presentPage, readPage } from '../../../http/paging.ts'
import { listInvestments, preview, reverse } from './reversals.operator.commands.ts'
import { presentInvestment, presentReversal } from './reversals.presenter.ts'

const config = { access: 'operator' } as const
const tags = ['operator']
const params = z.object({ id: z.string() })
/** An e-mail address has at most 254 characters. */
const investmentsQuery = pageQuery.extend({ member: z.string().max(254).optional() })

export function operatorReversalsRoutes(api: Api, context: Context): void {
  const { db, clock } = context

  api.get(
    '/operator/investments/',
    {
      config,
      schema: {
        tags,
        summary: 'Investments of members by the beginning of a username or e-mail, newest first',
        querystring: investmentsQuery,
        response: { 200: pageOf(operatorInvestment) },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const { rows, count } = await listInvestments(db, request.query.member ?? '', pageSize, offset)
      return presentPage(request, { count, results: rows.map(presentInvestment) })
    },
  )

  api.get(
    '/operator/investments/:id/reversal/',
    {
      config,
      schema: { tags, summary: 'What reversing would do', params, response: { 200: reversal } },
    },
    async (request) => presentReversal(await preview(db, readId(request.params.id)), localeOf(request)),
  )

  api.post(
    '/operator/investments/:id/reversal/',
    {
      config,
      schema: {
        tags,
        summary: 'Takes an investment back, with what it paid',
        params,
        body: reverseBody,
        response: { 200: reversal },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      const { reason } = request.body
      const subject = `investment:${request.params.id}`
      return decide(
        context,
        request,
        { action: 'investment.reverse', subject, details: { reason } },
        async (tx) => {
          const id = readId(request.params.id)
          const told = await reverse(tx, { id, operatorId: memberId, reason, now: await clock.now() })
          return { status: 200 as const, body: presentReversal(told, localeOf(request)) }
        },
      )
    },
  )
}

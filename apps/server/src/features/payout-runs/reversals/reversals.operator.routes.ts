import { operatorInvestment, pageOf, pageQuery, reversal, reverseBody } from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { presentList, readPage } from '../../../http/paging.ts'
import { route, routes } from '../../../http/route.ts'
import { reverseInvestment } from './reversals.commands.ts'
import { presentInvestment, presentReversal } from './reversals.presenter.ts'
import { listInvestments, previewReversal, usernamesOf } from './reversals.queries.ts'

const operator = { access: 'operator', tags: ['operator'] } as const
const one = { params: z.object({ id: z.string() }) } as const

export const reversalsOperatorRoutes = routes({
  listInvestmentsOfMembers: route({
    ...operator,
    call: 'GET /operator/investments/',
    summary: 'Investments of members by the beginning of a username or e-mail, newest first',
    // An e-mail address has at most 254 characters.
    query: pageQuery.extend({ member: z.string().max(254).optional() }),
    response: { 200: pageOf(operatorInvestment) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listInvestments(call.db, query.member ?? '', pageSize, offset)
      return presentList(call, query, { count, results: rows.map(presentInvestment) })
    },
  }),
  previewReversal: route({
    ...operator,
    ...one,
    call: 'GET /operator/investments/:id/reversal/',
    summary: 'What reversing would do',
    response: { 200: reversal },
    refuses: ['investment_not_found', 'investment_reversed', 'investment_unsettled', 'investment_withdrawn'],
    handler: async ({ params }, call) => {
      const preview = await previewReversal(call.db, readId(params.id))
      return presentReversal(preview, await usernamesOf(call.db, preview), false, call.locale)
    },
  }),
  reverseInvestment: route({
    ...operator,
    ...one,
    call: 'POST /operator/investments/:id/reversal/',
    summary: 'Takes an investment back, with what it paid',
    body: reverseBody,
    response: { 200: reversal },
    transaction: 'idempotent',
    decision: ({ params: { id }, body: { reason } }) => ({
      action: 'investment.reverse',
      subject: `investment:${id}`,
      details: { reason },
    }),
    refuses: ['investment_not_found', 'investment_reversed', 'investment_unsettled', 'investment_withdrawn'],
    handler: async ({ params, body: { reason } }, call) => {
      const operatorId = call.caller.memberId
      const request = { investmentId: readId(params.id), operatorId, reason, now: await call.now() }
      const done = await reverseInvestment(call.tx, request)
      return presentReversal(done, await usernamesOf(call.tx, done), true, call.locale)
    },
  }),
})

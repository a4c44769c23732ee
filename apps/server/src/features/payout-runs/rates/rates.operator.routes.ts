import { declaredRate, declareRateBody, pageOf, pageQuery, rateCost, rateCostQuery } from '@aval/contract'
import { say, sayCalendarDay, sayDecimal } from '../../../core/messages.ts'
import { presentList, readPage } from '../../../http/paging.ts'
import { operator, operatorAct, route, routes } from '../../../http/route.ts'
import { rateCostOf } from './cost.queries.ts'
import { declare } from './rates.commands.ts'
import { listRates } from './rates.queries.ts'

export const ratesOperatorRoutes = routes({
  listRates: route({
    ...operator,
    call: 'GET /operator/rates/',
    ability: 'runs.read',
    summary: 'What passive profit was declared to pay, newest day first',
    query: pageQuery,
    response: { 200: pageOf(declaredRate) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      return presentList(call, query, await listRates(call.db, pageSize, offset))
    },
  }),
  readRateCost: route({
    ...operator,
    call: 'GET /operator/rates/cost/',
    ability: 'runs.read',
    summary: 'What a day would pay at a lower rate, and what members would get less',
    query: rateCostQuery,
    response: { 200: rateCost },
    refuses: ['dates_invalid', 'rate_invalid'],
    handler: ({ query: { day, percentage } }, call) => rateCostOf(call.db, day, percentage),
  }),
  declareRate: route({
    ...operatorAct,
    call: 'POST /operator/rates/',
    ability: 'runs.decide',
    summary: 'Declares what passive profit pays on a day that is not released yet',
    body: declareRateBody,
    decision: ({ body: { day, percentage, reason } }) => ({
      action: 'rate.declare',
      subject: `day:${day}`,
      details: { percentage, ...(reason === undefined ? {} : { reason }) },
    }),
    refuses: [
      'dates_invalid',
      'field_required',
      'rate_invalid',
      'rate_too_high',
      'rate_day_paid',
      'rate_moved',
    ],
    handler: async ({ body: { day, percentage, was, reason: typed = '' } }, call) => {
      const operatorId = call.caller.memberId
      const reason = typed === '' ? null : typed
      const rate = await declare(call.tx, { day, percentage, reason, operatorId, was, now: await call.now() })
      return {
        message: say(call.reader, 'rate_declared', {
          day: sayCalendarDay(call.reader, day),
          rate: sayDecimal(call.reader, rate),
        }),
      }
    },
  }),
})

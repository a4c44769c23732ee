import { explainDifferenceBody, operatorReserves, reserves } from '@aval/contract'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import type { FeatureRoutes } from '../../http/api.ts'
import { measureFigures } from '../../http/metrics.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { proposeExplanation } from './explain.commands.ts'
import {
  presentOverview,
  presentReserves,
  presentWatched,
  readDifference,
  WATCHED,
} from './reserves.presenter.ts'
import { readOverview, readReserves, readWatched } from './reserves.queries.ts'

export const reservesRoutes = routes({
  readReservesOverview: route({
    ...operator,
    call: 'GET /operator/reserves/',
    ability: 'treasury.read',
    replica: true,
    summary: 'The comparison as of now, address by address and against the ledger',
    response: { 200: operatorReserves },
    handler: async (_input, { config, db }) => presentOverview(config, await readOverview(db)),
  }),
  explainDifference: route({
    ...operatorAct,
    call: 'POST /operator/reserves/explain/',
    ability: 'treasury.explain',
    summary: 'Proposes to book the whole difference of an address against the company’s capital',
    body: explainDifferenceBody,
    decision: ({ body: { address, difference, reason } }) => ({
      action: 'reserves.propose',
      subject: `address:${address}`,
      details: { difference, reason },
    }),
    refuses: [
      'amount_invalid',
      'difference_none',
      'difference_changed',
      'difference_unsettled',
      'company_funds_too_small',
      'decision_waits',
      'decision_waits_by',
      'too_many_decisions',
    ],
    handler: async ({ body }, call) => {
      const { address, reason } = body
      const difference = readDifference(body.difference)
      if (difference === null) throw new Refusal('amount_invalid')
      const operatorId = call.caller.memberId
      const explanation = { address, difference, reason, operatorId, at: await call.now() }
      await proposeExplanation(call.tx, explanation, call.systemNow)
      return { message: say(call.reader, 'explanation_proposed', { difference }) }
    },
  }),
  readReserves: route({
    call: 'GET /reserves/',
    summary: 'The last comparison of the chain with the books, and what it covers',
    tags: ['reserves'],
    access: 'member',
    response: { 200: reserves },
    handler: async (_input, { config, db }) => presentReserves(config, await readReserves(db)),
  }),
})

/** The reserves among the metrics. */
export const reservesMetrics: FeatureRoutes = (api, { db }) => {
  measureFigures(api, WATCHED, async () => presentWatched(await readWatched(db)))
}

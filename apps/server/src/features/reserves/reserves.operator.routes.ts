import { randomUUID } from 'node:crypto'
import { explainDifferenceBody, messageObject, operatorReserves } from '@aval/contract'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { route, routes } from '../../http/route.ts'
import { explainDifference } from './explain.commands.ts'
import { presentOverview, readDifference } from './reserves.presenter.ts'
import { readOverview } from './reserves.queries.ts'

const operator = { access: 'operator', tags: ['operator'] } as const

const overviewRoute = route({
  ...operator,
  method: 'GET',
  path: '/operator/reserves/',
  operationId: 'readReservesOverview',
  summary: 'The comparison as of now, address by address and against the ledger',
  response: { 200: operatorReserves },
  handler: async (_input, { config, db }) => presentOverview(config, await readOverview(db)),
})

const explainRoute = route({
  ...operator,
  method: 'POST',
  path: '/operator/reserves/explain/',
  operationId: 'explainDifference',
  summary: 'Books the whole difference of an address against the company’s capital',
  body: explainDifferenceBody,
  response: { 200: messageObject },
  transaction: 'idempotent',
  decision: ({ body: { address, difference, reason } }) => ({
    action: 'reserves.explain',
    subject: `address:${address}`,
    details: { difference, reason },
  }),
  refuses: ['amount_invalid', 'difference_none', 'difference_changed', 'company_funds_too_small'],
  handler: async ({ body }, call) => {
    const { address, reason } = body
    const difference = readDifference(body.difference)
    if (difference === null) throw new Refusal('amount_invalid')
    const operatorId = call.caller.memberId
    const explanation = { address, difference, reason, operatorId, key: randomUUID(), at: await call.now() }
    await explainDifference(call.tx, explanation, call.systemNow)
    return { message: say(call.locale, 'difference_explained', { difference }) }
  },
})

export const reservesOperatorRoutes = routes(overviewRoute, explainRoute)

import { randomUUID } from 'node:crypto'
import { fundPoolBody, messageObject, operatorOverview, POOLS } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { z } from 'zod'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { route, routes } from '../../http/route.ts'
import { fundFromCapital } from './overview.commands.ts'
import { presentOverview } from './overview.presenter.ts'
import { readOverview } from './overview.queries.ts'

const operator = { access: 'operator', tags: ['operator'] } as const

const overviewRoute = route({
  ...operator,
  method: 'GET',
  path: '/operator/overview/',
  operationId: 'readOverview',
  summary: 'Where every micro-USDT is',
  response: { 200: operatorOverview },
  handler: async (_input, { db }) => presentOverview(await readOverview(db)),
})

const fundRoute = route({
  ...operator,
  method: 'POST',
  path: '/operator/pools/:pool/fund/',
  operationId: 'fundPool',
  summary: 'Moves company capital into a pool',
  params: z.object({ pool: z.string() }),
  body: fundPoolBody,
  response: { 200: messageObject },
  transaction: 'idempotent',
  decision: ({ params, body }) => ({
    action: 'pool.fund',
    subject: `pool:${params.pool}`,
    details: { amount: formatMicro(body.amount) },
  }),
  refuses: ['pool_unknown', 'company_funds_too_small'],
  handler: async ({ params, body: { amount } }, call) => {
    const pool = POOLS.find((name) => name === params.pool)
    if (pool === undefined) throw new Refusal('pool_unknown')
    await fundFromCapital(call.tx, pool, amount, randomUUID(), await call.now())
    return { message: say(call.locale, 'pool_funded', { amount }) }
  },
})

export const overviewOperatorRoutes = routes(overviewRoute, fundRoute)

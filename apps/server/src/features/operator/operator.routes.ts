import { randomUUID } from 'node:crypto'
import {
  fundPoolBody,
  messageObject,
  observedTransfer,
  operatorOverview,
  POOLS,
  pageOf,
  pageQuery,
  TRANSFER_VERDICTS,
} from '@aval/contract'
import { formatMicro } from '@aval/money'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Api } from '../../http/api.ts'
import { decide } from '../../http/decision.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { explorerUrl } from '../investments/investments.presenter.ts'
import { fund, listTransfers, readOverview } from './operator.commands.ts'

const config = { access: 'operator' } as const
const tags = ['operator']
const transfersQuery = pageQuery.extend({ verdict: z.enum(TRANSFER_VERDICTS).optional() })

export function operatorRoutes(api: Api, context: Context): void {
  const { db, clock } = context

  api.get(
    '/operator/overview/',
    {
      config,
      schema: { tags, summary: 'Where every micro-USDT stands', response: { 200: operatorOverview } },
    },
    async () => readOverview(db),
  )

  api.get(
    '/operator/transfers/',
    {
      config,
      schema: {
        tags,
        summary: 'Everything that moved, or looked as if it moved, toward our addresses, newest first',
        querystring: transfersQuery,
        response: { 200: pageOf(observedTransfer) },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const { results, count } = await listTransfers(db, request.query.verdict ?? null, pageSize, offset)
      const shown = results.map((row) => ({ ...row, explorer_url: explorerUrl(context.config, row.txid) }))
      return presentPage(request, { count, results: shown })
    },
  )

  api.post(
    '/operator/pools/:pool/fund/',
    {
      config,
      schema: {
        tags,
        summary: 'Moves company capital into a pool',
        params: z.object({ pool: z.string() }),
        body: fundPoolBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      const { amount } = request.body
      const details = { amount: formatMicro(amount) }
      const named = { action: 'pool.fund', subject: `pool:${request.params.pool}`, details }
      return decide(context, request, named, async (tx) => {
        const pool = POOLS.find((name) => name === request.params.pool)
        if (pool === undefined) throw new Refusal('pool_unknown')
        await fund(tx, pool, amount, randomUUID(), await clock.now())
        return { status: 200 as const, body: { message: say(localeOf(request), 'pool_funded', { amount }) } }
      })
    },
  )
}

import { randomUUID } from 'node:crypto'
import { explainDifferenceBody, messageObject, operatorReserves, reserves } from '@aval/contract'
import type { Context } from '../../core/context.ts'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { callerOf } from '../../http/access.ts'
import type { Api } from '../../http/api.ts'
import { decide } from '../../http/decision.ts'
import { localeOf } from '../../http/language.ts'
import { measureFigures } from '../../http/metrics.ts'
import { explainDifference } from './explaining.commands.ts'
import { readOverview, readWatched } from './overview.commands.ts'
import { readReserves } from './reserves.commands.ts'
import { presentOverview, presentReserves, readDifference } from './reserves.presenter.ts'
import { presentWatched, WATCHED } from './watched.presenter.ts'

export function reservesRoutes(api: Api, context: Context): void {
  const { db, clock } = context
  measureFigures(api, WATCHED, async () => presentWatched(await readWatched(db)))

  api.get(
    '/reserves/',
    {
      config: { access: 'member' },
      schema: {
        summary: 'The last comparison of the chain with the books, and what it covers',
        response: { 200: reserves },
      },
    },
    async () => presentReserves(context.config, await readReserves(db)),
  )

  const config = { access: 'operator' } as const
  const tags = ['operator']

  api.get(
    '/operator/reserves/',
    {
      config,
      schema: {
        tags,
        summary: 'The comparison as of now, address by address and against the ledger',
        response: { 200: operatorReserves },
      },
    },
    async () => presentOverview(context.config, await readOverview(db)),
  )

  api.post(
    '/operator/reserves/explain/',
    {
      config,
      schema: {
        tags,
        summary: 'Books the whole difference of an address against the company’s capital',
        body: explainDifferenceBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      const { address, difference: written, reason } = request.body
      const named = {
        action: 'reserves.explain',
        subject: `address:${address}`,
        details: { difference: written, reason },
      }
      return decide(context, request, named, async (tx) => {
        const difference = readDifference(written)
        if (difference === null) throw new Refusal('amount_invalid')
        const at = await clock.now()
        const explanation = { address, difference, reason, operatorId: memberId, key: randomUUID(), at }
        await explainDifference(tx, explanation, new Date())
        const message = say(localeOf(request), 'difference_explained', { difference })
        return { status: 200 as const, body: { message } }
      })
    },
  )
}

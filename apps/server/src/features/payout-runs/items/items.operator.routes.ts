import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { route, routes } from '../../../http/route.ts'
import { calendarOf } from './calendar.queries.ts'
import { presentDigest, presentItem } from './items.presenter.ts'
import { digestFor, itemsOf, prorataNow, sealedRun } from './items.queries.ts'

const operator = { access: 'operator', tags: ['operator'], ability: 'runs.read', replica: true } as const
const params = z.object({ id: z.string() })

export const runItemsOperatorRoutes = routes({
  readRunCalendar: route({
    ...operator,
    call: 'GET /operator/runs/calendar/',
    summary: 'A month of runs, day by day, with those that are missing',
    query: contract.calendarQuery,
    response: { 200: contract.runCalendar },
    refuses: ['dates_invalid'],
    handler: async ({ query }, call) => calendarOf(call.db, query.month, await call.now()),
  }),
  listRunItems: route({
    ...operator,
    call: 'GET /operator/runs/:id/items/',
    summary: 'The sealed items of a run: in order, the largest, or as they differ from the run before',
    params,
    query: contract.runItemsQuery,
    response: { 200: contract.runItems },
    refuses: ['run_not_found'],
    handler: async ({ params, query: { view = 'items', member = '', after = null } }, call) => {
      const id = readId(params.id)
      const run = await sealedRun(call.db, id)
      const { ready, rows, next } = await itemsOf(call.db, id, { view, member, after })
      const isPaid = view !== 'gone' && view !== 'missed'
      const shown = { run, isPaid, prorata: await prorataNow(call.db, id) }
      return { ready, results: rows.map((row) => presentItem(row, shown)), next }
    },
  }),
  readRunDigest: route({
    ...operator,
    call: 'GET /operator/runs/:id/digest/',
    summary: 'A sealed run by rule and level, and how it differs from the run before',
    params,
    response: { 200: contract.runDigest },
    refuses: ['run_not_found'],
    handler: async ({ params }, call) =>
      presentDigest(await digestFor(call.db, await sealedRun(call.db, readId(params.id)))),
  }),
})

import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import type { ExportColumn } from '../../../http/exported-text.ts'
import { type ExportedList, exportRoute } from '../../../http/exports.ts'
import { route, routes } from '../../../http/route.ts'
import { calendarOf } from './calendar.queries.ts'
import { presentDigest, presentItem } from './items.presenter.ts'
import { digestFor, itemsOf, prorataNow, sealedRun, type WholeItems, wholeItems } from './items.queries.ts'

const operator = { access: 'operator', tags: ['operator'], ability: 'runs.read', replica: true } as const
const params = z.object({ id: z.string() })

const isPayment = (view: contract.RunItemView) => view !== 'gone' && view !== 'missed'

/** Of the file: a row of the list, by its names. */
const COLUMNS = (
  [
    'member_id',
    'username',
    'leg',
    'kind',
    'level',
    'amount',
    'share',
    'basis',
    'percentage',
    'from_username',
    'investment',
    'left_points',
    'right_points',
    'flushed',
    'before',
    'reason',
  ] as const
).map((name): ExportColumn<contract.RunItem> => ({ name, value: (item) => item[name] }))

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
      const shown = { run, isPaid: isPayment(view), prorata: await prorataNow(call.db, id) }
      return { ready, results: rows.map((row) => presentItem(row, shown)), next }
    },
  }),
  exportRunItems: exportRoute({
    call: 'GET /operator/runs/:id/items/export/',
    ability: 'members.export',
    summary: 'The same as a file',
    params,
    query: contract.runItemsFilter,
    refuses: ['run_not_found'],
    list: async ({ view = 'items', member = '' }, call, { id }): Promise<ExportedList<contract.RunItem>> => {
      const run = await sealedRun(call.db, readId(id))
      let opened: Promise<WholeItems> | undefined
      // All that is read before the first item, once and in the moment that is exported.
      const open = (tx: Parameters<typeof wholeItems>[0]) => {
        opened ??= wholeItems(tx, run.id, { view, member })
        return opened
      }
      return {
        name: `run-${run.id}-items`,
        columns: COLUMNS,
        about: async (tx) => (await open(tx)).count,
        read: async (tx, after, limit) => {
          const list = await open(tx)
          const key = after === null ? null : { member_id: BigInt(after.member_id), leg: after.leg }
          const shown = { run: list.run, isPaid: isPayment(view), prorata: list.prorata }
          return (await list.read(key, limit)).map((row) => presentItem(row, shown))
        },
      }
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

import { observedTransfer, pageOf, transfersQuery } from '@aval/contract'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { presentTransfer } from './deposits.presenter.ts'
import { listTransfers } from './deposits.queries.ts'

export const depositsOperatorRoutes = routes(
  route({
    method: 'GET',
    path: '/operator/transfers/',
    operationId: 'listIncomingTransfers',
    summary: 'Everything that moved, or looked as if it moved, to our addresses, newest first',
    tags: ['operator'],
    access: 'operator',
    query: transfersQuery,
    response: { 200: pageOf(observedTransfer) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listTransfers(call.db, query.verdict ?? null, pageSize, offset)
      const results = rows.map((row) => presentTransfer(call.config, row))
      return presentList(call, query, { count, results })
    },
  }),
)

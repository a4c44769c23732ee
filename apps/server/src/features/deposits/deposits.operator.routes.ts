import {
  type ObservedTransfer,
  observedTransfer,
  pageOf,
  TRANSFER_VERDICTS,
  transfersQuery,
} from '@aval/contract'
import type { Config } from '../../config.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { explorerUrl } from '../investments/investments.presenter.ts'
import { listTransfers, type TransferRow } from './deposits.queries.ts'

/** A row of GET operator/transfers/. */
function presentTransfer(config: Config, row: TransferRow): ObservedTransfer {
  const verdict = TRANSFER_VERDICTS.find((name) => name === row.verdict)
  if (verdict === undefined) throw new Error(`a transfer has no verdict ${row.verdict}`)
  return {
    txid: row.txid,
    position: row.position,
    block: Number(row.block),
    date: row.block_at.toISOString(),
    verdict,
    contract: row.contract,
    from: row.from_address,
    to: row.to_address,
    value: row.value,
    member: row.username,
    explorer_url: explorerUrl(config, row.txid),
  }
}

export const depositsOperatorRoutes = routes({
  listIncomingTransfers: route({
    call: 'GET /operator/transfers/',
    ability: 'deposits.read',
    replica: true,
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
})

import * as contract from '@aval/contract'
import { formatAmount } from '@aval/money'
import { addDays, type Day, dayStart } from '@aval/plan'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../../core/explorer.ts'
import { say } from '../../core/messages.ts'
import type { ExportColumn } from '../../http/exported-text.ts'
import { type ExportedList, exportRoute } from '../../http/exports.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { timeZoneAt } from '../plan-versions/plan-versions.queries.ts'
import {
  countTransfers,
  listTransfers,
  type TransferFilter,
  type TransferRow,
  transfersAfter,
} from './deposits.queries.ts'
import { reviewTransfer } from './review.commands.ts'

/** What the contract names, among the names that are stored. */
function known<Name extends string>(names: readonly Name[], stored: string): Name {
  const found = names.find((name) => name === stored)
  if (found === undefined) throw new Error(`a transfer is no ${stored}`)
  return found
}

const money = (amount: bigint | null) => (amount === null ? null : formatAmount(amount))

/** A row of GET operator/transfers/. */
function presentTransfer(config: Config, row: TransferRow): contract.ObservedTransfer {
  const { txid, position, username, invoice } = row
  const verdict = known(contract.TRANSFER_VERDICTS, row.verdict)
  return {
    txid,
    position,
    block: Number(row.block),
    date: row.block_at.toISOString(),
    verdict,
    fate: known(contract.DEPOSIT_FATES, row.fate),
    contract: row.contract,
    from: row.from_address,
    to: row.to_address,
    value: row.value,
    amount: row.is_ours ? formatAmount(BigInt(row.value)) : null,
    member: username === null ? null : { id: Number(row.member_id), username },
    credited_at: row.credited_at?.toISOString() ?? null,
    invoice:
      invoice === null
        ? null
        : {
            id: invoice,
            due: formatAmount(row.invoice_due ?? 0n),
            received: formatAmount(row.invoice_received ?? 0n),
            state: row.invoice_state ?? '',
          },
    to_balance: money(row.to_balance),
    review:
      row.reviewed_at === null
        ? null
        : { by: row.reviewed_by ?? '', at: row.reviewed_at.toISOString(), note: row.note ?? '' },
    explorer_url: explorerUrl(config, txid),
  }
}

/** The first instant of a day, in the company's time zone. */
const startOf = (day: string | undefined, timeZone: string, later = 0): Date | null =>
  day === undefined ? null : dayStart(addDays(day as Day, later), timeZone)

const filterOf = (query: contract.TransfersFilter, timeZone: string): TransferFilter => ({
  fate: query.fate ?? null,
  search: query.search ?? '',
  from: startOf(query.from, timeZone),
  until: startOf(query.to, timeZone, 1),
  open: query.open !== undefined,
})

/** The columns of the file. */
const COLUMNS: readonly ExportColumn<TransferRow>[] = [
  { name: 'date', value: ({ block_at }) => block_at },
  { name: 'fate', value: ({ fate }) => fate },
  { name: 'member_id', value: ({ username, member_id }) => (username === null ? null : Number(member_id)) },
  { name: 'username', value: ({ username }) => username },
  { name: 'amount', value: (row) => (row.is_ours ? formatAmount(BigInt(row.value)) : null) },
  { name: 'value', value: ({ value }) => value },
  { name: 'contract', value: (row) => row.contract },
  { name: 'from', value: ({ from_address }) => from_address },
  { name: 'to', value: ({ to_address }) => to_address },
  { name: 'txid', value: ({ txid }) => txid },
  { name: 'position', value: ({ position }) => position },
  { name: 'block', value: ({ block }) => Number(block) },
  { name: 'credited_at', value: ({ credited_at }) => credited_at },
  { name: 'invoice', value: ({ invoice }) => invoice },
  { name: 'to_balance', value: ({ to_balance }) => money(to_balance) },
  { name: 'reviewed_by', value: ({ reviewed_by }) => reviewed_by },
  { name: 'note', value: ({ note }) => note },
]

export const depositsOperatorRoutes = routes({
  listIncomingTransfers: route({
    ...operator,
    call: 'GET /operator/transfers/',
    ability: 'deposits.read',
    replica: true,
    summary:
      'Everything that moved, or looked as if it moved, to our addresses, newest first, with what became of it',
    query: contract.transfersQuery,
    response: { 200: contract.observedTransfers },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const filter = filterOf(query, await timeZoneAt(call.db, await call.now()))
      const { rows, count, more, sum } = await listTransfers(call.db, filter, pageSize, offset)
      const results = rows.map((row) => presentTransfer(call.config, row))
      return { ...presentList(call, query, { count, results }), more, sum: money(sum) }
    },
  }),
  exportTransfers: exportRoute({
    call: 'GET /operator/transfers/export/',
    ability: 'members.export',
    summary: 'The transfers that a filter finds, as a file',
    query: contract.transfersFilter,
    list: (query, call): ExportedList<TransferRow> => {
      const filter = async (tx: Parameters<typeof timeZoneAt>[0]) =>
        filterOf(query, await timeZoneAt(tx, await call.now()))
      return {
        name: 'deposits',
        columns: COLUMNS,
        about: async (tx) => countTransfers(tx, await filter(tx)),
        read: async (tx, after, limit) => transfersAfter(tx, await filter(tx), after, limit),
      }
    },
  }),
  reviewTransfer: route({
    ...operatorAct,
    call: 'POST /operator/transfers/:txid/:position/review/',
    ability: 'deposits.review',
    summary: 'Says what was found out about a transfer that needs a person',
    stepUp: 'none',
    params: z.object({ txid: z.string(), position: z.coerce.number().int() }),
    body: contract.reviewTransferBody,
    refuses: ['transfer_not_found', 'transfer_reviewed'],
    handler: async ({ params, body: { note } }, call) => {
      await reviewTransfer(call.tx, { ...params, operatorId: call.caller.memberId, note }, call.systemNow)
      return { message: say(call.locale, 'transfer_was_reviewed') }
    },
  }),
})

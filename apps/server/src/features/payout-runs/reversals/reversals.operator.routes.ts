import * as contract from '@aval/contract'
import { formatAmount, micro } from '@aval/money'
import { z } from 'zod'
import { readId } from '../../../core/ids.ts'
import { type Reader, say } from '../../../core/messages.ts'
import type { ExportColumn } from '../../../http/exported-text.ts'
import { exportRoute, MOST_ABOUT } from '../../../http/exports.ts'
import { presentList, readPage } from '../../../http/paging.ts'
import { operator, route, routes } from '../../../http/route.ts'
import { proposeReversal } from './reversals.commands.ts'
import {
  countInvestments,
  investmentsAfter,
  listInvestments,
  previewReversal,
  type ReversalParts,
  type Reversible,
  stateOf,
  usernamesOf,
} from './reversals.queries.ts'

const one = { params: z.object({ id: z.string() }) } as const

/** Of the file. */
const COLUMNS: readonly ExportColumn<Reversible>[] = [
  { name: 'id', value: ({ id }) => Number(id) },
  { name: 'member_id', value: (row) => Number(row.member_id) },
  { name: 'username', value: ({ username }) => username },
  { name: 'amount', value: ({ amount }) => formatAmount(amount) },
  { name: 'date', value: (row) => row.credited_at },
  { name: 'from_balance', value: (row) => row.from_balance },
  // As the screens call it.
  { name: 'state', value: (row) => (stateOf(row) === 'settled' ? 'credited' : stateOf(row)) },
  { name: 'run', value: (row) => (row.run_id === null ? null : Number(row.run_id)) },
]

export const reversalsOperatorRoutes = routes({
  listInvestmentsOfMembers: route({
    ...operator,
    call: 'GET /operator/investments/',
    ability: 'investments.read',
    replica: true,
    summary: 'Investments of members by the beginning of a username or e-mail, newest first',
    query: contract.pageQuery.extend(contract.investmentsFilter.shape),
    response: { 200: contract.pageOf(contract.operatorInvestment) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listInvestments(call.db, query.member ?? '', pageSize, offset)
      return presentList(call, query, { count, results: rows.map(presentInvestment) })
    },
  }),
  exportInvestmentsOfMembers: exportRoute({
    call: 'GET /operator/investments/export/',
    ability: 'members.export',
    summary: 'The same as a file',
    query: contract.investmentsFilter,
    list: ({ member = '' }) => ({
      name: 'investments',
      columns: COLUMNS,
      about: (tx) => countInvestments(tx, member, MOST_ABOUT),
      read: (tx, after: Reversible | null, limit) => investmentsAfter(tx, member, after, limit),
    }),
  }),
  previewReversal: route({
    ...operator,
    ...one,
    call: 'GET /operator/investments/:id/reversal/',
    ability: 'investments.read',
    summary: 'What reversing would do',
    response: { 200: contract.reversal },
    refuses: ['investment_not_found', 'investment_reversed', 'investment_unsettled', 'investment_withdrawn'],
    handler: async ({ params }, call) => {
      const preview = await previewReversal(call.db, readId(params.id))
      return presentReversal(preview, await usernamesOf(call.db, preview), false, call.reader)
    },
  }),
  reverseInvestment: route({
    ...operator,
    ...one,
    call: 'POST /operator/investments/:id/reversal/',
    ability: 'investments.reverse',
    summary: 'Proposes to take an investment back, with what it paid: answers what that would do',
    body: contract.reverseBody,
    response: { 200: contract.reversal },
    transaction: 'idempotent',
    decision: ({ params: { id }, body: { reason } }) => ({
      action: 'investment.propose_reverse',
      subject: `investment:${id}`,
      details: { reason },
    }),
    refuses: [
      'investment_not_found',
      'investment_reversed',
      'investment_unsettled',
      'investment_withdrawn',
      'decision_waits',
      'decision_waits_by',
      'too_many_decisions',
    ],
    handler: async ({ params, body: { reason } }, call) => {
      const operatorId = call.caller.memberId
      const request = { investmentId: readId(params.id), operatorId, reason, now: await call.now() }
      await proposeReversal(call.tx, request)
      const shown = await previewReversal(call.tx, request.investmentId)
      return presentReversal(shown, await usernamesOf(call.tx, shown), true, call.reader)
    },
  }),
})

/** A row of GET operator/investments/. */
export function presentInvestment(investment: ReversalParts['investment']): contract.OperatorInvestment {
  return {
    id: Number(investment.id),
    member: investment.username,
    member_id: Number(investment.member_id),
    amount: formatAmount(investment.amount),
    date: investment.credited_at.toISOString(),
    from_balance: investment.from_balance,
    state: stateOf(investment),
  }
}

/** What reversing an investment would do. */
export function presentReversal(
  { investment, parts }: ReversalParts,
  names: ReadonlyMap<bigint, string>,
  proposed: boolean,
  reader: Reader,
): contract.Reversal {
  const taken = micro(parts.reduce((sum, { amount }) => sum + amount, 0n))
  return {
    investment: presentInvestment(investment),
    parts: parts.map(({ memberId, pool, amount, fromBalance }) => ({
      member: names.get(memberId) ?? '',
      pool,
      amount: formatAmount(amount),
      from_balance: formatAmount(fromBalance),
      owed: formatAmount(amount - fromBalance),
    })),
    message: say(reader, proposed ? 'investment_reversal_proposed' : 'investment_reverse_preview', {
      amount: micro(investment.amount),
      name: investment.username,
      taken,
    }),
  }
}

import {
  decideWithdrawalsBody,
  messageObject,
  pageOf,
  queuedWithdrawal,
  withdrawalDossier,
  withdrawalsQuery,
} from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import type { OperatorCall } from '../../http/call.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { decide } from './decide.commands.ts'
import { listQueue, readDossier } from './withdrawals.operator.queries.ts'
import { type OperatorView, presentDossier, presentQueued } from './withdrawals.presenter.ts'
import { viewAt } from './withdrawals.queries.ts'

const operator = { access: 'operator', tags: ['operator'] } as const

async function viewOf({ db, config, caller, locale, now }: OperatorCall): Promise<OperatorView> {
  return { config, view: await viewAt(db, await now()), operatorId: caller.memberId, locale }
}

const queueRoute = route({
  ...operator,
  method: 'GET',
  path: '/operator/withdrawals/',
  operationId: 'listWithdrawalQueue',
  summary: 'Withdrawals to decide, oldest first; closed ones newest first',
  query: withdrawalsQuery,
  response: { 200: pageOf(queuedWithdrawal) },
  handler: async ({ query }, call) => {
    const { pageSize, offset } = readPage(query)
    const view = await viewOf(call)
    const { rows, count } = await listQueue(call.db, query.state ?? null, pageSize, offset)
    return presentList(call, query, { count, results: rows.map((row) => presentQueued(row, view)) })
  },
})

const dossierRoute = route({
  ...operator,
  method: 'GET',
  path: '/operator/withdrawals/:id/',
  operationId: 'readWithdrawalDossier',
  summary: 'One withdrawal with its member’s history',
  params: z.object({ id: z.string() }),
  response: { 200: withdrawalDossier },
  refuses: ['withdrawal_not_found'],
  handler: async ({ params }, call) =>
    presentDossier(await readDossier(call, readId(params.id)), await viewOf(call)),
})

const decideRoute = route({
  ...operator,
  method: 'POST',
  path: '/operator/withdrawals/decide/',
  operationId: 'decideWithdrawals',
  summary: 'Approves or refuses withdrawals, all of them or none, with one code',
  body: decideWithdrawalsBody,
  response: { 200: messageObject },
  transaction: 'idempotent',
  decision: ({ body: { decision, ids } }) => ({
    action: 'withdrawal.decide',
    subject: `withdrawals:${ids.join()}`,
    details: { decision },
  }),
  audit: { action: 'withdrawal.decide', fields: ['decision'] },
  refuses: [
    'field_required',
    'withdrawal_not_found',
    'withdrawal_own',
    'withdrawal_decided',
    'withdrawal_approved_before',
    'withdrawal_in_transit',
    'withdrawals_paused',
  ],
  handler: async ({ body }, call) => {
    const { decision, ids, reason = '' } = body
    const { caller, locale, systemNow } = call
    const decider = { operatorId: caller.memberId, now: await call.now(), systemNow }
    const count = await decide(call.tx, { decision, ids: ids.map(BigInt), reason }, decider)
    const key = decision === 'approve' ? 'withdrawals_approved' : 'withdrawals_refused'
    return { message: say(locale, key, { count }) }
  },
})

export const withdrawalsOperatorRoutes = routes(queueRoute, dossierRoute, decideRoute)

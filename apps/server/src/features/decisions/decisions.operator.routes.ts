import { decision, otpField, pageOf, pageQuery } from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { withdraw } from './decisions.commands.ts'
import { listDecisions } from './decisions.queries.ts'

export const decisionsOperatorRoutes = routes({
  listDecisions: route({
    ...operator,
    call: 'GET /operator/decisions/',
    ability: 'decisions.read',
    summary: 'What was proposed for approval on the approvals page, newest first',
    query: pageQuery.extend({ state: z.enum(['open']).optional() }),
    response: { 200: pageOf(decision) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listDecisions(call.db, query.state === 'open', pageSize, offset)
      return presentList(call, query, { count, results: rows.map(presentDecision) })
    },
  }),
  withdrawDecision: route({
    ...operatorAct,
    call: 'POST /operator/decisions/:id/withdraw/',
    ability: 'decisions.withdraw',
    summary: 'Takes a proposal back that still waits for approval',
    params: z.object({ id: z.string() }),
    body: z.object({ otp: otpField }).nullish(),
    decision: ({ params: { id } }) => ({ action: 'decision.withdraw', subject: `decision:${id}` }),
    refuses: ['decision_not_found', 'decision_ended'],
    handler: async ({ params }, call) => {
      await withdraw(call.tx, readId(params.id), call.caller.memberId, await call.now())
      return { message: say(call.locale, 'decision_withdrawn') }
    },
  }),
})

type StoredDecision = Awaited<ReturnType<typeof listDecisions>>['rows'][number]

function presentDecision({ id, proposed_by, proposed_at, ended_at, ...stored }: StoredDecision) {
  return {
    ...stored,
    id: Number(id),
    proposed_by: proposed_by ?? '',
    proposed_at: proposed_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }
}

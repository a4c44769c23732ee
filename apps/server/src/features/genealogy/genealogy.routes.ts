import { messageObject, pageOf, referral, referralQuery } from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { presentReferral } from './genealogy.presenter.ts'
import { listReferrals } from './genealogy.queries.ts'
import { activateMaster } from './masters.commands.ts'

const member = { access: 'member', tags: ['genealogy'] } as const

const activateMasterRoute = route({
  ...member,
  method: 'POST',
  path: '/tree/get-referrals/:id/activate-master-code/',
  operationId: 'activateMasterCode',
  summary: 'Makes a direct referral a master, for good',
  params: z.object({ id: z.string() }),
  response: { 200: messageObject },
  transaction: 'idempotent',
  refuses: ['not_fundator', 'referral_not_found', 'master_already', 'too_many_masters'],
  handler: async ({ params }, call) => {
    // No member has the number 0; who is no fundator is refused for that first.
    await activateMaster(call.tx, call.caller.memberId, readId(params.id) ?? 0n, await call.now())
    return { message: say(call.locale, 'master_activated') }
  },
})

const referralsRoute = route({
  ...member,
  method: 'GET',
  path: '/tree/get-referrals/',
  operationId: 'listReferrals',
  summary: 'The members whom the caller introduced, newest first',
  query: referralQuery,
  response: { 200: pageOf(referral) },
  handler: async ({ query }, call) => {
    const wanted = { ...readPage(query), status: query.status }
    const { count, results } = await listReferrals(call.db, call.caller.memberId, wanted)
    return presentList(call, query, { count, results: results.map(presentReferral) })
  },
})

export const genealogyRoutes = routes(activateMasterRoute, referralsRoute)

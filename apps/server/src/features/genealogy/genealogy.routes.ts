import { messageObject, pageOf, type Referral, referral, referralQuery } from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import { callerOf } from '../../http/access.ts'
import type { Api, FeatureRoutes } from '../../http/api.ts'
import { idempotently } from '../../http/idempotency.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { listReferrals } from './genealogy.commands.ts'
import { activateMaster } from './masters.commands.ts'

type ReferralRow = Awaited<ReturnType<typeof listReferrals>>['results'][number]

const config = { access: 'member' } as const
const tags = ['genealogy']

function presentReferral(row: ReferralRow): Referral {
  return {
    id: Number(row.id),
    date: row.joined_at.toISOString(),
    status: row.principal > 0n,
    is_master_code: row.is_master,
    referred_username: row.username,
    referred_email: row.email,
    referred_phone_number: row.phone_number,
  }
}

function masterRoute(api: Api, context: Context): void {
  api.post(
    '/tree/get-referrals/:id/activate-master-code/',
    {
      config,
      schema: {
        tags,
        summary: 'Makes a direct referral a master, for good',
        params: z.object({ id: z.string() }),
        response: { 200: messageObject },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      const now = await context.clock.now()
      const { body } = await idempotently(context, request, memberId, async (tx) => {
        const referralId = readId(request.params.id)
        // No member has the number 0, and whoever may not do this at all is told that first.
        await activateMaster(tx, memberId, referralId ?? 0n, now)
        return { status: 200 as const, body: { message: say(localeOf(request), 'master_activated') } }
      })
      return body
    },
  )
}

export const genealogyRoutes: FeatureRoutes = (api, context) => {
  masterRoute(api, context)

  api.get(
    '/tree/get-referrals/',
    {
      config,
      schema: {
        tags,
        summary: 'Those whom the caller introduced, newest first',
        querystring: referralQuery,
        response: { 200: pageOf(referral) },
      },
    },
    async (request) => {
      const wanted = { ...readPage(request.query), status: request.query.status }
      const found = await listReferrals(context.db, callerOf(request).memberId, wanted)
      return presentPage(request, { count: found.count, results: found.results.map(presentReferral) })
    },
  )
}

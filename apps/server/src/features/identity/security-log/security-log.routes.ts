import { accountSecurity, pageOf, pageQuery, securityEventItem } from '@aval/contract'
import { callerOf } from '../../../http/access.ts'
import type { FeatureRoutes } from '../../../http/api.ts'
import { presentPage, readPage } from '../../../http/paging.ts'
import { presentSecurityEvent } from './security-log.presenter.ts'
import { findMoneyLock, listSecurityEvents } from './security-log.queries.ts'

const config = { access: 'member' } as const
const tags = ['accounts']

export const securityLogRoutes: FeatureRoutes = (api, context) => {
  api.get(
    '/auth/security/',
    {
      config,
      schema: { tags, summary: 'What keeps money in for now', response: { 200: accountSecurity } },
    },
    async (request) => {
      const { coolingHours } = context.config
      const lock = await findMoneyLock(context.db, callerOf(request).memberId, { coolingHours })
      return {
        locked: lock?.because === 'not_me',
        cools_until: lock?.because === 'cooling' ? lock.until.toISOString() : null,
        cooling_hours: coolingHours,
      }
    },
  )

  api.get(
    '/auth/security-events/',
    {
      config,
      schema: {
        tags,
        summary: 'What happened to the account: changes, sign-ins from new devices, "this was not me"',
        querystring: pageQuery,
        response: { 200: pageOf(securityEventItem) },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      const { count, results } = await listSecurityEvents(context.db, memberId, readPage(request.query))
      return presentPage(request, { count, results: results.map(presentSecurityEvent) })
    },
  )
}

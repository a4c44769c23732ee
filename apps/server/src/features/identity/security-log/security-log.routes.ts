import { accountSecurity, pageOf, pageQuery, securityEventItem } from '@aval/contract'
import type { FeatureRoutes } from '../../../http/api.ts'
import { measureFigures } from '../../../http/metrics.ts'
import { presentList, readPage } from '../../../http/paging.ts'
import { route, routes } from '../../../http/route.ts'
import { countFailedTries, findMoneyLock, listSecurityEvents } from './security-log.queries.ts'

const member = { access: 'member', tags: ['accounts'] } as const

export const securityLogRoutes = routes({
  getAccountSecurity: route({
    ...member,
    call: 'GET /auth/security/',
    summary: 'What keeps money in for now',
    response: { 200: accountSecurity },
    handler: async (_input, { db, caller, config, systemNow }) => {
      const lock = await findMoneyLock(db, caller.memberId, config, systemNow)
      return {
        locked: lock?.because === 'not_me',
        cools_until: lock?.because === 'cooling' ? lock.until.toISOString() : null,
        cooling_hours: config.coolingHours,
      }
    },
  }),
  listSecurityEvents: route({
    ...member,
    call: 'GET /auth/security-events/',
    summary:
      'What happened to the account: changes, sign-ins from new devices, tries that failed, "this was not me"',
    query: pageQuery,
    response: { 200: pageOf(securityEventItem) },
    handler: async ({ query }, call) => {
      const { db, caller, systemNow } = call
      const page = readPage(query)
      return presentList(call, query, await listSecurityEvents(db, caller.memberId, page, systemNow))
    },
  }),
})

const FAILED = {
  name: 'failed_tries_recent',
  help: 'Passwords, second factors and codes of resets that were wrong, this hour and the one before.',
  label: 'kind',
}

/** Failed tries among the metrics, of all processes together. */
export const securityLogMetrics: FeatureRoutes = (api, { db }) => {
  measureFigures(api, [FAILED], async () => ({ [FAILED.name]: await countFailedTries(db, new Date()) }))
}

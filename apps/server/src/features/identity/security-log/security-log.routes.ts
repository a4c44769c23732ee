import { accountSecurity, pageOf, pageQuery, securityEventItem } from '@aval/contract'
import { presentList, readPage } from '../../../http/paging.ts'
import { route, routes } from '../../../http/route.ts'
import { findMoneyLock, listSecurityEvents } from './security-log.queries.ts'

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
    summary: 'What happened to the account: changes, sign-ins from new devices, "this was not me"',
    query: pageQuery,
    response: { 200: pageOf(securityEventItem) },
    handler: async ({ query }, call) => {
      return presentList(
        call,
        query,
        await listSecurityEvents(call.db, call.caller.memberId, readPage(query)),
      )
    },
  }),
})

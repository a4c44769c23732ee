import { dashboard } from '@aval/contract'
import type { Context } from '../../core/context.ts'
import { callerOf } from '../../http/access.ts'
import type { Api } from '../../http/api.ts'
import { readDashboard } from './dashboard.commands.ts'

export function dashboardRoutes(api: Api, { db, clock }: Context): void {
  api.get(
    '/core/dashboard/',
    { config: { access: 'member' }, schema: { response: { 200: dashboard } } },
    async (request) => readDashboard(db, callerOf(request).memberId, await clock.now()),
  )
}

import { dashboard } from '@aval/contract'
import { route, routes } from '../../http/route.ts'
import { presentDashboard } from './dashboard.presenter.ts'
import { readDashboard } from './dashboard.queries.ts'

export const dashboardRoutes = routes({
  readDashboard: route({
    call: 'GET /core/dashboard/',
    replica: true,
    summary: "The member's investment, profit and team",
    tags: ['dashboard'],
    access: 'member',
    response: { 200: dashboard },
    handler: async (_input, call) => {
      const now = await call.now()
      return presentDashboard(await readDashboard(call.db, call.caller.memberId, now), now)
    },
  }),
})

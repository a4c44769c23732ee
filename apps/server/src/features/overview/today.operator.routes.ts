import * as contract from '@aval/contract'
import { dayAt } from '@aval/plan'
import { operator, route, routes } from '../../http/route.ts'
import { timeZoneAt } from '../plan-versions/plan-versions.queries.ts'
import { presentToday, presentWaiting } from './overview.presenter.ts'
import { readToday } from './today.queries.ts'
import { readWaiting } from './waiting.queries.ts'

export const todayOperatorRoutes = routes({
  readWaiting: route({
    ...operator,
    call: 'GET /operator/waiting/',
    ability: 'console.use',
    summary: 'What waits for a person, and what does not work',
    response: { 200: contract.operatorWaiting },
    handler: async (_input, call) => {
      const now = await call.now()
      const timeZone = await timeZoneAt(call.db, now)
      const waiting = await readWaiting(
        call.db,
        { today: dayAt(now, timeZone), timeZone, businessNow: now },
        call.systemNow,
      )
      return presentWaiting(waiting, contract.may(call.caller.role, 'treasury.read'))
    },
  }),
  readToday: route({
    ...operator,
    call: 'GET /operator/today/',
    ability: 'treasury.read',
    summary:
      'How the company stands: custody, pools, principal by week, in and out by day, payouts by source, members',
    response: { 200: contract.operatorToday },
    handler: async (_input, call) => {
      const now = await call.now()
      return presentToday(await readToday(call.db, dayAt(now, await timeZoneAt(call.db, now))))
    },
  }),
})

import { newPlanBody, planVersion } from '@aval/contract'
import { z } from 'zod'
import { say, sayCalendarDay } from '../../core/messages.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { proposePlan } from './plan-versions.commands.ts'
import { listPlans } from './plan-versions.queries.ts'

/** Bytes. A plan takes one or two thousand. */
const PLAN_LIMIT = 65_536

export const planVersionsOperatorRoutes = routes({
  listPlans: route({
    ...operator,
    call: 'GET /operator/plans/',
    ability: 'plan.read',
    summary: 'Every version of the plan, newest first',
    response: { 200: z.array(planVersion) },
    handler: async (_, call) => {
      const versions = await listPlans(call.db, await call.now())
      return versions.map(({ startsAt, isCurrent, ...version }) => ({
        ...version,
        starts_at: startsAt.toISOString(),
        current: isCurrent,
      }))
    },
  }),
  proposePlan: route({
    ...operatorAct,
    call: 'POST /operator/plans/',
    ability: 'plan.propose',
    summary: 'Proposes a plan that replaces the present one from a day on',
    body: newPlanBody,
    bodyLimit: PLAN_LIMIT,
    decision: ({ body }) => ({ action: 'plan.propose', subject: `day:${body.starts_on}` }),
    refuses: [
      'dates_invalid',
      'plan_refused',
      'plan_starts_too_soon',
      'decision_waits',
      'decision_waits_by',
      'too_many_decisions',
    ],
    handler: async ({ body: { starts_on: startsOn, document } }, call) => {
      const operatorId = call.caller.memberId
      await proposePlan(call.tx, { startsOn, document, operatorId, now: await call.now() })
      return { message: say(call.reader, 'plan_proposed', { day: sayCalendarDay(call.reader, startsOn) }) }
    },
  }),
})

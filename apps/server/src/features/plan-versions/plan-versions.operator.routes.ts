/** What operators say about the plan: the rate of a day, and the version that replaces it. */
import {
  declaredRate,
  declareRateBody,
  messageObject,
  newPlanBody,
  pageOf,
  pageQuery,
  planVersion,
} from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { say } from '../../core/messages.ts'
import { callerOf } from '../../http/access.ts'
import type { Api } from '../../http/api.ts'
import { decide } from '../../http/decision.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { sayDay } from '../earnings/earnings.presenter.ts'
import { declare, listRates } from '../payout-runs/rates/rates.commands.ts'
import { replacePlan } from './plan-versions.commands.ts'
import { listPlans } from './plan-versions.queries.ts'

const config = { access: 'operator' } as const
const tags = ['operator']
/** Bytes. A plan takes one or two thousand. */
const PLAN_LIMIT = 65_536

/** A day of the plan's calendar, whatever its zone, as people say it. */
const spoken = (locale: ReturnType<typeof localeOf>, day: string) =>
  sayDay(locale, new Date(`${day}T00:00:00Z`), 'UTC')

function rateRoutes(api: Api, context: Context): void {
  const { db, clock } = context
  api.get(
    '/operator/rates/',
    {
      config,
      schema: {
        tags,
        summary: 'What passive profit was declared to pay, newest day first',
        querystring: pageQuery,
        response: { 200: pageOf(declaredRate) },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      return presentPage(request, await listRates(db, await clock.now(), pageSize, offset))
    },
  )

  api.post(
    '/operator/rates/',
    {
      config,
      schema: {
        tags,
        summary: 'Declares what passive profit pays on a day that is not released yet',
        body: declareRateBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      const { day, percentage } = request.body
      const named = { action: 'rate.declare', subject: `day:${day}`, details: { percentage } }
      return decide(context, request, named, async (tx) => {
        const now = await clock.now()
        const rate = await declare(tx, { day, percentage, operatorId: memberId, now })
        const locale = localeOf(request)
        const message = say(locale, 'rate_declared', { day: spoken(locale, day), rate })
        return { status: 200 as const, body: { message } }
      })
    },
  )
}

export function operatorPlanRoutes(api: Api, context: Context): void {
  const { db, clock } = context
  rateRoutes(api, context)

  api.get(
    '/operator/plans/',
    {
      config,
      schema: {
        tags,
        summary: 'Every version of the plan, newest first',
        response: { 200: z.array(planVersion) },
      },
    },
    async () => {
      const versions = await listPlans(db, await clock.now())
      return versions.map(({ version, startsAt, isCurrent, document }) => ({
        version,
        starts_at: startsAt.toISOString(),
        current: isCurrent,
        document,
      }))
    },
  )

  api.post(
    '/operator/plans/',
    {
      config,
      bodyLimit: PLAN_LIMIT,
      schema: {
        tags,
        summary: 'Replaces the plan from a day on',
        body: newPlanBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      const { starts_on: startsOn, document } = request.body
      const named = { action: 'plan.replace', subject: `day:${startsOn}` }
      return decide(context, request, named, async (tx) => {
        const version = await replacePlan(tx, { startsOn, document, now: await clock.now() })
        const locale = localeOf(request)
        const message = say(locale, 'plan_stored', { version, day: spoken(locale, startsOn) })
        return { status: 200 as const, body: { message } }
      })
    },
  )
}

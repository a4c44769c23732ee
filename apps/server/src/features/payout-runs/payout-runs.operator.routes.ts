import { type Locale, messageObject, pageOf, pageQuery, payoutRun, runDecisionBody } from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { callerOf } from '../../http/access.ts'
import type { Api } from '../../http/api.ts'
import { decide } from '../../http/decision.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { cancelRun, overruleRun, prorateRun } from './advance.commands.ts'
import { presentRun } from './payout-runs.presenter.ts'
import { listRuns, readRun } from './payout-runs.queries.ts'

type Tx = Parameters<typeof overruleRun>[0]
type Decision = Parameters<typeof overruleRun>[1]

const config = { access: 'operator' } as const
const tags = ['operator']
const params = z.object({ id: z.string() })
const runsQuery = pageQuery.extend({ state: z.enum(['open']).optional() })

/** What an operator may decide about a run that waits, and the sentence that tells it was done. */
const DECISIONS: readonly {
  readonly name: string
  readonly summary: string
  readonly carryOut: (tx: Tx, decision: Decision, locale: Locale) => Promise<string>
}[] = [
  {
    name: 'release',
    summary: 'Lets a held run go on in spite of its checks',
    carryOut: async (tx, decision, locale) => {
      await overruleRun(tx, decision)
      return say(locale, 'run_released')
    },
  },
  {
    name: 'prorate',
    summary: 'Releases a held run with what its pool has',
    carryOut: async (tx, decision, locale) =>
      say(locale, 'run_prorated', { amount: await prorateRun(tx, decision) }),
  },
  {
    name: 'cancel',
    summary: 'Discards a run before its release; its period is computed anew',
    carryOut: async (tx, decision, locale) => {
      await cancelRun(tx, decision)
      return say(locale, 'run_cancelled')
    },
  },
]

function deciding(api: Api, context: Context): void {
  for (const { name, summary, carryOut } of DECISIONS) {
    api.post(
      `/operator/runs/:id/${name}/`,
      {
        config,
        // Nothing has to be said: a call without a body is a decision without a note.
        schema: {
          tags,
          summary,
          params,
          body: runDecisionBody.nullish(),
          response: { 200: messageObject },
        },
      },
      async (request) => {
        const { memberId } = callerOf(request)
        const note = request.body?.note ?? ''
        const named = { action: `run.${name}`, subject: `run:${request.params.id}`, details: { note } }
        return decide(context, request, named, async (tx) => {
          const runId = readId(request.params.id)
          if (runId === null) throw new Refusal('run_not_found')
          const now = await context.clock.now()
          const message = await carryOut(tx, { runId, operatorId: memberId, note, now }, localeOf(request))
          return { status: 200 as const, body: { message } }
        })
      },
    )
  }
}

export function operatorRunsRoutes(api: Api, context: Context): void {
  api.get(
    '/operator/runs/',
    {
      config,
      schema: {
        tags,
        summary: 'Payout runs, newest first',
        querystring: runsQuery,
        response: { 200: pageOf(payoutRun) },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const { rows, count } = await listRuns(context.db, request.query.state === 'open', pageSize, offset)
      const locale = localeOf(request)
      return presentPage(request, { count, results: rows.map((row) => presentRun(row, locale)) })
    },
  )

  api.get(
    '/operator/runs/:id/',
    {
      config,
      schema: { tags, summary: 'How one run stands', params, response: { 200: payoutRun } },
    },
    async (request) => presentRun(await readRun(context.db, readId(request.params.id)), localeOf(request)),
  )

  deciding(api, context)
}

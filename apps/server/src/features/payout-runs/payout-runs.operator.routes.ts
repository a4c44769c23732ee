import * as contract from '@aval/contract'
import { formatAmount } from '@aval/money'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { type MessageKey, say } from '../../core/messages.ts'
import { Refusal, type RefusalParams } from '../../core/refusal.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { cancelRun, overruleRun, prorateRun } from './pay/decisions.commands.ts'
import { listRuns, readRun, type StoredRun } from './payout-runs.queries.ts'
import { missingOf, percentOfRate, progressOf, releasedBy, waitingFor } from './payout-runs.rules.ts'

const operator = { access: 'operator', tags: ['operator'] } as const
const params = z.object({ id: z.string() })

type Tx = Parameters<typeof overruleRun>[0]
type Decision = Parameters<typeof overruleRun>[1]

interface RunDecision {
  readonly name: string
  readonly summary: string
  readonly refuses: readonly contract.RefusalCode[]
  readonly done: MessageKey
  readonly decide: (tx: Tx, decision: Decision) => Promise<RefusalParams>
}

const decisionRoute = ({ name, summary, refuses, done, decide }: RunDecision) =>
  route({
    ...operator,
    call: `POST /operator/runs/:id/${name}/`,
    summary,
    params,
    // A call without a body is a decision without a note.
    body: contract.runDecisionBody.nullish(),
    response: { 200: contract.messageObject },
    transaction: 'idempotent',
    decision: ({ params: { id }, body }) => ({
      action: `run.${name}`,
      subject: `run:${id}`,
      details: { note: body?.note ?? '' },
    }),
    refuses: ['run_not_found', ...refuses],
    handler: async ({ params, body }, call) => {
      const runId = readId(params.id)
      if (runId === null) throw new Refusal('run_not_found')
      const operatorId = call.caller.memberId
      const decision = { runId, operatorId, note: body?.note ?? '', now: await call.now() }
      return { message: say(call.locale, done, await decide(call.tx, decision)) }
    },
  })

export const payoutRunsOperatorRoutes = routes({
  listRuns: route({
    ...operator,
    call: 'GET /operator/runs/',
    summary: 'Payout runs, newest first',
    query: contract.pageQuery.extend({ state: z.enum(['open']).optional() }),
    response: { 200: contract.pageOf(contract.payoutRun) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listRuns(call.db, query.state === 'open', pageSize, offset)
      return presentList(call, query, { count, results: rows.map((row) => presentRun(row, call.locale)) })
    },
  }),
  readRun: route({
    ...operator,
    call: 'GET /operator/runs/:id/',
    summary: 'The state of one run',
    params,
    response: { 200: contract.payoutRun },
    refuses: ['run_not_found'],
    handler: async ({ params }, call) => presentRun(await readRun(call.db, readId(params.id)), call.locale),
  }),
  releaseRun: decisionRoute({
    name: 'release',
    summary: 'Lets a held run go on in spite of its checks',
    refuses: ['run_not_held'],
    done: 'run_released',
    decide: async (tx, decision) => {
      await overruleRun(tx, decision)
      return {}
    },
  }),
  prorateRun: decisionRoute({
    name: 'prorate',
    summary: 'Releases a held run with what its pool has',
    refuses: ['run_not_held', 'run_not_short', 'pool_empty', 'payouts_stopped'],
    done: 'run_prorated',
    decide: async (tx, decision) => ({ amount: await prorateRun(tx, decision) }),
  }),
  cancelRun: decisionRoute({
    name: 'cancel',
    summary: 'Discards a run before its release; its period is computed again',
    refuses: ['run_past_cancelling'],
    done: 'run_cancelled',
    decide: async (tx, decision) => {
      await cancelRun(tx, decision)
      return {}
    },
  }),
})

/** A row of GET operator/runs/. */
export function presentRun(run: StoredRun, locale: contract.Locale): contract.PayoutRun {
  return {
    id: Number(run.id),
    kind: run.kind,
    period: run.period,
    investor: run.investor,
    state: run.state,
    reasons: waitingFor(run).map(({ check, params }) => ({
      check,
      sentence: say(locale, `objection_${check}`, params),
    })),
    progress: progressOf(run),
    items: run.item_count,
    posted: run.posted_count,
    total: formatAmount(run.item_sum),
    payable: formatAmount(run.payable),
    missing: formatAmount(missingOf(run)),
    not_paid: formatAmount(run.not_paid),
    plan_version: run.plan_version,
    rate: percentOfRate(run.rate),
    input_hash: run.input_hash ?? '',
    items_hash: run.items_hash ?? '',
    released_by: releasedBy(run),
    created_at: run.at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
  }
}

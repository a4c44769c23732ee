import type { AuditAction } from '@aval/contract'
import * as contract from '@aval/contract'
import { formatAmount } from '@aval/money'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { type MessageKey, type Reader, say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import type { ExportColumn } from '../../http/exported-text.ts'
import { exportRoute, MOST_ABOUT } from '../../http/exports.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { cancelRun, proposeProrate, proposeRelease } from './pay/decisions.commands.ts'
import { countRuns, listRuns, readRun, runsAfter, type StoredRun } from './payout-runs.queries.ts'
import { auditOf, missingOf, percentOfRate, progressOf, releasedBy, waitingFor } from './payout-runs.rules.ts'

const params = z.object({ id: z.string() })

type Tx = Parameters<typeof cancelRun>[0]
type Decision = Parameters<typeof cancelRun>[1]

interface RunDecision {
  readonly name: string
  /** In the audit trail. */
  readonly action: AuditAction
  readonly summary: string
  readonly refuses: readonly contract.RefusalCode[]
  readonly done: MessageKey
  readonly decide: (tx: Tx, decision: Decision) => Promise<unknown>
}

const decisionRoute = ({ name, action, summary, refuses, done, decide }: RunDecision) =>
  route({
    ...operatorAct,
    call: `POST /operator/runs/:id/${name}/`,
    ability: 'runs.decide',
    summary,
    params,
    // A call without a body is a decision without a note.
    body: contract.runDecisionBody.nullish(),
    decision: ({ params: { id }, body }) => ({
      action,
      subject: `run:${id}`,
      details: { note: body?.note ?? '' },
    }),
    refuses: ['run_not_found', ...refuses],
    handler: async ({ params, body }, call) => {
      const runId = readId(params.id)
      if (runId === null) throw new Refusal('run_not_found')
      const operatorId = call.caller.memberId
      await decide(call.tx, { runId, operatorId, note: body?.note ?? '', now: await call.now() })
      return { message: say(call.locale, done) }
    },
  })

/** Of the file. */
const COLUMNS: readonly ExportColumn<StoredRun>[] = [
  { name: 'id', value: ({ id }) => Number(id) },
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'period', value: ({ period }) => period },
  { name: 'investor', value: ({ investor }) => investor },
  { name: 'state', value: ({ state }) => state },
  { name: 'items', value: (run) => run.item_count },
  { name: 'posted', value: (run) => run.posted_count },
  { name: 'total', value: (run) => formatAmount(run.item_sum) },
  { name: 'payable', value: ({ payable }) => formatAmount(payable) },
  { name: 'missing', value: (run) => formatAmount(missingOf(run)) },
  { name: 'not_paid', value: (run) => formatAmount(run.not_paid) },
  { name: 'plan_version', value: (run) => run.plan_version },
  { name: 'rate', value: ({ rate }) => percentOfRate(rate) },
  { name: 'decided_by', value: (run) => run.decided_by },
  { name: 'created_at', value: ({ at }) => at },
  { name: 'finished_at', value: (run) => run.finished_at },
  { name: 'items_hash', value: (run) => run.items_hash },
]

export const payoutRunsOperatorRoutes = routes({
  listRuns: route({
    ...operator,
    call: 'GET /operator/runs/',
    ability: 'runs.read',
    replica: true,
    summary: 'Payout runs by the day that they pay, newest first',
    query: contract.pageQuery.extend(contract.runsFilter.shape),
    response: { 200: contract.pageOf(contract.payoutRun) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listRuns(call.db, query.state === 'open', {
        limit: pageSize,
        offset,
        timeZone: call.caller.timeZone,
      })
      return presentList(call, query, { count, results: rows.map((row) => presentRun(row, call.reader)) })
    },
  }),
  exportRuns: exportRoute({
    call: 'GET /operator/runs/export/',
    ability: 'runs.read',
    summary: 'Payout runs as a file, the newest made first',
    query: contract.runsFilter,
    list: ({ state }) => ({
      name: 'runs',
      columns: COLUMNS,
      about: (tx) => countRuns(tx, state === 'open', MOST_ABOUT),
      read: (tx, after: StoredRun | null, limit) => runsAfter(tx, state === 'open', after, limit),
    }),
  }),
  readRun: route({
    ...operator,
    call: 'GET /operator/runs/:id/',
    ability: 'runs.read',
    replica: true,
    summary: 'The state of one run',
    params,
    response: { 200: contract.payoutRun },
    refuses: ['run_not_found'],
    handler: async ({ params }, call) => presentRun(await readRun(call.db, readId(params.id)), call.reader),
  }),
  releaseRun: decisionRoute({
    name: 'release',
    action: 'run.propose_release',
    summary: 'Proposes to let a held run go on in spite of its checks',
    refuses: [
      'run_not_held',
      'run_not_audited',
      'run_decided',
      'decision_waits',
      'decision_waits_by',
      'too_many_decisions',
    ],
    done: 'run_release_proposed',
    decide: proposeRelease,
  }),
  prorateRun: decisionRoute({
    name: 'prorate',
    action: 'run.propose_prorate',
    summary: 'Proposes to release a held run with what its pool has',
    refuses: [
      'run_not_held',
      'run_not_audited',
      'run_decided',
      'run_not_short',
      'pool_empty',
      'payouts_stopped',
      'decision_waits',
      'decision_waits_by',
      'too_many_decisions',
    ],
    done: 'run_prorate_proposed',
    decide: proposeProrate,
  }),
  cancelRun: decisionRoute({
    name: 'cancel',
    action: 'run.cancel',
    summary: 'Discards a run before its release; its period is computed again',
    refuses: ['run_past_cancelling', 'run_decided'],
    done: 'run_cancelled',
    decide: cancelRun,
  }),
})

/** A row of GET operator/runs/. */
export function presentRun(run: StoredRun, reader: Reader): contract.PayoutRun {
  return {
    id: Number(run.id),
    kind: run.kind,
    period: run.period,
    investor: run.investor,
    state: run.state,
    reasons: waitingFor(run).map(({ check, params }) => ({
      check,
      sentence: say(reader, `objection_${check}`, params),
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
    audit: auditOf(run),
    released_by: releasedBy(run),
    decision: run.decision,
    created_at: run.at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
  }
}

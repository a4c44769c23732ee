import * as contract from '@aval/contract'
import { formatAmount, formatMicro, parseMicro } from '@aval/money'
import { dayAt } from '@aval/plan'
import { z } from 'zod'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { type ExportedList, exportRoute } from '../../http/exports.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { timeZoneAt } from '../plan-versions/plan-versions.queries.ts'
import { proposeFunding, proposeResumption, stopPayments } from './treasury.commands.ts'
import { presentFunding, presentTreasury } from './treasury.presenter.ts'
import {
  countFundings,
  type FundingRow,
  fundingsAfter,
  listFundings,
  readTreasury,
} from './treasury.queries.ts'

/** What speaks against any proposal. */
const WAITS = ['decision_waits', 'decision_waits_by', 'too_many_decisions'] as const

export const treasuryOperatorRoutes = routes({
  readTreasury: route({
    ...operator,
    call: 'GET /operator/treasury/',
    ability: 'treasury.read',
    summary:
      'The company’s own money: capital, pools, wallets, what transfers cost, and the stop of payments',
    response: { 200: contract.operatorTreasury },
    handler: async (_input, call) => {
      const now = await call.now()
      const today = dayAt(now, await timeZoneAt(call.db, now))
      return presentTreasury(call.config, await readTreasury(call.db, today, call.systemNow))
    },
  }),
  listPoolFundings: route({
    ...operator,
    call: 'GET /operator/pools/fundings/',
    ability: 'treasury.read',
    summary: 'Who put company capital into a pool, and why, newest first',
    query: contract.pageQuery,
    response: { 200: contract.pageOf(contract.poolFunding) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listFundings(call.db, pageSize, offset)
      return presentList(call, query, { count, results: rows.map(presentFunding) })
    },
  }),
  exportPoolFundings: exportRoute({
    call: 'GET /operator/pools/fundings/export/',
    ability: 'treasury.read',
    summary: 'The same as a file',
    query: z.object({}),
    list: (): ExportedList<FundingRow> => ({
      name: 'fundings',
      columns: [
        { name: 'id', value: ({ id }) => Number(id) },
        { name: 'pool', value: ({ pool }) => pool },
        { name: 'amount', value: ({ amount }) => formatAmount(amount) },
        { name: 'date', value: ({ at }) => at },
        { name: 'by', value: ({ by }) => by },
        { name: 'reason', value: ({ reason }) => reason },
      ],
      about: countFundings,
      read: fundingsAfter,
    }),
  }),
  fundPool: route({
    ...operatorAct,
    call: 'POST /operator/pools/:pool/fund/',
    ability: 'treasury.fund',
    summary: 'Proposes to move company capital into a pool',
    params: z.object({ pool: z.string() }),
    body: contract.fundPoolBody,
    decision: ({ params, body }) => ({
      action: 'pool.propose',
      subject: `pool:${params.pool}`,
      details: { amount: formatMicro(body.amount), reason: body.reason },
    }),
    refuses: ['pool_unknown', 'company_funds_too_small', 'pool_moved', ...WAITS],
    handler: async ({ params, body: { amount, reason, was } }, call) => {
      const pool = contract.POOLS.find((name) => name === params.pool)
      if (pool === undefined) throw new Refusal('pool_unknown')
      const act = { operatorId: call.caller.memberId, reason, now: await call.now() }
      const seen = was === undefined ? undefined : (parseMicro(was) ?? undefined)
      await proposeFunding(call.tx, { ...act, pool, amount, was: seen })
      return { message: say(call.reader, 'pool_funding_proposed', { amount }) }
    },
  }),
  stopPayments: route({
    ...operatorAct,
    call: 'POST /operator/payments/stop/',
    ability: 'payments.stop',
    summary: 'Stops all payments: runs, withdrawals and every other outgoing transfer',
    body: contract.stopPaymentsBody,
    decision: ({ body: { reason } }) => ({
      action: 'payments.stop',
      subject: 'payments:all',
      details: { reason },
    }),
    refuses: ['payments_stopped_already'],
    handler: async ({ body: { reason } }, call) => {
      await stopPayments(call.tx, { operatorId: call.caller.memberId, reason }, call.systemNow)
      return { message: say(call.locale, 'payments_were_stopped') }
    },
  }),
  resumePayments: route({
    ...operatorAct,
    call: 'POST /operator/payments/resume/',
    ability: 'payments.resume',
    summary:
      'Proposes to end an operator’s stop: another operator signs it, or who made it after a comparison of the reserves',
    body: contract.resumePaymentsBody,
    decision: ({ body: { id, reason } }) => ({
      action: 'payments.propose_resume',
      subject: `payments_stop:${id}`,
      details: { reason },
    }),
    refuses: ['payments_stop_over', ...WAITS],
    handler: async ({ body: { id, reason } }, call) => {
      const act = { operatorId: call.caller.memberId, reason, now: await call.now() }
      await proposeResumption(call.tx, { ...act, stopId: BigInt(id) })
      return { message: say(call.locale, 'payments_resumption_proposed') }
    },
  }),
})

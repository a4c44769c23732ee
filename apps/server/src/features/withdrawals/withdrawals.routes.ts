import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import type { MemberCall, OperatorCall } from '../../http/call.ts'
import { exportRoute, MOST_ABOUT } from '../../http/exports.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { withMailState } from '../mail/mail.queries.ts'
import { cancelWithdrawal, decide } from './decide.commands.ts'
import { type Requester, requestWithdrawal, sendCode } from './request.commands.ts'
import {
  countQueue,
  listQueue,
  type QueuedWithdrawalRow,
  queueAfter,
  readDossier,
} from './withdrawals.operator.queries.ts'
import {
  type OperatorView,
  presentDossier,
  presentQueued,
  presentTerms,
  presentWithdrawal,
  QUEUE_COLUMNS,
} from './withdrawals.presenter.ts'
import { listWithdrawals, readTerms, readWithdrawal, viewAt } from './withdrawals.queries.ts'

const member = { access: 'member', tags: ['withdrawals'] } as const
const params = z.object({ id: z.string() })

async function requesterOf({ caller, device, now, systemNow }: MemberCall): Promise<Requester> {
  const { memberId, sessionId } = caller
  return { memberId, sessionId, device, now: await now(), systemNow }
}

/** One of the caller's withdrawals, as it is shown. */
async function shown(call: MemberCall, id: bigint | null) {
  const db = call.tx ?? call.db
  const row = await readWithdrawal(db, call.caller.memberId, id)
  return presentWithdrawal(call.config, row, await viewAt(db, await call.now()), call.reader)
}

async function viewOf({ db, config, caller, reader, now }: OperatorCall): Promise<OperatorView> {
  return { config, view: await viewAt(db, await now()), operatorId: caller.memberId, reader }
}

export const withdrawalsRoutes = routes({
  sendWithdrawalCode: route({
    ...member,
    call: 'POST /withdrawals/withdrawals/create-code/',
    summary: 'E-mails a secret code for a withdrawal: for any amount, or for one amount to one wallet alone',
    body: contract.withdrawalCodeBody.nullish(),
    response: { 200: contract.messageText },
    limits: [{ limit: 'codes', by: 'member' }],
    transaction: 'idempotent',
    refuses: [
      'account_frozen',
      'code_unbound_off',
      'wallet_missing',
      'wallet_unregistered',
      'passkey_required',
    ],
    handler: async ({ body }, call) => {
      const { amount, wallet_address: wallet } = body ?? {}
      const pair = amount === undefined || wallet === undefined ? null : { amount, wallet }
      const to = await sendCode(call, call.tx, await requesterOf(call), pair)
      const sentence = say(call.locale, 'withdrawal_code_sent', { to })
      return withMailState(call.tx, call.reader, sentence, call.systemNow)
    },
  }),
  requestWithdrawal: route({
    ...member,
    call: 'POST /withdrawals/withdrawals/',
    summary: 'Asks for a withdrawal, which holds its whole amount at once',
    body: contract.withdrawalBody,
    response: { 201: contract.withdrawal },
    limits: [{ limit: 'codeTries', by: 'member' }],
    transaction: 'idempotent',
    audit: { action: 'withdrawal.request', fields: ['amount', 'wallet_address'] },
    refuses: [
      'account_frozen',
      'withdrawals_paused',
      'wallet_missing',
      'wallet_unregistered',
      'wallet_ours',
      'cooling',
      'account_locked',
      'email_unproven',
      'withdrawal_too_small',
      'withdrawal_daily_limit',
      'balance_too_small',
      'otp_required',
      'otp_invalid',
      'code_expired',
      'code_wrong',
      'code_for_other',
      'passkey_required',
      'passkey_only_waiting',
      'passkey_only_off',
      'passkey_expired',
      'passkey_invalid',
    ],
    handler: async ({ body }, call) => {
      const { amount, wallet_address: wallet, used_code: code = '', otp = null, passkey = null } = body
      const request = { ...(await requesterOf(call)), amount, wallet }
      const id = await requestWithdrawal(call, call.tx, request, {
        code,
        otp,
        attempt: call.attempt,
        passkey,
      })
      return shown(call, id)
    },
  }),
  cancelWithdrawal: route({
    ...member,
    call: 'POST /withdrawals/withdrawals/:id/cancel/',
    summary: 'Cancels a withdrawal while nobody has decided it',
    params,
    response: { 200: contract.withdrawal },
    transaction: 'idempotent',
    audit: { action: 'withdrawal.cancel' },
    refuses: ['withdrawal_not_found', 'withdrawal_past_cancelling'],
    handler: async ({ params }, call) => {
      const id = readId(params.id)
      const { caller, systemNow } = call
      await cancelWithdrawal(call.tx, { memberId: caller.memberId, id, now: await call.now(), systemNow })
      return shown(call, id)
    },
  }),
  listWithdrawals: route({
    ...member,
    call: 'GET /withdrawals/withdrawals/',
    replica: true,
    summary: 'Withdrawals, newest first',
    query: contract.pageQuery,
    response: { 200: contract.pageOf(contract.withdrawal) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listWithdrawals(call.db, call.caller.memberId, pageSize, offset)
      const view = await viewAt(call.db, await call.now())
      const results = rows.map((row) => presentWithdrawal(call.config, row, view, call.reader))
      return presentList(call, query, { count, results })
    },
  }),
  readWithdrawal: route({
    ...member,
    call: 'GET /withdrawals/withdrawals/:id/',
    replica: true,
    summary: 'How far one withdrawal is',
    params,
    response: { 200: contract.withdrawal },
    refuses: ['withdrawal_not_found'],
    handler: async ({ params }, call) => shown(call, readId(params.id)),
  }),
  readWithdrawalTerms: route({
    ...member,
    call: 'GET /withdrawals/terms/',
    summary: 'What a member needs to know before asking for a withdrawal',
    query: contract.withdrawalTermsQuery,
    response: { 200: contract.withdrawalTerms },
    handler: async ({ query }, call) =>
      presentTerms(await readTerms(call, call.caller.memberId, query.amount ?? null), call.reader),
  }),
  listWithdrawalQueue: route({
    ...operator,
    call: 'GET /operator/withdrawals/',
    ability: 'withdrawals.read',
    replica: true,
    summary: 'Withdrawals to decide, oldest first; closed ones newest first',
    query: contract.withdrawalsQuery,
    response: { 200: contract.pageOf(contract.queuedWithdrawal) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const view = await viewOf(call)
      const { rows, count } = await listQueue(
        call.db,
        query.state ?? null,
        pageSize,
        offset,
        await call.now(),
      )
      return presentList(call, query, { count, results: rows.map((row) => presentQueued(row, view)) })
    },
  }),
  exportWithdrawalQueue: exportRoute({
    call: 'GET /operator/withdrawals/export/',
    ability: 'members.export',
    summary: 'The withdrawals of a state as a file',
    query: contract.withdrawalsFilter,
    list: ({ state = null }) => ({
      name: 'withdrawals',
      columns: QUEUE_COLUMNS,
      about: (tx) => countQueue(tx, state, MOST_ABOUT),
      read: (tx, after: QueuedWithdrawalRow | null, limit) => queueAfter(tx, state, after, limit),
    }),
  }),
  readWithdrawalDossier: route({
    ...operator,
    call: 'GET /operator/withdrawals/:id/',
    ability: 'withdrawals.read',
    replica: true,
    summary: 'One withdrawal with its member’s history',
    params,
    response: { 200: contract.withdrawalDossier },
    refuses: ['withdrawal_not_found'],
    handler: async ({ params }, call) =>
      presentDossier(await readDossier(call, readId(params.id), await call.now()), await viewOf(call)),
  }),
  readApprovalsPage: route({
    ...operator,
    call: 'GET /operator/approvals-page/',
    ability: 'console.use',
    summary: 'Where operators approve withdrawals',
    response: { 200: contract.approvalsPage },
    handler: async (_input, { config }) => ({ url: config.approvalsUrl }),
  }),
  decideWithdrawals: route({
    ...operatorAct,
    call: 'POST /operator/withdrawals/decide/',
    ability: 'withdrawals.refuse',
    summary: 'Refuses withdrawals, all of them or none, with one code',
    body: contract.decideWithdrawalsBody,
    decision: ({ body: { decision, ids } }) => ({
      action: 'withdrawal.decide',
      subject: `withdrawals:${ids.join()}`,
      details: { decision },
    }),
    audit: { action: 'withdrawal.decide', fields: ['decision'] },
    refuses: [
      'field_required',
      'withdrawal_not_found',
      'withdrawal_own',
      'withdrawal_decided',
      'withdrawal_in_transit',
    ],
    handler: async ({ body }, call) => {
      const { ids, reason = '' } = body
      const { caller, reader, systemNow } = call
      const decider = { operatorId: caller.memberId, now: await call.now(), systemNow }
      const count = await decide(call.tx, { ids: ids.map(BigInt), reason }, decider)
      return { message: say(reader, 'withdrawals_refused', { count }) }
    },
  }),
})

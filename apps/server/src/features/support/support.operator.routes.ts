import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import type { Caller } from '../../http/access.ts'
import { exportRoute, MOST_ABOUT } from '../../http/exports.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { operator, operatorAct, route, routes } from '../../http/route.ts'
import { readAbout } from './about.queries.ts'
import { assignThread } from './conversations.commands.ts'
import {
  presentAbout,
  presentForOperators,
  presentThread,
  presentTimes,
  THREAD_COLUMNS,
} from './conversations.presenter.ts'
import {
  countThreads,
  listAssignees,
  listThreads,
  type QueuedRow,
  readConversation,
  threadsAfter,
} from './conversations.queries.ts'
import { answerMember, closeThread, markSeenByOperators } from './support.commands.ts'
import { MOST_ANSWERS, selectTimes } from './times.queries.ts'

const params = z.object({ member: z.string() })

/** Who does something to whose conversation, and when. */
const handlingOf = (member: string, { caller, systemNow }: { caller: Caller; systemNow: Date }) => ({
  operator: { id: caller.memberId, username: caller.username },
  memberId: readId(member),
  now: systemNow,
})
const seenOf = (seen: number | undefined) => (seen === undefined ? null : BigInt(seen))

export const supportOperatorRoutes = routes({
  listSupportThreads: route({
    ...operator,
    call: 'GET /operator/support/',
    ability: 'support.read',
    summary: 'Conversations with members: who waits longest first, then the newest',
    query: contract.supportQuery,
    response: { 200: contract.pageOf(contract.supportThread) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listThreads(
        call.db,
        query.state ?? null,
        call.caller.memberId,
        pageSize,
        offset,
      )
      return presentList(call, query, {
        count,
        results: rows.map((row) => presentThread(row, call.systemNow)),
      })
    },
  }),
  exportSupportThreads: exportRoute({
    call: 'GET /operator/support/export/',
    ability: 'members.export',
    summary: 'Conversations of a queue as a file: whose, since when, and who has them; not what was written',
    query: contract.supportFilter,
    list: ({ state = null }, { caller }) => ({
      name: 'conversations',
      columns: THREAD_COLUMNS,
      about: (tx) => countThreads(tx, state, caller.memberId, MOST_ABOUT),
      read: (tx, after: QueuedRow | null, limit) => threadsAfter(tx, state, caller.memberId, after, limit),
    }),
  }),
  listSupportAssignees: route({
    ...operator,
    call: 'GET /operator/support/assignees/',
    ability: 'support.read',
    summary: 'Who answers members, and how many conversations each has',
    response: { 200: contract.supportAssignees },
    handler: async (_input, { db, locale }) => ({ results: await listAssignees(db, locale) }),
  }),
  readSupportTimes: route({
    ...operator,
    call: 'GET /operator/support/times/',
    ability: 'support.read',
    replica: true,
    summary: 'How long members waited for a first answer, in 7 and 30 days, and by operator',
    response: { 200: contract.supportTimes },
    handler: async (_input, { db, systemNow, locale }) =>
      presentTimes(await selectTimes(db, systemNow, locale), MOST_ANSWERS),
  }),
  readSupportThread: route({
    ...operator,
    call: 'GET /operator/support/:member/',
    ability: 'support.read',
    summary: 'One member’s conversation, newest message first',
    params,
    query: contract.pageQuery,
    response: { 200: contract.supportConversation },
    refuses: ['support_thread_not_found'],
    handler: async ({ params, query }, call) => {
      const { pageSize, offset } = readPage(query)
      const conversation = await readConversation(call.db, readId(params.member), pageSize, offset)
      const { thread, marks, rows, count } = conversation
      const results = rows.map((row) => presentForOperators(row, marks))
      return {
        ...presentList(call, query, { count, results }),
        thread: presentThread(thread, call.systemNow),
      }
    },
  }),
  markSupportThreadRead: route({
    ...operator,
    call: 'POST /operator/support/:member/read/',
    ability: 'support.answer',
    summary: 'Says up to which message an operator has seen a conversation',
    stepUp: 'none',
    params,
    body: contract.supportReadBody,
    response: { 200: contract.supportUnread },
    refuses: ['support_thread_not_found'],
    handler: async ({ params, body }, { db }) => ({
      unread: await markSeenByOperators(db, readId(params.member), BigInt(body.id)),
    }),
  }),
  answerSupportThread: route({
    ...operator,
    call: 'POST /operator/support/:member/answer/',
    ability: 'support.answer',
    summary: 'Answers a member, in the conversation and by e-mail',
    stepUp: 'recent',
    params,
    body: contract.supportAnswerBody,
    response: { 201: contract.operatorSupportMessage },
    transaction: 'idempotent',
    refuses: ['support_thread_not_found'],
    handler: async ({ params, body: { text, seen } }, call) => {
      const { row, marks } = await answerMember(call, call.tx, {
        ...handlingOf(params.member, call),
        text,
        seen: seenOf(seen),
      })
      return presentForOperators(row, marks)
    },
  }),
  closeSupportThread: route({
    ...operatorAct,
    call: 'POST /operator/support/:member/close/',
    ability: 'support.answer',
    summary: 'Sets a conversation aside; the member’s next message opens it again',
    stepUp: 'recent',
    params,
    body: contract.supportCloseBody,
    refuses: ['support_thread_not_found', 'support_newer'],
    handler: async ({ params, body }, call) => {
      await closeThread(call.tx, { ...handlingOf(params.member, call), seen: seenOf(body?.seen) })
      return { message: say(call.locale, 'support_closed') }
    },
  }),
  assignSupportThread: route({
    ...operatorAct,
    call: 'POST /operator/support/:member/assign/',
    ability: 'support.answer',
    summary: 'Gives a conversation to an operator, or to nobody',
    stepUp: 'recent',
    params,
    body: contract.supportAssignBody,
    refuses: [
      'support_thread_not_found',
      'support_conversation_closed',
      'support_operator_unknown',
      'support_taken',
    ],
    handler: async ({ params, body }, call) => {
      const { operator: to, from } = body
      await assignThread(call.tx, { ...handlingOf(params.member, call), to, from })
      const sentence = to === null ? 'support_let_go' : 'support_assigned'
      return { message: say(call.locale, sentence, { operator: to ?? '' }) }
    },
  }),
  readSupportAbout: route({
    ...operator,
    call: 'GET /operator/support/:member/about/',
    ability: 'support.read',
    replica: true,
    summary: 'The member beside the conversation: who it is, what they have, what is under way',
    params,
    response: { 200: contract.supportAbout },
    refuses: ['member_not_found'],
    handler: async ({ params }, { db, config, systemNow }) =>
      presentAbout(await readAbout(db, readId(params.member), config, systemNow)),
  }),
})

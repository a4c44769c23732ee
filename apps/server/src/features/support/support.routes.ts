import * as contract from '@aval/contract'
import { z } from 'zod'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import type { Caller } from '../../http/access.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { answerMember, askSupport, closeThread, markSeen, markSeenByOperators } from './support.commands.ts'
import { presentForOperators, presentMessage, presentThread } from './support.presenter.ts'
import { listThreads, readConversation, readMessages } from './support.queries.ts'

const member = { access: 'member', tags: ['support'] } as const

const operator = { access: 'operator', tags: ['operator'] } as const
const params = z.object({ member: z.string() })

const operatorOf = ({ memberId: id, username }: Caller) => ({ id, username })
const seenOf = (seen: number | undefined) => (seen === undefined ? null : BigInt(seen))

export const supportRoutes = routes({
  writeToSupport: route({
    ...member,
    call: 'POST /support/messages/',
    summary: 'Writes to support; the answer comes here and by e-mail',
    body: contract.supportMessageBody,
    response: { 201: contract.supportMessage },
    limits: [{ limit: 'supportMessages', by: 'member' }],
    transaction: 'idempotent',
    handler: async ({ body: { text, topic = null } }, call) => {
      const question = { memberId: call.caller.memberId, text, topic, now: call.systemNow }
      const { row, marks } = await askSupport(call.tx, question)
      return presentMessage(row, marks)
    },
  }),
  listSupportMessages: route({
    ...member,
    call: 'GET /support/messages/',
    summary: 'The conversation with support, newest first, and how many answers are unread',
    query: contract.pageQuery,
    response: { 200: contract.supportMessages },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { memberId } = call.caller
      const { state, marks, rows, count, unread } = await readMessages(call.db, memberId, pageSize, offset)
      const results = rows.map((row) => presentMessage(row, marks))
      return { ...presentList(call, query, { count, results }), state, unread }
    },
  }),
  markSupportRead: route({
    ...member,
    call: 'POST /support/read/',
    summary: 'Says up to which message the conversation has been seen',
    body: contract.supportReadBody,
    response: { 200: contract.supportUnread },
    handler: async ({ body }, { db, caller }) => ({
      unread: await markSeen(db, caller.memberId, BigInt(body.id)),
    }),
  }),
  listSupportThreads: route({
    ...operator,
    call: 'GET /operator/support/',
    ability: 'support.read',
    summary: 'Conversations with members: who waits longest first, then the newest',
    query: contract.supportQuery,
    response: { 200: contract.pageOf(contract.supportThread) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await listThreads(call.db, query.state ?? null, pageSize, offset)
      return presentList(call, query, { count, results: rows.map(presentThread) })
    },
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
      return { ...presentList(call, query, { count, results }), thread: presentThread(thread) }
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
        operator: operatorOf(call.caller),
        memberId: readId(params.member),
        text,
        seen: seenOf(seen),
        now: call.systemNow,
      })
      return presentForOperators(row, marks)
    },
  }),
  closeSupportThread: route({
    ...operator,
    call: 'POST /operator/support/:member/close/',
    ability: 'support.answer',
    summary: 'Sets a conversation aside; the member’s next message opens it again',
    stepUp: 'recent',
    params,
    body: contract.supportCloseBody,
    response: { 200: contract.messageObject },
    transaction: 'idempotent',
    refuses: ['support_thread_not_found', 'support_newer'],
    handler: async ({ params, body }, call) => {
      await closeThread(call.tx, {
        operator: operatorOf(call.caller),
        memberId: readId(params.member),
        seen: seenOf(body?.seen),
        now: call.systemNow,
      })
      return { message: say(call.locale, 'support_closed') }
    },
  }),
})

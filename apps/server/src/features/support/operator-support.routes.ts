import {
  messageObject,
  operatorSupportMessage,
  pageOf,
  pageQuery,
  supportAnswerBody,
  supportCloseBody,
  supportConversation,
  supportQuery,
  supportReadBody,
  supportThread,
  supportUnread,
} from '@aval/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { readId } from '../../core/ids.ts'
import { say } from '../../core/messages.ts'
import { callerOf } from '../../http/access.ts'
import type { Api } from '../../http/api.ts'
import { idempotently } from '../../http/idempotency.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import {
  answerMember,
  closeThread,
  listThreads,
  markSeenByOperators,
  readConversation,
} from './answering.commands.ts'
import { presentForOperators, presentThread } from './support.presenter.ts'

const config = { access: 'operator' } as const
const tags = ['operator']
const params = z.object({ member: z.string() })

const operatorOf = (request: Pick<FastifyRequest, 'caller'>) => {
  const { memberId: id, username } = callerOf(request)
  return { id, username }
}

function readingRoutes(api: Api, { db }: Context): void {
  api.get(
    '/operator/support/',
    {
      config,
      schema: {
        tags,
        summary: 'Conversations with members: who waits longest first, then the newest',
        querystring: supportQuery,
        response: { 200: pageOf(supportThread) },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const { rows, count } = await listThreads(db, request.query.state ?? null, pageSize, offset)
      return presentPage(request, { count, results: rows.map(presentThread) })
    },
  )

  api.get(
    '/operator/support/:member/',
    {
      config,
      schema: {
        tags,
        summary: 'One member’s conversation, newest message first',
        params,
        querystring: pageQuery,
        response: { 200: supportConversation },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const memberId = readId(request.params.member)
      const { thread, marks, rows, count } = await readConversation(db, memberId, pageSize, offset)
      const results = rows.map((row) => presentForOperators(row, marks))
      return { ...presentPage(request, { count, results }), thread: presentThread(thread) }
    },
  )

  api.post(
    '/operator/support/:member/read/',
    {
      config,
      schema: {
        tags,
        summary: 'Says up to which message an operator has seen a conversation',
        params,
        body: supportReadBody,
        response: { 200: supportUnread },
      },
    },
    async (request) => {
      const memberId = readId(request.params.member)
      return { unread: await markSeenByOperators(db, memberId, BigInt(request.body.id)) }
    },
  )
}

export function operatorSupportRoutes(api: Api, context: Context): void {
  readingRoutes(api, context)

  api.post(
    '/operator/support/:member/answer/',
    {
      config,
      schema: {
        tags,
        summary: 'Answers a member, in the conversation and by e-mail',
        params,
        body: supportAnswerBody,
        response: { 201: operatorSupportMessage },
      },
    },
    async (request, reply) => {
      const { text, seen } = request.body
      const operator = operatorOf(request)
      const memberId = readId(request.params.member)
      const { body } = await idempotently(context, request, operator.id, async (tx) => {
        const handling = { operator, memberId, text, seen: seen === undefined ? null : BigInt(seen) }
        const { row, marks } = await answerMember(context, tx, { ...handling, now: new Date() })
        return { status: 201 as const, body: presentForOperators(row, marks) }
      })
      return reply.code(201).send(body)
    },
  )

  api.post(
    '/operator/support/:member/close/',
    {
      config,
      schema: {
        tags,
        summary: 'Sets a conversation aside; the member’s next message opens it again',
        params,
        body: supportCloseBody,
        response: { 200: messageObject },
      },
    },
    async (request) => {
      const seen = request.body?.seen
      const operator = operatorOf(request)
      const memberId = readId(request.params.member)
      const { body } = await idempotently(context, request, operator.id, async (tx) => {
        const handling = { operator, memberId, seen: seen === undefined ? null : BigInt(seen) }
        await closeThread(tx, { ...handling, now: new Date() })
        return { status: 200 as const, body: { message: say(localeOf(request), 'support_closed') } }
      })
      return body
    },
  )
}

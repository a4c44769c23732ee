import {
  pageQuery,
  supportMessage,
  supportMessageBody,
  supportMessages,
  supportReadBody,
  supportUnread,
} from '@aval/contract'
import type { Context } from '../../core/context.ts'
import { callerOf } from '../../http/access.ts'
import type { Api } from '../../http/api.ts'
import { idempotently } from '../../http/idempotency.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { createRateLimit } from '../../http/rate-limits.ts'
import { askSupport, markSeen, readMessages } from './support.commands.ts'
import { presentMessage } from './support.presenter.ts'

const config = { access: 'member' } as const
const tags = ['support']

function askRoute(api: Api, context: Context): void {
  const asked = createRateLimit(context.config.limits.supportMessages)
  api.post(
    '/support/messages/',
    {
      config,
      schema: {
        tags,
        summary: 'Writes to support; the answer comes here and by e-mail',
        body: supportMessageBody,
        response: { 201: supportMessage },
      },
    },
    async (request, reply) => {
      const { memberId } = callerOf(request)
      const { text, topic } = request.body
      await asked.take(String(memberId))
      const { body } = await idempotently(context, request, memberId, async (tx) => {
        // Conversations live by the system's time, as mail does.
        const now = new Date()
        const { row, marks } = await askSupport(tx, { memberId, text, topic: topic ?? null, now })
        return { status: 201 as const, body: presentMessage(row, marks) }
      })
      return reply.code(201).send(body)
    },
  )
}

export function supportRoutes(api: Api, context: Context): void {
  const { db } = context
  askRoute(api, context)

  api.get(
    '/support/messages/',
    {
      config,
      schema: {
        tags,
        summary: 'The conversation with support, newest first, and how many answers are unread',
        querystring: pageQuery,
        response: { 200: supportMessages },
      },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const { memberId } = callerOf(request)
      const { state, marks, rows, count, unread } = await readMessages(db, memberId, pageSize, offset)
      const results = rows.map((row) => presentMessage(row, marks))
      return { ...presentPage(request, { count, results }), state, unread }
    },
  )

  api.post(
    '/support/read/',
    {
      config,
      schema: {
        tags,
        summary: 'Says up to which message the conversation has been seen',
        body: supportReadBody,
        response: { 200: supportUnread },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      return { unread: await markSeen(db, memberId, BigInt(request.body.id)) }
    },
  )
}

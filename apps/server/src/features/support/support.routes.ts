import {
  pageQuery,
  supportMessage,
  supportMessageBody,
  supportMessages,
  supportReadBody,
  supportUnread,
} from '@aval/contract'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { askSupport, markSeen } from './support.commands.ts'
import { presentMessage } from './support.presenter.ts'
import { readMessages } from './support.queries.ts'

const member = { access: 'member', tags: ['support'] } as const

const writeRoute = route({
  ...member,
  method: 'POST',
  path: '/support/messages/',
  operationId: 'writeToSupport',
  summary: 'Writes to support; the answer comes here and by e-mail',
  body: supportMessageBody,
  response: { 201: supportMessage },
  limits: [{ limit: 'supportMessages', by: 'member' }],
  transaction: 'idempotent',
  handler: async ({ body: { text, topic = null } }, call) => {
    const question = { memberId: call.caller.memberId, text, topic, now: call.systemNow }
    const { row, marks } = await askSupport(call.tx, question)
    return presentMessage(row, marks)
  },
})

const listRoute = route({
  ...member,
  method: 'GET',
  path: '/support/messages/',
  operationId: 'listSupportMessages',
  summary: 'The conversation with support, newest first, and how many answers are unread',
  query: pageQuery,
  response: { 200: supportMessages },
  handler: async ({ query }, call) => {
    const { pageSize, offset } = readPage(query)
    const { memberId } = call.caller
    const { state, marks, rows, count, unread } = await readMessages(call.db, memberId, pageSize, offset)
    const results = rows.map((row) => presentMessage(row, marks))
    return { ...presentList(call, query, { count, results }), state, unread }
  },
})

const readRoute = route({
  ...member,
  method: 'POST',
  path: '/support/read/',
  operationId: 'markSupportRead',
  summary: 'Says up to which message the conversation has been seen',
  body: supportReadBody,
  response: { 200: supportUnread },
  handler: async ({ body }, { db, caller }) => ({
    unread: await markSeen(db, caller.memberId, BigInt(body.id)),
  }),
})

export const supportRoutes = routes(writeRoute, listRoute, readRoute)

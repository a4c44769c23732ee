import * as contract from '@aval/contract'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { askSupport, markSeen } from './support.commands.ts'
import { presentMessage } from './support.presenter.ts'
import { readMessages } from './support.queries.ts'

const member = { access: 'member', tags: ['support'] } as const

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
})

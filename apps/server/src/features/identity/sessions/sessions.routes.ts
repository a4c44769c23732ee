import { messageObject, pageOf, pageQuery, refreshBody, sessionItem, tokenPair } from '@aval/contract'
import { z } from 'zod'
import { say } from '../../../core/messages.ts'
import { actorOf } from '../../../http/call.ts'
import { presentList, readPage } from '../../../http/paging.ts'
import { route, routes } from '../../../http/route.ts'
import { endOtherSessions, endOwnSession, refreshSession, signOut } from './sessions.commands.ts'
import { listSessions } from './sessions.queries.ts'

const visitor = { access: 'public', tags: ['accounts'] } as const
const member = { access: 'member', tags: ['accounts'] } as const

export const sessionsRoutes = routes({
  refreshSession: route({
    ...visitor,
    call: 'POST /auth/token/refresh/',
    summary: 'Exchange a refresh token',
    body: refreshBody.nullish(),
    response: { 200: tokenPair },
    session: 'renews',
    limits: [{ limit: 'refresh', by: 'address' }],
    refuses: ['refresh_invalid', 'session_idle', 'session_expired'],
    handler: ({ body }, call) => refreshSession(call, body?.refresh ?? call.refreshToken, call.systemNow),
  }),
  signOut: route({
    ...visitor,
    call: 'POST /auth/logout/',
    summary: 'End the session of the refresh token, else of the bearer token',
    body: refreshBody.nullish(),
    response: { 204: z.null() },
    session: 'ends',
    handler: async ({ body }, call) => {
      const tokens = { refresh: body?.refresh ?? call.refreshToken, access: call.bearer }
      await signOut(call, tokens, call.systemNow)
      return null
    },
  }),
  listSessions: route({
    ...member,
    call: 'GET /auth/sessions/',
    summary: 'Where the member is signed in: this session first, then those used last',
    query: pageQuery,
    response: { 200: pageOf(sessionItem) },
    handler: async ({ query }, call) => {
      const { caller, db, systemNow } = call
      return presentList(call, query, await listSessions(db, caller, readPage(query), systemNow))
    },
  }),
  endSession: route({
    ...member,
    call: 'POST /auth/sessions/:id/end/',
    summary: 'End a session of one’s own: its tokens are refused from the next call on',
    params: z.object({ id: z.guid('session_not_found') }),
    response: { 200: messageObject },
    refuses: ['session_not_found'],
    handler: async ({ params }, call) => {
      await endOwnSession(call.db, actorOf(call), params.id, call.systemNow)
      return { message: say(call.locale, 'session_ended') }
    },
  }),
  endOtherSessions: route({
    ...member,
    call: 'POST /auth/sessions/end-others/',
    summary: 'End every session but this one',
    response: { 200: messageObject },
    handler: async (_input, call) => {
      const count = await endOtherSessions(call.db, actorOf(call), call.systemNow)
      const key = count === 0 ? 'sessions_none_ended' : 'sessions_ended'
      return { message: say(call.reader, key, { count }) }
    },
  }),
})

import { messageObject, pageOf, pageQuery, refreshBody, sessionItem, tokenPair } from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { say } from '../../../core/messages.ts'
import { callerOf } from '../../../http/access.ts'
import type { Api, FeatureRoutes } from '../../../http/api.ts'
import { localeOf } from '../../../http/language.ts'
import { presentPage, readPage } from '../../../http/paging.ts'
import { clientOf, createRateLimit } from '../../../http/rate-limits.ts'
import { actorOf } from './actor.ts'
import { endOtherSessions, endOwnSession, refreshSession, signOut } from './sessions.commands.ts'
import { presentSession } from './sessions.presenter.ts'
import { listSessions } from './sessions.queries.ts'

const open = { access: 'public' } as const
const config = { access: 'member' } as const
const tags = ['accounts']

function tokenRoutes(api: Api, context: Context): void {
  const refreshes = createRateLimit(context.config.limits.refresh)

  api.post(
    '/auth/token/refresh/',
    {
      config: open,
      schema: {
        tags,
        summary: 'Exchange a refresh token',
        body: refreshBody.nullish(),
        response: { 200: tokenPair },
      },
    },
    async (request) => {
      await refreshes.take(clientOf(request.ip))
      return refreshSession(context, request.body?.refresh, new Date())
    },
  )

  api.post(
    '/auth/logout/',
    {
      config: open,
      schema: { tags, summary: 'End the session', body: refreshBody.nullish(), response: { 204: z.null() } },
    },
    async (request, reply) => {
      await signOut(context, request.body?.refresh, new Date())
      return reply.code(204).send(null)
    },
  )
}

function sessionListRoutes(api: Api, context: Context): void {
  api.get(
    '/auth/sessions/',
    {
      config,
      schema: {
        tags,
        summary: 'Where the member is signed in: this session first, then those used last',
        querystring: pageQuery,
        response: { 200: pageOf(sessionItem) },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { count, results } = await listSessions(context.db, caller, readPage(request.query), new Date())
      return presentPage(request, {
        count,
        results: results.map((row) => presentSession(row, caller.sessionId)),
      })
    },
  )

  api.post(
    '/auth/sessions/:id/end/',
    {
      config,
      schema: {
        tags,
        summary: 'End a session of one’s own: its tokens are refused from the next call on',
        params: z.object({ id: z.guid('session_not_found') }),
        response: { 200: messageObject },
      },
    },
    async (request) => {
      await endOwnSession(context.db, actorOf(request), request.params.id, new Date())
      return { message: say(localeOf(request), 'session_ended') }
    },
  )

  api.post(
    '/auth/sessions/end-others/',
    {
      config,
      schema: { tags, summary: 'End every session but this one', response: { 200: messageObject } },
    },
    async (request) => {
      const count = await endOtherSessions(context.db, actorOf(request), new Date())
      const key = count === 0 ? 'sessions_none_ended' : 'sessions_ended'
      return { message: say(localeOf(request), key, { count }) }
    },
  )
}

export const sessionsRoutes: FeatureRoutes = (api, context) => {
  tokenRoutes(api, context)
  sessionListRoutes(api, context)
}

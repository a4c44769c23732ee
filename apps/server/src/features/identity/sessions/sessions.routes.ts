import {
  messageObject,
  pageOf,
  pageQuery,
  type SecurityEventItem,
  type SessionItem,
  securityEventItem,
  sessionItem,
} from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { deviceOf } from '../../../core/device.ts'
import { say } from '../../../core/messages.ts'
import { callerOf } from '../../../http/access.ts'
import type { Api, FeatureRoutes } from '../../../http/api.ts'
import { localeOf } from '../../../http/language.ts'
import { presentPage, readPage } from '../../../http/paging.ts'
import { endOtherSessions, endSessionOf, listSecurityEvents, listSessions } from './session-list.commands.ts'
import { presentSecurityEvent, presentSession } from './sessions.presenter.ts'

const config = { access: 'member' } as const
const tags = ['accounts']

/** Sessions live by the system's time. */
const systemNow = () => new Date()

function selfOf(request: Parameters<typeof deviceOf>[0] & Parameters<typeof callerOf>[0]) {
  const { memberId, sessionId } = callerOf(request)
  return { memberId, sessionId, device: deviceOf(request) }
}

function listRoutes(api: Api, context: Context): void {
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
      const { count, results } = await listSessions(context.db, caller, readPage(request.query), systemNow())
      const items: SessionItem[] = results.map((row) => presentSession(row, caller.sessionId))
      return presentPage(request, { count, results: items })
    },
  )

  api.get(
    '/auth/security-events/',
    {
      config,
      schema: {
        tags,
        summary: 'What happened to the account: changes, sign-ins from new devices, "this was not me"',
        querystring: pageQuery,
        response: { 200: pageOf(securityEventItem) },
      },
    },
    async (request) => {
      const { memberId } = callerOf(request)
      const { count, results } = await listSecurityEvents(context.db, memberId, readPage(request.query))
      const items: SecurityEventItem[] = results.map(presentSecurityEvent)
      return presentPage(request, { count, results: items })
    },
  )
}

function endingRoutes(api: Api, context: Context): void {
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
      await endSessionOf(context.db, selfOf(request), request.params.id, systemNow())
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
      const count = await endOtherSessions(context.db, selfOf(request), systemNow())
      const key = count === 0 ? 'sessions_none_ended' : 'sessions_ended'
      return { message: say(localeOf(request), key, { count }) }
    },
  )
}

export const sessionListRoutes: FeatureRoutes = (api, context) => {
  listRoutes(api, context)
  endingRoutes(api, context)
}

import { z } from 'zod'
import { Refusal } from '../../core/refusal.ts'
import type { FeatureRoutes } from '../../http/api.ts'
import { localeOf } from '../../http/language.ts'
import { measureStates } from '../../http/metrics.ts'
import { inlineHash, pagePolicy } from '../../http/policy.ts'
import { countMailBacklog } from './mail.queries.ts'
import { messagePage, OUTBOX_STYLE, outboxPage } from './outbox.presenter.ts'
import { readOutbox, readStored } from './outbox.ts'

/** How many messages are read, the newest first. */
const SHOWN = 100
const SEARCHED = 500

const search = z.object({ to: z.string().max(320).optional() })
const named = z.object({ name: z.string() })
const listed = z.array(
  z.object({ name: z.string(), to: z.string(), subject: z.string(), at: z.iso.datetime(), text: z.string() }),
)

/** Mail has metrics only; members have no calls for it. */
export const mailRoutes: FeatureRoutes = (api, { db }) => {
  const help = 'Messages that wait to be sent, and messages that were given up.'
  measureStates(api, { name: 'mail_messages', help }, async () => ({ ...(await countMailBacklog(db)) }))
}

/** The outbox of the development network, for people and journeys. It shows everybody's codes, so no other network has it. */
export const mailPages: FeatureRoutes = (app, { config }) => {
  const isOpen = config.network === 'devnet' && config.smtp === null
  app.addHook('onRequest', async (_request, reply) => {
    if (!isOpen) throw new Refusal('not_found')
    reply.header('cache-control', 'no-store').header('vary', 'Accept-Language')
  })

  const listHelmet = {
    contentSecurityPolicy: pagePolicy(config.publicUrl, { styles: [inlineHash(OUTBOX_STYLE)] }),
  }
  app.get('/dev/mail', { helmet: listHelmet, schema: { querystring: search } }, async (request, reply) => {
    const stored = await readOutbox(config.dataDir, SHOWN, request.query.to)
    reply.type('text/html; charset=utf-8')
    return outboxPage(stored, localeOf(request))
  })

  app.get(
    '/dev/mail.json',
    { schema: { querystring: search, response: { 200: listed } } },
    async (request) => {
      const stored = await readOutbox(config.dataDir, SEARCHED, request.query.to)
      return stored.map(({ at, ...mail }) => ({ ...mail, at: at.toISOString() }))
    },
  )

  // A letter styles itself tag by tag, as mail programs want it; the frame around it runs nothing.
  const letterHelmet = {
    contentSecurityPolicy: pagePolicy(config.publicUrl, { styles: ["'unsafe-inline'"] }),
  }
  app.get('/dev/mail/:name', { helmet: letterHelmet, schema: { params: named } }, async (request, reply) => {
    const stored = await readStored(config.dataDir, request.params.name)
    if (stored === null) throw new Refusal('not_found')
    reply.type('text/html; charset=utf-8')
    return messagePage(stored, localeOf(request))
  })
}

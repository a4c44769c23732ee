import { z } from 'zod'
import { Refusal } from '../../core/refusal.ts'
import type { FeatureRoutes } from '../../http/api.ts'
import { localeOf } from '../../http/language.ts'
import { measureStates } from '../../http/metrics.ts'
import { inlineHash, pagePolicy } from '../../http/policy.ts'
import { mailBacklog } from './mail.commands.ts'
import { messagePage, OUTBOX_STYLE, outboxPage } from './outbox.presenter.ts'
import { readKept, readOutbox } from './outbox.ts'

/** How many messages are looked at: newest first. */
const SHOWN = 100
const SEARCHED = 500

const search = z.object({ to: z.string().max(320).optional() })
const named = z.object({ name: z.string() })
const listed = z.array(
  z.object({ name: z.string(), to: z.string(), subject: z.string(), at: z.iso.datetime(), text: z.string() }),
)

/** What whoever watches the process sees of mail; members have no calls for it. */
export const mailRoutes: FeatureRoutes = (api, { db }) => {
  const help = 'Messages that wait to be sent, and messages that were given up.'
  measureStates(api, { name: 'mail_messages', help }, async () => ({ ...(await mailBacklog(db)) }))
}

/**
 * The mail of the development network, which goes nowhere, for people and for journeys. It shows everybody's secret
 * codes, so there is no such page anywhere else.
 */
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
    const kept = await readOutbox(config.dataDir, SHOWN, request.query.to)
    reply.type('text/html; charset=utf-8')
    return outboxPage(kept, localeOf(request))
  })

  app.get(
    '/dev/mail.json',
    { schema: { querystring: search, response: { 200: listed } } },
    async (request) => {
      const kept = await readOutbox(config.dataDir, SEARCHED, request.query.to)
      return kept.map(({ name, to, subject, at, text }) => ({
        name,
        to,
        subject,
        at: at.toISOString(),
        text,
      }))
    },
  )

  // A letter styles itself tag by tag, as mail programs want it; the frame around it runs nothing.
  const letterHelmet = {
    contentSecurityPolicy: pagePolicy(config.publicUrl, { styles: ["'unsafe-inline'"] }),
  }
  app.get('/dev/mail/:name', { helmet: letterHelmet, schema: { params: named } }, async (request, reply) => {
    const kept = await readKept(config.dataDir, request.params.name)
    if (kept === null) throw new Refusal('not_found')
    reply.type('text/html; charset=utf-8')
    return messagePage(kept, localeOf(request))
  })
}

import { setTimeout as pause } from 'node:timers/promises'
import { demoState } from '@aval/contract'
import { Refusal } from '../../core/refusal.ts'
import type { FeatureRoutes } from '../../http/api.ts'
import { localeOf } from '../../http/language.ts'
import { inlineHash, pagePolicy } from '../../http/policy.ts'
import { route, routes } from '../../http/route.ts'
import { readOperatorCodes } from './codes.commands.ts'
import { CODES_STYLE, codesPage } from './codes.presenter.ts'
import { advanceDay, readDemo } from './demo.commands.ts'

const POLL_EVERY_MS = 100
const POLLS = 150

/** Polls a limited number of times; a run that takes longer goes on without this call. */
function limitedWait(): () => Promise<boolean> {
  let left = POLLS
  return async () => {
    left -= 1
    await pause(POLL_EVERY_MS)
    return left > 0
  }
}

const tags = ['demo']

export const demoRoutes = routes({
  readDemo: route({
    call: 'GET /demo/',
    summary: 'Whether this is the local demo, and its clock',
    tags,
    access: 'public',
    response: { 200: demoState },
    handler: (_input, call) => readDemo(call),
  }),
  advanceDemoDay: route({
    call: 'POST /demo/advance-day/',
    summary: 'Advances the demo to the next morning and pays its runs',
    tags,
    access: 'member',
    response: { 200: demoState },
    refuses: ['demo_only', 'demo_busy'],
    handler: (_input, call) => advanceDay(call, limitedWait()),
  }),
})

/** Half a minute, as long as a code lasts. */
const STEP_MS = 30_000

/** The codes of the demo's operators, for people without an authenticator app. No other installation has this page. */
export const codesPages: FeatureRoutes = (app, context) => {
  const { config } = context
  const policy = pagePolicy(config.publicUrl, { styles: [inlineHash(CODES_STYLE)] })
  app.get('/dev/codes', { helmet: { contentSecurityPolicy: policy } }, async (request, reply) => {
    if (!config.demo || config.network !== 'devnet') throw new Refusal('not_found')
    const now = new Date()
    reply.header('cache-control', 'no-store').header('vary', 'Accept-Language')
    reply.type('text/html; charset=utf-8')
    const seconds = Math.ceil((STEP_MS - (now.getTime() % STEP_MS)) / 1_000)
    return codesPage(await readOperatorCodes(context, now), seconds, localeOf(request))
  })
}

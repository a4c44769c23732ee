import { z } from 'zod'
import { route, routes } from '../../http/route.ts'
import { ensureReady } from './health.queries.ts'

const ok = z.object({ status: z.literal('ok') })
const probe = { access: 'public', tags: ['health'], response: { 200: ok } } as const

/** For what supervises the process. */
export const healthRoutes = routes({
  checkLive: route({
    ...probe,
    call: 'GET /health/live',
    summary: 'The process runs',
    handler: () => ({ status: 'ok' as const }),
  }),
  checkReady: route({
    ...probe,
    call: 'GET /health/ready',
    summary: 'The process can serve',
    handler: async (_input, { db }) => {
      await ensureReady(db)
      return { status: 'ok' as const }
    },
  }),
})

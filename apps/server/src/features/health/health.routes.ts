import { z } from 'zod'
import type { FeatureRoutes } from '../../http/api.ts'
import { route, routes } from '../../http/route.ts'
import { ensureReady } from './health.queries.ts'

const ok = z.object({ status: z.literal('ok') })
const probe = { access: 'public', tags: ['health'], response: { 200: ok } } as const

const probes = routes({
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

/** For what supervises the process: two probes, and metrics for Prometheus. */
export const healthRoutes: FeatureRoutes = (api, context) => {
  probes(api, context)
  api.get('/metrics', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
    reply.type(api.metrics.contentType)
    return api.metrics.metrics()
  })
}

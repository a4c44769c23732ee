import { z } from 'zod'
import type { FeatureRoutes } from '../../http/api.ts'
import { route, routes } from '../../http/route.ts'
import { ensureReady } from './health.queries.ts'

const ok = z.object({ status: z.literal('ok') })
const probe = { access: 'public', tags: ['health'], method: 'GET', response: { 200: ok } } as const

const probes = routes(
  route({
    ...probe,
    path: '/health/live',
    operationId: 'checkLive',
    summary: 'The process runs',
    handler: () => ({ status: 'ok' as const }),
  }),
  route({
    ...probe,
    path: '/health/ready',
    operationId: 'checkReady',
    summary: 'The process can serve',
    handler: async (_input, { db }) => {
      await ensureReady(db)
      return { status: 'ok' as const }
    },
  }),
)

/** For what supervises the process: two probes, and metrics for Prometheus. */
export const healthRoutes: FeatureRoutes = (api, context) => {
  probes(api, context)
  api.get('/metrics', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
    reply.type(api.metrics.contentType)
    return api.metrics.metrics()
  })
}

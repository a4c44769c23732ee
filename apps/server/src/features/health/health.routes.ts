import { z } from 'zod'
import type { FeatureRoutes } from '../../http/api.ts'
import { ensureReady } from './health.commands.ts'

const well = z.object({ status: z.literal('ok') })
const config = { access: 'public' } as const

/** For whoever watches the process: does it run, can it serve, and how is it doing. */
export const healthRoutes: FeatureRoutes = (api, context) => {
  api.get(
    '/health/live',
    { config, schema: { summary: 'The process runs', response: { 200: well } } },
    async () => ({ status: 'ok' as const }),
  )

  api.get(
    '/health/ready',
    { config, schema: { summary: 'The process can serve', response: { 200: well } } },
    async () => {
      await ensureReady(context)
      return { status: 'ok' as const }
    },
  )

  api.get('/metrics', { config, schema: { hide: true } }, async (_request, reply) => {
    reply.type(api.metrics.contentType)
    return api.metrics.metrics()
  })
}
